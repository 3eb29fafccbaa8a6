// How far cells can move: against all tables with the margins.
#include <algorithm>
#include <map>

#include "bounds/fibre_reach.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "linear/integer_bounds.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

const Tick kQuiet = [](double) {};

struct Case {
  cases::Dense x;
  std::vector<Mask> sets;
  cases::Stored stored;
  RiskCells risk;
  PartTable table;
  std::vector<cases::Interval> exact;
  WorkClock clock{1000, kQuiet};

  Case(cases::Dense dense, std::vector<Mask> frontier)
      : x(std::move(dense)),
        sets(std::move(frontier)),
        stored(x, 3),
        risk(stored.risk()),
        table(risk, x.all(), 1000),
        exact(cases::sharp_bounds(x, sets)) {}
  FibreReach reach(const ReachLimits& limits = {}) { return {table, sets, limits, clock}; }
  const cases::Interval& truth(std::size_t k) const { return exact[table.asked()[k]]; }
  std::size_t size() const { return table.asked().size(); }
  bool contains(const CellReach& r, std::size_t k) const {
    const std::int64_t own = x.counts[table.asked()[k]];
    return r.lower <= truth(k).lower && r.upper >= truth(k).upper && r.least >= truth(k).lower &&
           r.most <= truth(k).upper && r.least <= own && r.most >= own;
  }
  bool is_table(const std::vector<CountChange>& changes) const {
    cases::Dense after = x;
    for (const CountChange& c : changes) after.counts[c.cell] += c.by;
    for (std::int64_t count : after.counts)
      if (count < 0) return false;
    return std::all_of(sets.begin(), sets.end(),
                       [&](Mask set) { return after.margin(set) == x.margin(set); });
  }
};

Case random_case(PublicRandom& random) {
  const std::size_t n = 2 + random.below(2);
  cases::Dense x = cases::random_dense(random, cases::random_levels(random, n, 2, 3),
                                       1 + random.below(3), random.below(3));
  if (n == 3 && x.counts.size() > 12) x = cases::random_dense(random, {2, 3, 2}, 2, 1);
  for (;;) {
    std::vector<Mask> sets = cases::random_frontier(random, n, 3);
    if (!cases::sharp_bounds(x, sets).empty()) return {std::move(x), std::move(sets)};
  }
}

// The equations of the margins over all cells.
LinearSystem equations(const cases::Dense& x, const std::vector<Mask>& sets) {
  LinearSystem out;
  out.lower.assign(x.counts.size(), 0);
  out.upper.assign(x.counts.size(), 1000);
  for (const Mask set : sets) {
    std::map<cases::Levels, std::vector<std::uint32_t>> cells;
    for (std::uint32_t c = 0; c < x.counts.size(); ++c) cells[x.at(c, set)].push_back(c);
    for (const auto& [levels, of] : cells) {
      std::int64_t sum = 0;
      for (std::uint32_t c : of) {
        sum += x.counts[c];
        out.cell.push_back(c);
        out.coefficient.push_back(1);
      }
      out.start.push_back(out.cell.size());
      out.row_lower.push_back(sum);
      out.row_upper.push_back(sum);
    }
  }
  return out;
}

}  // namespace

TEST(settled_intervals_are_sharp) {
  PublicRandom random(1);
  int wrong = 0, n = 0, programmes = 0;
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(random);
    ReachLimits limits;
    limits.debts = round % 2 == 0;
    FibreReach fibre = c.reach(limits);
    for (std::size_t k = 0; k < c.size(); ++k) {
      wrong += !c.contains(fibre.reach(k), k);
      wrong += !fibre.settle(k, kAnyWidth);
      const CellReach& r = fibre.reach(k);
      wrong += !r.closed() || r.lower != c.truth(k).lower || r.upper != c.truth(k).upper;
      ++n;
    }
    programmes += fibre.n_programmes() > 0;
    wrong += fibre.gave_up();
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 500 && programmes > 10);
}

TEST(questions_of_width_are_answered_rightly) {
  PublicRandom random(2);
  int wrong = 0, wide = 0, narrow = 0, open = 0;
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(random);
    FibreReach fibre = c.reach();
    for (std::size_t k = 0; k < c.size(); ++k)
      for (std::int64_t target : {3, 1, 2, 5}) {
        wrong += !fibre.settle(k, target);
        const CellReach& r = fibre.reach(k);
        wrong += !r.decided(target) || !c.contains(r, k);
        wrong += (r.attained() >= target) != (c.truth(k).width() >= target);
        ++(r.attained() >= target ? wide : narrow);
        open += !r.closed();
      }
  }
  CHECK_EQ(wrong, 0);
  CHECK(wide > 100 && narrow > 100 && open > 20);
}

TEST(walks_alone_say_nothing_wrong) {
  PublicRandom random(3);
  int wrong = 0, settled = 0, unsettled = 0;
  for (int round = 0; round < 150; ++round) {
    Case c = random_case(random);
    ReachLimits limits;
    limits.programmes = round % 2 == 0;
    FibreReach fibre = c.reach(limits);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const bool done = fibre.settle(k, 2, false);
      wrong += done != fibre.reach(k).decided(2) || !c.contains(fibre.reach(k), k);
      wrong += done && (fibre.reach(k).attained() >= 2) != (c.truth(k).width() >= 2);
      ++(done ? settled : unsettled);
    }
    wrong += fibre.n_programmes() != 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK(settled > 100 && unsettled > 0);
}

TEST(every_table_that_is_shown_has_the_margins) {
  PublicRandom random(4);
  int wrong = 0, shown = 0;
  for (int round = 0; round < 150; ++round) {
    Case c = random_case(random);
    FibreReach fibre = c.reach();
    std::vector<std::int64_t> least, most;
    for (std::size_t k = 0; k < c.size(); ++k) {
      least.push_back(c.x.counts[c.table.asked()[k]]);
      most.push_back(least.back());
    }
    fibre.on_table = [&](const std::vector<CountChange>& changes) {
      wrong += !c.is_table(changes);
      ++shown;
      for (const CountChange& change : changes)
        for (std::size_t k = 0; k < c.size(); ++k) {
          if (c.table.asked()[k] != change.cell) continue;
          const std::int64_t value = c.x.counts[change.cell] + change.by;
          least[k] = std::min(least[k], value);
          most[k] = std::max(most[k], value);
        }
    };
    for (std::size_t k = 0; k < c.size(); ++k) fibre.settle(k, kAnyWidth);
    // What is attained is what the tables show, at all cells and not only the one asked about.
    for (std::size_t k = 0; k < c.size(); ++k)
      wrong += fibre.reach(k).least != least[k] || fibre.reach(k).most != most[k];
  }
  CHECK_EQ(wrong, 0);
  CHECK(shown > 200);
}

TEST(what_others_know_is_taken_over) {
  PublicRandom random(5);
  int wrong = 0;
  for (int round = 0; round < 40; ++round) {
    Case c = random_case(random);
    FibreReach fibre = c.reach();
    for (std::size_t k = 0; k < c.size(); ++k) {
      const CellReach before = fibre.reach(k);
      fibre.add_outer(k, before.lower - 1, before.upper + 1);
      fibre.add_attained(k, before.least + 1, before.most - 1);
      const CellReach same = fibre.reach(k);
      wrong += same.lower != before.lower || same.upper != before.upper;
      wrong += same.least != before.least || same.most != before.most;
      fibre.add_outer(k, c.truth(k).lower, c.truth(k).upper);
      fibre.add_attained(k, c.truth(k).lower, c.truth(k).upper);
      wrong += !fibre.reach(k).closed() || !fibre.settle(k, kAnyWidth);
    }
    wrong += fibre.n_programmes() != 0;
  }
  CHECK_EQ(wrong, 0);
}

TEST(beyond_the_limits_of_programmes_it_says_so_and_nothing_wrong) {
  PublicRandom random(6);
  int wrong = 0, gave_up = 0;
  for (int round = 0; round < 150; ++round) {
    Case c = random_case(random);
    ReachLimits limits;
    limits.max_choices = 1;
    if (round % 2 == 0) limits.max_programme_cells = 1;
    if (round % 2 == 1) limits.max_entries = 1;
    if (round % 3 == 0) limits.max_non_faces = 0;
    FibreReach fibre = c.reach(limits);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const bool done = fibre.settle(k, kAnyWidth);
      wrong += done != fibre.reach(k).closed() || !c.contains(fibre.reach(k), k);
    }
    gave_up += fibre.gave_up();
  }
  CHECK_EQ(wrong, 0);
  CHECK(gave_up > 5);
}

// Too many cells for the tableau to come first: the search for sparse systems, against the tableau.
TEST(larger_tables_against_the_exact_tableau) {
  PublicRandom random(8);
  const std::vector<Mask> sets{3, 5, 6};
  int closed = 0;
  for (int round = 0; round < 3; ++round) {
    const cases::Dense x = cases::random_dense(random, {6, 6, 6}, 2, 1);
    const cases::Stored stored(x, 3);
    const RiskCells risk = stored.risk();
    const PartTable table(risk, x.all(), 1000);
    WorkClock clock(1000, kQuiet);
    FibreReach fibre(table, sets, {}, clock);
    fibre.on_table = [&](const std::vector<CountChange>& changes) {
      cases::Dense after = x;
      for (const CountChange& c : changes) after.counts[c.cell] += c.by;
      CHECK(*std::min_element(after.counts.begin(), after.counts.end()) >= 0);
      for (const Mask set : sets) CHECK(after.margin(set) == x.margin(set));
    };
    std::vector<std::uint32_t> asked;
    for (std::size_t k = 0; k < 8; ++k)
      asked.push_back(static_cast<std::uint32_t>(table.asked()[k]));
    BoundsLimits limits;
    limits.engine = BoundsEngine::simplex;
    const IntegerBounds truth = integer_bounds(equations(x, sets), asked, limits, kQuiet);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      CHECK(truth.sharp[asked[k]]);
      const std::int64_t width = truth.upper[asked[k]] - truth.lower[asked[k]];
      CHECK(fibre.settle(k, 2));
      CHECK_EQ(fibre.reach(k).attained() >= 2, width >= 2);
      CHECK(fibre.settle(k, kAnyWidth));
      CHECK_EQ(fibre.reach(k).lower, truth.lower[asked[k]]);
      CHECK_EQ(fibre.reach(k).upper, truth.upper[asked[k]]);
      closed += fibre.reach(k).closed();
    }
  }
  CHECK_EQ(closed, 24);
}

TEST(margins_with_all_variables_show_every_cell) {
  PublicRandom random(7);
  Case c(cases::random_dense(random, {2, 3}, 3, 1), {3});
  FibreReach fibre = c.reach();
  for (std::size_t k = 0; k < c.size(); ++k) {
    CHECK(fibre.settle(k, kAnyWidth));
    CHECK_EQ(fibre.reach(k).outer(), 0);
  }
}

TEST(time_that_is_up_ends_the_work) {
  const Case c({{4, 5}, std::vector<std::int64_t>(20, 1)}, {1, 2});
  WorkClock over(0, kQuiet);
  FibreReach fibre(c.table, c.sets, {}, over);
  const auto settle_all = [&] {
    for (std::size_t k = 0; k < c.size(); ++k) fibre.settle(k, kAnyWidth);
    return 0;
  };
  CHECK_THROWS(WorkTimeUp, settle_all());
  for (std::size_t k = 0; k < c.size(); ++k) {
    const CellReach& r = fibre.reach(k);
    CHECK(r.lower <= 0 && r.upper >= 4 && r.least >= 0 && r.most <= 4);
  }
}
