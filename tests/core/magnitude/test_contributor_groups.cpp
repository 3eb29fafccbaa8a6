// Contributors of cells against a map of maps, and with several threads.
#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "magnitude/contributor_groups.hpp"

using namespace sdclattice;

namespace {

using Values = std::vector<std::int64_t>;

}  // namespace

TEST(contributors_are_grouped_as_by_a_map) {
  PublicRandom random(3);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    Values cell, value;
    std::vector<std::int32_t> holder;
    std::map<std::int64_t, std::map<std::int32_t, std::int64_t>> twin;
    for (std::size_t i = random.below(30); i > 0; --i) {
      cell.push_back(static_cast<std::int64_t>(random.below(5)) - 2);
      holder.push_back(static_cast<std::int32_t>(random.below(6)));
      value.push_back(static_cast<std::int64_t>(random.below(9)) - 4);
      twin[cell.back()][holder.back()] += value.back();
    }
    const Contributors found = group_contributors(cell, holder, value, 1 + round % 3);
    wrong += found.cell.size() != twin.size() || found.start.size() != twin.size() + 1;
    std::size_t c = 0;
    for (const auto& [key, held] : twin) {
      std::vector<std::pair<std::int64_t, std::int32_t>> expected;
      for (const auto& [who, v] : held) expected.emplace_back(-std::abs(v), who);
      std::sort(expected.begin(), expected.end());
      wrong += found.cell[c] != key || found.start[c + 1] - found.start[c] != expected.size();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        wrong += found.holder[found.start[c] + i] != expected[i].second;
        wrong += found.value[found.start[c] + i] != held.at(expected[i].second);
      }
      ++c;
    }
  }
  CHECK_EQ(wrong, 0);
  const std::int64_t large = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS(TooLargeError, group_contributors({1, 1}, {2, 2}, {large, 1}));
  CHECK_EQ(group_contributors({1, 1}, {2, 3}, {large, 1}).value.size(), 2u);
}

// Many ranges: few and many cells, cells far apart, one that has most records, each record a
// contributor of its own or one of few.
TEST(threads_find_the_same_contributors) {
  PublicRandom random(5);
  for (int round = 0; round < 6; ++round) {
    const std::size_t n = round == 5 ? 16385 : 70000;
    const std::int64_t n_cells = round < 2 ? 3 : 5000, apart = round == 3 ? 1 << 24 : 1;
    Values cell, value;
    std::vector<std::int32_t> holder;
    std::vector<double> cells, values;
    for (std::size_t i = 0; i < n; ++i) {
      const auto of = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_cells)));
      cell.push_back(round == 4 && i % 10 > 0 ? 17 : of * apart * apart / 4);
      holder.push_back(static_cast<std::int32_t>(round % 2 ? i : random.below(50)));
      value.push_back(static_cast<std::int64_t>(random.below(1000)) - 200);
      cells.push_back(static_cast<double>(cell[i] % (std::int64_t{1} << 50)));
      values.push_back(static_cast<double>(value[i]));
    }
    const Contributors one = group_contributors(cell, holder, value, 1);
    std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t> twin;
    for (std::size_t i = 0; i < n; ++i) twin[{cell[i], holder[i]}] += value[i];
    bool same = one.value.size() == twin.size();
    for (std::size_t c = 0; same && c < one.cell.size(); ++c)
      for (std::size_t i = one.start[c]; i < one.start[c + 1]; ++i) {
        const auto x = std::abs(one.value[i]);
        same = same && twin.at({one.cell[c], one.holder[i]}) == one.value[i] &&
               (i == one.start[c] || std::abs(one.value[i - 1]) > x ||
                (std::abs(one.value[i - 1]) == x && one.holder[i - 1] < one.holder[i]));
      }
    CHECK(same && std::is_sorted(one.cell.begin(), one.cell.end()));
    for (std::size_t threads : {2, 3, 7}) {
      const Contributors some = group_contributors(cell, holder, value, threads);
      CHECK(some.cell == one.cell && some.start == one.start && some.value == one.value &&
            some.holder == one.holder);
    }
    if (round == 3) continue;
    std::vector<double> numbers[3];
    std::vector<std::int32_t> holders;
    group_contributors(cells.data(), holder.data(), values.data(), n, 2,
                       [&](std::size_t n_cells, std::size_t n_all) {
                         numbers[0].resize(n_cells);
                         numbers[1].resize(n_cells + 1);
                         numbers[2].resize(n_all);
                         holders.resize(n_all);
                         return ContributorRoom{numbers[0].data(), numbers[1].data(),
                                                numbers[2].data(), holders.data()};
                       });
    CHECK(std::equal(one.cell.begin(), one.cell.end(), numbers[0].begin(), numbers[0].end()));
    CHECK(std::equal(one.start.begin(), one.start.end(), numbers[1].begin(), numbers[1].end()));
    CHECK(std::equal(one.value.begin(), one.value.end(), numbers[2].begin(), numbers[2].end()));
    CHECK(holders == one.holder);
  }
}
