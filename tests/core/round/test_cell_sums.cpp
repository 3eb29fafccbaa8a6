// Published cells above leaf cells, and distances between published cells, from the definition.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "round/published_problems.hpp"

using namespace published_problems;

namespace {

Key key_of(const Cells& cells, std::size_t i) {
  return Key(cells.row(i), cells.row(i) + cells.stride - 1);
}

std::map<Key, std::int64_t> as_map(const Cells& cells) {
  std::map<Key, std::int64_t> out;
  for (std::size_t i = 0; i < cells.size(); ++i)
    out[key_of(cells, i)] = static_cast<std::int64_t>(cells.count(i));
  return out;
}

// Other counts in the same cells; those of 0 are left out.
Stored changed(Dice& dice, const Problem& x) {
  Stored out;
  for (std::size_t c = 0; c < x.cells.n; ++c) {
    const double count = x.cells.counts[c] + dice.below(3) - 1;
    if (dice.below(4) == 0 || count <= 0) continue;
    out.keys.insert(out.keys.end(), x.cells.keys + c * x.from.n_words(),
                    x.cells.keys + (c + 1) * x.from.n_words());
    out.counts.push_back(count);
  }
  return out;
}

}  // namespace

TEST(published_cells_above_leaf_cells) {
  Dice dice;
  int shared = 0;
  for (int round = 0; round < 300; ++round) {
    const Problem x(dice, random_shape(dice), dice.below(30), 1 + dice.below(3),
                    dice.below(2) == 0);
    CellSums sums = x.sums();
    std::vector<std::int64_t> added(sums.n_sums(), 0);
    std::size_t n_pairs = 0;
    for (std::size_t c = 0; c < x.cells.n; ++c) {
      std::set<Key> found;
      for (std::uint32_t s : sums.above(c)) {
        found.insert(Key(sums.key(s), sums.key(s) + x.to.n_words()));
        added[s] += static_cast<std::int64_t>(x.cells.counts[c]);
        ++n_pairs;
      }
      CHECK(found == x.above(c));
      n_pairs -= found.size();
    }
    CHECK_EQ(n_pairs, std::size_t{0});
    for (std::size_t s = 0; s < sums.n_sums(); ++s) CHECK_EQ(added[s], sums.value(s));
    shared += x.crossings.size() > 1 && sums.n_sums() > 0;
  }
  CHECK(shared > 50);
}

TEST(too_many_published_cells) {
  Dice dice;
  const Problem x(dice, {4, 4}, 50, 1, true);
  CHECK_THROWS(TooLargeError, CellSums(x.from, x.cells, x.to, x.crossings, 3, {}));
}

TEST(cells_are_matched_and_compared) {
  Dice dice;
  std::size_t small = 0, far = 0;
  for (int round = 0; round < 300; ++round) {
    const Problem x(dice, random_shape(dice), dice.below(40), 1 + dice.below(2),
                    dice.below(2) == 0);
    const Stored other = changed(dice, x);
    const auto places = match_cells(x.from, x.cells, other.view());
    for (std::size_t c = 0; c < x.cells.n; ++c) {
      std::size_t place = kNoCell;
      for (std::size_t i = 0; i < other.counts.size(); ++i)
        if (std::equal(x.cells.keys + c * x.from.n_words(),
                       x.cells.keys + (c + 1) * x.from.n_words(),
                       other.keys.begin() + static_cast<std::ptrdiff_t>(i * x.from.n_words())))
          place = i;
      CHECK_EQ(places[c], place);
    }

    const Cells a = x.published(x.stored), b = x.published(other);
    const std::int64_t base = 2 + dice.below(4);
    const PublishedDistance found = published_distance(a, b, base);
    auto from = as_map(a), to = as_map(b);
    for (const auto& [key, count] : from) to.try_emplace(key, 0);
    PublishedDistance twin;
    for (const auto& [key, now] : to) {
      const std::int64_t before = from.count(key) ? from[key] : 0, apart = std::abs(now - before);
      twin.greatest = std::max(twin.greatest, apart);
      twin.absolute += static_cast<double>(apart);
      twin.squares += static_cast<double>(apart * apart);
      twin.original += static_cast<double>(before);
      twin.roots += std::pow(std::sqrt(double(before)) - std::sqrt(double(now)), 2);
      twin.changed += apart > 0;
      twin.small_left += now >= 1 && now < base;
      twin.far += before >= 1 && before < base && now != 0 && now != base;
    }
    CHECK_EQ(found.greatest, twin.greatest);
    CHECK_EQ(found.absolute, twin.absolute);
    CHECK_EQ(found.squares, twin.squares);
    CHECK_EQ(found.original, twin.original);
    CHECK(std::abs(found.roots - twin.roots) < 1e-9);
    CHECK_EQ(found.changed, twin.changed);
    CHECK_EQ(found.small_left, twin.small_left);
    CHECK_EQ(found.far, twin.far);
    small += twin.small_left;
    far += twin.far;
  }
  CHECK(small > 100 && far > 100);
}
