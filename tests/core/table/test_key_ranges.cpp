// Ranges of keys against std::upper_bound on whole keys.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "table/key_ranges.hpp"
#include "table/records.hpp"

using namespace records;

namespace {

// Whether key a comes before key b: the last word is the most significant.
bool is_before(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

}  // namespace

TEST(ranges_follow_the_order_of_keys) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(round % 2 ? 4 : 45), 1 + dice.below(40)));
    std::vector<std::vector<std::uint64_t>> keys;
    std::vector<std::uint64_t> sample;
    for (int i = 0; i < 200; ++i) {
      std::vector<std::uint64_t> key(layout.n_words(), 0);
      for (std::size_t v = 0; v < layout.n_variables(); ++v)
        layout.put(key.data(), v, dice.below(layout.n_levels(v)));
      if (i % 3 == 0) sample.insert(sample.end(), key.begin(), key.end());
      keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end(), is_before);
    const std::size_t n_ranges = std::size_t{1} << dice.below(6);
    const KeyRanges ranges(layout, n_ranges, sample);
    CHECK_EQ(ranges.size(), n_ranges);
    std::size_t last = 0, used = 0;
    bool ascends = true, equal_together = true;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t range = ranges.range(keys[i].data());
      ascends = ascends && range >= last && range < n_ranges;
      equal_together = equal_together && (i == 0 || keys[i] != keys[i - 1] || range == last);
      used += i == 0 || range != last;
      last = range;
    }
    CHECK(ascends && equal_together);
    if (layout.n_cells() > 1e6) CHECK(4 * used > 3 * n_ranges);
  }
}

TEST(ranges_of_words_are_those_of_upper_bound) {
  Dice dice;
  const Layout layout({1u << 20});
  std::vector<std::uint64_t> sample;
  for (int i = 0; i < 64; ++i) sample.push_back(dice.below(1u << 20));
  const KeyRanges ranges(layout, 64, sample);
  std::sort(sample.begin(), sample.end());
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t key = i < 64 ? sample[static_cast<std::size_t>(i)] : dice.below(1u << 20);
    const auto above = std::upper_bound(sample.begin() + 1, sample.end(), key);
    CHECK_EQ(ranges.range(&key), static_cast<std::size_t>(above - sample.begin() - 1));
  }
}

TEST(one_range_and_no_sample) {
  const std::uint64_t key = UINT64_MAX;
  CHECK_EQ(KeyRanges(Layout({3}), 1, {}).range(&key), 0u);
  CHECK_EQ(KeyRanges(Layout({3}), 8, {}).range(&key), 7u);
}
