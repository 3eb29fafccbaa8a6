// Widths, walks and best releases against the enumeration of all tables and all releases.
#include <algorithm>
#include <bitset>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "base/random.hpp"
#include "bounds/part_shuttle.hpp"
#include "check.hpp"
#include "release/chordal_graphs.hpp"
#include "release/greedy_release.hpp"
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

std::vector<SubTable> random_sets(std::size_t n, PublicRandom& random) {
  std::vector<SubTable> out;
  for (std::size_t k = 1 + random.below(3); k > 0; --k)
    out.push_back(1 + random.below((std::size_t{1} << n) - 1));
  return out;
}

}  // namespace

TEST(all_chordal_graphs) {
  const std::size_t expected[] = {1, 2, 8, 61, 822, 18154};
  for (std::size_t n = 1; n <= 6; ++n) {
    std::size_t seen = 0;
    CHECK_EQ(for_each_chordal_graph(n, [&](const ChordalCover& c) { seen += c.with.size() == n; }),
             expected[n - 1]);
    CHECK_EQ(seen, expected[n - 1]);
  }
  CHECK_THROWS(TooLargeError, for_each_chordal_graph(8, [](const ChordalCover&) {}));
}

TEST(widths_are_those_of_all_tables) {
  PublicRandom random(1);
  const std::vector<std::vector<std::uint32_t>> shapes{{2, 2}, {2, 2, 2}, {3, 2}, {2, 1, 3}};
  for (std::size_t round = 0; round < 60; ++round) {
    const SmallTable x = random_table(shapes[round % 4], 4 + random.below(4), random);
    const auto tables = every_table(x);
    const RiskCells risk = x.risk();
    const std::vector<SubTable> sets = random_sets(x.levels.size(), random);
    const std::int64_t truth = listed_width(x, tables, sets);
    const ReleaseWidth exact = release_width(risk, sets, WidthLimits(), kQuiet);
    CHECK_EQ(exact.inner, truth);
    CHECK_EQ(exact.outer, truth);
    WidthLimits rough;
    rough.fibre.programmes = false;
    if (round % 2 == 0) rough.max_component_cells = 1;
    const ReleaseWidth around = release_width(risk, sets, rough, kQuiet);
    CHECK(around.inner <= truth && truth <= around.outer);
    WidthLimits asked;
    for (asked.target = 1; asked.target <= 4; ++asked.target) {
      const ReleaseWidth judged = release_width(risk, sets, asked, kQuiet);
      CHECK_EQ(judged.inner >= asked.target, truth >= asked.target);
    }
  }
}

TEST(walks_keep_margins) {
  PublicRandom random(2);
  for (std::size_t round = 0; round < 40; ++round) {
    const SmallTable x = random_table({3, 2, 2, 2}, 60, random);
    const RiskCells risk = x.risk();
    const PartTable part(risk, risk.all_variables(), 1000);
    const std::vector<SubTable> sets = maximal_masks(random_sets(4, random));
    std::vector<VariableSet> faces;
    for (SubTable set : sets) faces.push_back(as_set(set));
    std::vector<SubTable> outside;
    for (const VariableSet& set : minimal_outside(4, faces, 1000, kQuiet))
      outside.push_back(as_mask(set));
    BasicMoves moves(part, outside, 32);
    const std::size_t cell = part.asked()[random.below(part.asked().size())];
    for (const int sign : {1, -1})
      for (const bool debts : {false, true}) {
        std::vector<std::int64_t> table = x.cells;
        for (const CountChange& change : moves.walk(cell, sign, 5, debts))
          table[change.cell] += change.by;
        CHECK(*std::min_element(table.begin(), table.end()) >= 0);
        CHECK(sign * (table[cell] - x.cells[cell]) >= 0);
        CHECK(std::abs(table[cell] - x.cells[cell]) <= 5);
        for (SubTable set : sets) CHECK(x.margin(table, set) == x.margin(x.cells, set));
      }
  }
}

TEST(best_releases_are_those_of_all) {
  PublicRandom random(3);
  const std::vector<Lattice> releases = every_release(3);
  CHECK_EQ(releases.size(), std::size_t{19});
  for (std::size_t round = 0; round < 25; ++round) {
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

TEST(decomposable_searches_agree) {
  PublicRandom random(4);
  for (std::size_t round = 0; round < 25; ++round) {
    const SmallTable x = random_table({2, 3, 2, 2, 2}, 150, random);
    const RiskCells risk = x.risk();
    std::vector<double> factors;
    for (std::size_t v = 0; v < 5; ++v) factors.push_back(round % 2 == 0 ? 1 : x.levels[v]);
    const AdditiveUtility worth(factors, {3}, {static_cast<double>(round % 3)});
    WorkClock clock(60, kQuiet);
    const auto beta = static_cast<std::int64_t>(1 + random.below(8));
    const DecomposableResult all = enumerate_decomposable(risk, beta, worth, clock);
    const DecomposableResult searched =
        search_decomposable(risk, beta, worth, DecomposableLimits(), clock);
    CHECK(all.optimal);
    CHECK_EQ(all.value < 0, searched.value < 0);
    if (all.value < 0) continue;
    CHECK_NEAR(searched.value, all.value, 1e-9);
    CHECK_NEAR(searched.upper, all.value, 1e-9);
    for (const auto& cliques : {all.cliques, searched.cliques})
      CHECK(release_width(risk, cliques, WidthLimits(), kQuiet).inner >= beta);
  }
}

TEST(values_become_whole) {
  const WholeValues plain = whole_values({0, 1, 7});
  CHECK(plain.exact && plain.unit == 1 && plain.values[2] == 7);
  const WholeValues halves = whole_values({0, .5, 2.25});
  CHECK(halves.exact && halves.unit == .25 && halves.values[2] == 9);
  CHECK_NEAR(
      static_cast<double>(whole_values({0, .1, 1e6}).values[1]) * whole_values({0, .1, 1e6}).unit,
      .1, 1e-12);
  CHECK_THROWS(InputError, whole_values({0, 1e300}));
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

// What the judge of a table server calls refuted is too narrow; and it refutes more than the counts
// of the added sub-table alone do.
TEST(refuted_additions_are_unsafe) {
  PublicRandom random(8);
  std::size_t n_refuted = 0, n_by_shuttle = 0, n_kept = 0;
  const std::vector<std::vector<std::uint32_t>> shapes{{2, 2, 2}, {3, 2, 2}, {2, 3}, {1, 4, 2}};
  for (std::size_t i = 0; i < 60; ++i) {
    const auto& levels = shapes[i % shapes.size()];
    const SmallTable x = random_table(levels, 6 + i % 3, random);
    const auto tables = every_table(x);
    const RiskCells risk = x.risk();
    for (std::size_t k = 0; k < 6; ++k) {
      std::vector<SubTable> out = random_sets(levels.size(), random);
      for (std::size_t v = 0; v < levels.size(); ++v) out.push_back(SubTable{1} << v);
      out = maximal_masks(out);
      const SubTable added = 1 + random.below((std::size_t{1} << levels.size()) - 1);
      const auto beta = static_cast<std::int64_t>(1 + random.below(4));
      WorkClock clock(60, kQuiet);
      const bool refuted = is_refuted(risk, out, added, beta, RefutationLimits(), clock);
      std::vector<SubTable> with = out;
      with.push_back(added);
      if (!refuted) {
        n_kept += listed_width(x, tables, with) >= beta;
        continue;
      }
      ++n_refuted;
      CHECK(listed_width(x, tables, with) < beta);
      const auto counts = risk.margin(added);
      n_by_shuttle += *std::min_element(counts.begin(), counts.end()) >= beta;
    }
  }
  CHECK(n_refuted > 50);
  CHECK(n_by_shuttle > 5);
  CHECK(n_kept > 50);
}

TEST(refuting_stops_with_the_time) {
  PublicRandom random(9);
  const SmallTable x = random_table({2, 2, 2}, 30, random);
  WorkClock clock(0, kQuiet);
  CHECK_THROWS(WorkTimeUp, is_refuted(x.risk(), {3, 5}, 6, 1, RefutationLimits(), clock));
}

#if defined(CLOCK_PROCESS_CPUTIME_ID) && !defined(_WIN32)
TEST(time_of_working_does_not_pass_while_others_work) {
  WorkClock clock(0.05, kQuiet);
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  CHECK(!clock.is_up());
  while (!clock.is_up()) {
  }
  CHECK_EQ(clock.seconds_left(), 0.0);
}
#endif
