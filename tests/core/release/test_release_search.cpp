// The best releases of all: against the enumeration of all tables and all releases.
#include <algorithm>
#include <bitset>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "release/release_search.hpp"
#include "release/release_width.hpp"
#include "sets/sub_tables.hpp"

using namespace sdclattice;

namespace {

const Tick kQuiet = [](double) {};

// A small table with its keys, counts and cells at risk (counts 1 and 2).
struct SmallTable {
  std::vector<std::uint32_t> levels;
  std::vector<std::int64_t> cells;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  std::vector<std::uint32_t> at_risk;

  SmallTable(std::vector<std::uint32_t> shape, std::vector<std::int64_t> values)
      : levels(std::move(shape)), cells(std::move(values)) {
    const Layout layout(levels);
    const std::vector<double> dense(cells.begin(), cells.end());
    const Cells stored = cells_from_dense(layout, dense.data(), dense.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      keys.insert(keys.end(), stored.row(i), stored.row(i) + stored.stride - 1);
      counts.push_back(static_cast<double>(stored.count(i)));
      if (stored.count(i) <= 2) at_risk.push_back(static_cast<std::uint32_t>(i));
    }
  }
  RiskCells risk() const {
    return RiskCells(Layout(levels), {keys.data(), counts.data(), counts.size()}, at_risk);
  }
  std::size_t place(SubTable set, std::size_t cell) const {
    std::size_t out = 0, stride = 1;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      const std::size_t level = cell % levels[v];
      cell /= levels[v];
      if ((set >> v & 1) == 0) continue;
      out += level * stride;
      stride *= levels[v];
    }
    return out;
  }
  std::vector<std::int64_t> margin(const std::vector<std::int64_t>& table, SubTable set) const {
    std::vector<std::int64_t> out(table.size(), 0);
    for (std::size_t c = 0; c < table.size(); ++c) out[place(set, c)] += table[c];
    return out;
  }
};

SmallTable random_table(std::vector<std::uint32_t> levels, std::size_t total,
                        PublicRandom& random) {
  std::size_t n = 1;
  for (std::uint32_t k : levels) n *= k;
  for (;;) {
    std::vector<std::int64_t> cells(n, 0);
    for (std::size_t i = 0; i < total; ++i) ++cells[std::min(random.below(n), random.below(n))];
    SmallTable out(levels, cells);
    if (!out.at_risk.empty()) return out;
  }
}

// All tables of the same total.
std::vector<std::vector<std::int64_t>> every_table(const SmallTable& x) {
  std::vector<std::vector<std::int64_t>> out;
  std::vector<std::int64_t> table(x.cells.size(), 0);
  const std::function<void(std::size_t, std::int64_t)> place = [&](std::size_t at,
                                                                   std::int64_t left) {
    if (at + 1 == table.size()) {
      table[at] = left;
      out.push_back(table);
      return;
    }
    for (table[at] = 0; table[at] <= left; ++table[at]) place(at + 1, left - table[at]);
  };
  place(0, std::accumulate(x.cells.begin(), x.cells.end(), std::int64_t{0}));
  return out;
}

std::int64_t listed_width(const SmallTable& x, const std::vector<std::vector<std::int64_t>>& tables,
                          const std::vector<SubTable>& sets) {
  std::vector<std::int64_t> least = x.cells, most = x.cells;
  for (const auto& table : tables) {
    if (!std::all_of(sets.begin(), sets.end(),
                     [&](SubTable set) { return x.margin(table, set) == x.margin(x.cells, set); }))
      continue;
    for (std::size_t c = 0; c < table.size(); ++c) {
      least[c] = std::min(least[c], table[c]);
      most[c] = std::max(most[c], table[c]);
    }
  }
  std::int64_t width = INT64_MAX;
  for (std::size_t c = 0; c < x.cells.size(); ++c)
    if (x.cells[c] == 1 || x.cells[c] == 2) width = std::min(width, most[c] - least[c]);
  return width;
}

// All sets of sub-tables of three variables that hold their own sub-tables, as bits.
std::vector<Lattice> every_release(std::size_t n) {
  std::vector<Lattice> out;
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << (std::size_t{1} << n); bits += 2) {
    const Lattice down(bits);
    bool closed = true;
    for (SubTable m = 0; m < SubTable{1} << n; ++m)
      closed = closed && (!down[m] || (lattice_below(m) & ~down).none());
    if (closed) out.push_back(down);
  }
  return out;
}

}  // namespace

TEST(best_releases_are_those_of_all) {
  PublicRandom random(3);
  const std::vector<Lattice> releases = every_release(3);
  CHECK_EQ(releases.size(), std::size_t{19});
  for (int round = 0; round < check::cases(12, 25); ++round) {
    const SmallTable x = random_table({2, 2, 2}, 4 + random.below(4), random);
    const auto tables = every_table(x);
    const RiskCells risk = x.risk();
    std::vector<std::int64_t> values{0};
    for (std::size_t m = 1; m < 8; ++m)
      values.push_back(round % 2 == 0 ? 1 : static_cast<std::int64_t>(random.below(5)));
    for (std::int64_t beta = 1; beta <= 3; ++beta) {
      std::int64_t best = -1;
      for (const Lattice& down : releases) {
        if (listed_width(x, tables, lattice_frontier(down, 3)) < beta) continue;
        std::int64_t value = 0;
        for (std::size_t m = 0; m < 8; ++m) value += down[m] ? values[m] : 0;
        best = std::max(best, value);
      }
      const ReleaseSearchResult found =
          search_releases(risk, beta, values, ReleaseSearchLimits(), kQuiet);
      CHECK_EQ(found.value, std::max<std::int64_t>(best, 0));
      CHECK(found.optimal);
      CHECK(best < 0 || listed_width(x, tables, found.frontier) >= beta);
    }
  }
}

TEST(time_that_is_up) {
  PublicRandom random(5);
  const SmallTable x = random_table({2, 2, 2, 2}, 60, random);
  const RiskCells risk = x.risk();
  ReleaseSearchLimits none;
  none.seconds = 0;
  const std::vector<std::int64_t> values{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const ReleaseSearchResult cut = search_releases(risk, 2, values, none, kQuiet);
  const ReleaseSearchResult whole = search_releases(risk, 2, values, ReleaseSearchLimits(), kQuiet);
  CHECK(cut.upper >= whole.value && cut.value <= whole.value);
}

// With four variables: the result is safe, its value that of its sub-tables, and each better
// release of the log better than the one before.
TEST(what_is_found_is_safe_and_worth_what_it_says) {
  PublicRandom random(7);
  for (int round = 0; round < 12; ++round) {
    const SmallTable x = random_table({2, 2, 2, 2}, 40, random);
    const RiskCells risk = x.risk();
    std::vector<std::int64_t> values{0};
    for (std::size_t m = 1; m < 16; ++m)
      values.push_back(static_cast<std::int64_t>(random.below(9)));
    std::int64_t before = INT64_MAX;
    for (std::int64_t beta = 1; beta <= 4; ++beta) {
      const ReleaseSearchResult found =
          search_releases(risk, beta, values, ReleaseSearchLimits(), kQuiet);
      CHECK(found.optimal && !found.stopped && found.n_undecided == 0);
      CHECK_EQ(found.upper, found.value);
      CHECK(found.value <= before);  // a stricter rule is worth no more
      before = found.value;
      Lattice down;
      for (SubTable set : found.frontier) down |= lattice_below(set);
      std::int64_t value = 0;
      for (std::size_t m = 0; m < 16; ++m) value += down[m] ? values[m] : 0;
      CHECK_EQ(found.value, value);
      for (std::size_t i = 1; i < found.steps.size(); ++i)
        CHECK(found.steps[i].value > found.steps[i - 1].value);
      if (found.value > 0)
        CHECK(release_width(risk, found.frontier, WidthLimits(), kQuiet).inner >= beta);
    }
  }
}
