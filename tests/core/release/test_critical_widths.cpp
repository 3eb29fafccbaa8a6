// Critical widths: against the closed form of each release, and against all tables.
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/critical_widths.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// The sub-table and the one-way tables of all other variables: a cell holds at most the least of
// its counts, and at least their sum less the total for each but one.
std::int64_t by_closed_form(const Dense& x, const Stored& stored, Mask set) {
  std::vector<Mask> sets = {set};
  for (std::size_t v = 0; v < x.n_variables(); ++v)
    if (!in(set, v)) sets.push_back(Mask{1} << v);
  std::vector<std::map<Levels, std::int64_t>> margins;
  for (Mask s : sets) margins.push_back(x.margin(s));
  const std::int64_t total = x.margin(0)[{}];
  std::int64_t width = INT64_MAX;
  for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
    std::int64_t lower = total, upper = total;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::int64_t count = margins[i][x.at(stored.risk_cell(k), sets[i])];
      lower -= total - count;
      upper = std::min(upper, count);
    }
    width = std::min(width, upper - std::max<std::int64_t>(lower, 0));
  }
  return width;
}

}  // namespace

TEST(widths_are_those_of_the_closed_form) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 120; ++round) {
    const std::size_t n = 1 + random.below(5);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 12, random.below(4));
    const Stored stored(x, 4, round % 5 == 0 ? Levels(n, 60000) : Levels());
    if (stored.at_risk.empty()) continue;
    const auto found = critical_widths(stored.risk());
    wrong += found.size() != std::size_t{1} << n;
    for (Mask set = 0; set <= x.all(); ++set) wrong += found[set] != by_closed_form(x, stored, set);
  }
  CHECK_EQ(wrong, 0);
}

TEST(widths_are_those_of_all_tables) {
  PublicRandom random(2);
  int wrong = 0, judged = 0;
  for (int round = 0; round < 25; ++round) {
    const Dense x = random_dense(random, {2, 2, 2}, 3, 1);
    const Stored stored(x, 2);
    if (stored.at_risk.empty()) continue;
    const auto found = critical_widths(stored.risk());
    for (Mask set = 0; set < 8; ++set) {
      const auto exact = sharp_bounds(x, maximal({set, 1, 2, 4}));
      if (exact.empty()) continue;
      std::int64_t width = INT64_MAX;
      for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
        width = std::min(width, exact[stored.risk_cell(k)].width());
      wrong += found[set] != width;
      ++judged;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 80);
}

TEST(critical_widths_are_those_of_the_most_parsimonious_releases) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const SmallTable table(seed, 2 + seed % 4, seed % 7 == 0);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::vector<std::int64_t> found = critical_widths(cells);
    for (SubTable set = 1; set <= cells.all_variables(); ++set)
      wrong += found[set] != width_of(cells, DecomposableGraph(cells.n_variables(), {set}));
  }
  CHECK_EQ(wrong, 0);
}

TEST(larger_sub_tables_are_no_wider_and_the_table_shows_all) {
  PublicRandom random(3);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const Dense x = random_dense(random, {2, 3, 2, 2}, 15, 1);
    const Stored stored(x, 5);
    if (stored.at_risk.empty()) continue;
    const auto found = critical_widths(stored.risk());
    for (Mask set = 0; set < 16; ++set)
      for (std::size_t v = 0; v < 4; ++v) wrong += found[set | Mask{1} << v] > found[set];
    wrong += found[15] != 0 || found[0] != found[1] || found[1] != found[8];
  }
  CHECK_EQ(wrong, 0);
}

TEST(large_counts_and_many_variables) {
  const std::int64_t large = std::int64_t{1} << 51;
  const Dense x{{2, 2}, {1, large, large, large}};
  const Stored stored(x, 1);
  CHECK(critical_widths(stored.risk()) ==
        (std::vector<std::int64_t>{large + 1, large + 1, large + 1, 0}));
  const Dense one{Levels(4, 1), {1}};
  const Stored many(one, 1, Levels(31, 2));
  CHECK_THROWS(TooLargeError, critical_widths(many.risk()));
}

TEST(walks_over_all_sub_tables_can_be_stopped) {
  const Dense x{Levels(7, 2), std::vector<std::int64_t>(128, 1)};
  const Stored stored(x, 1);
  CHECK_THROWS(int, critical_widths(stored.risk(), [](double) { throw 1; }));
}
