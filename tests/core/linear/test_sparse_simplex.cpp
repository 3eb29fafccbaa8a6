// Optima of sparse linear programmes against the exact simplex and against all vertices; restarts
// from tables, limits that change, infeasible systems, caps.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/safe_bound.hpp"
#include "linear/small_programmes.hpp"
#include "linear/sparse_cases.hpp"
#include "linear/sparse_simplex.hpp"

using namespace sdclattice;
using namespace small_programmes;
using namespace sparse_cases;

namespace {

constexpr std::size_t plenty = 1000000;
const auto no_check = [] {};

// The largest of sign * x[cell] over the real numbers; nothing for "no limit".
struct Optimum {
  bool has_limit;
  double value;
};

// The exact simplex; null where it finds a contradiction among the equations.
std::unique_ptr<ExactSimplex> exact(const LinearSystem& system) {
  try {
    auto out = std::make_unique<ExactSimplex>(system, plenty, no_check);
    return out->restore() ? std::move(out) : nullptr;
  } catch (const InfeasibleError&) {
    return nullptr;
  }
}

Optimum best(ExactSimplex& simplex, std::size_t cell, int sign) {
  if (!simplex.climb(cell, sign)) return {false, 0.0};
  return {true, static_cast<double>(simplex.numerator(cell)) /
                    static_cast<double>(simplex.denominator())};
}

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * (1.0 + std::fabs(b));
}

// The point is within all limits, up to rounding.
bool stands_within(const SparseSimplex& simplex, const LinearSystem& system) {
  const double give = 1e-5;
  const auto inside = [&](double x, std::int64_t lower, std::int64_t upper) {
    return (lower <= -kNoLimit || x >= static_cast<double>(lower) - give) &&
           (upper >= kNoLimit || x <= static_cast<double>(upper) + give);
  };
  bool fine = true;
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    fine = fine && inside(simplex.value(i), system.lower[i], system.upper[i]);
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    double sum = 0.0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum += static_cast<double>(system.coefficient[e]) * simplex.value(system.cell[e]);
    fine = fine && inside(sum, system.row_lower[r], system.row_upper[r]);
  }
  return fine;
}

bool climbs_to(SparseSimplex& simplex, const LinearSystem& system, std::size_t cell, int sign,
               const Optimum& optimum) {
  const ClimbEnd end = simplex.climb(cell, sign);
  if (end != (optimum.has_limit ? ClimbEnd::optimal : ClimbEnd::endless)) return false;
  return stands_within(simplex, system) &&
         (!optimum.has_limit || near(simplex.value(cell), optimum.value));
}

// All ends, in the order of the cells.
bool agrees(SparseSimplex& simplex, const LinearSystem& system) {
  const std::unique_ptr<ExactSimplex> truth = exact(system);
  if (simplex.restore() != (truth != nullptr)) return false;
  if (!truth) return proves_empty(system, system.lower, system.upper, simplex.duals());
  bool fine = stands_within(simplex, system);
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    for (const int sign : {1, -1})
      fine = fine && climbs_to(simplex, system, i, sign, best(*truth, i, sign));
  return fine;
}

}  // namespace

TEST(small_programmes_against_all_vertices) {
  Dice dice(1);
  int feasible = 0;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(4), dice.below(4), 3);
    const Optima truth = optima(system);
    SparseSimplex simplex(system, 1, no_check);
    CHECK(simplex.restore() == !truth.least.empty());
    if (truth.least.empty()) continue;
    ++feasible;
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      const auto value = [](const Fraction& f) {
        return static_cast<double>(f.top) / static_cast<double>(f.bottom);
      };
      CHECK(climbs_to(simplex, system, i, 1, {true, value(truth.most[i])}));
      CHECK(climbs_to(simplex, system, i, -1, {true, value(truth.least[i])}));
    }
  }
  CHECK(feasible > 250);
}

TEST(sparse_systems_against_the_exact_simplex) {
  Dice dice(2);
  int feasible = 0, infeasible = 0;
  for (int round = 0; round < 300; ++round) {
    Whole truth;
    const int n = 2 + dice.below(25);
    const LinearSystem system =
        sparse_system(dice, n, 1 + dice.below(n), round % 3 == 0 ? 15 : 0, truth);
    SparseSimplex simplex(system, static_cast<std::uint64_t>(round), no_check);
    CHECK(agrees(simplex, system));
    exact(system) ? ++feasible : ++infeasible;
  }
  CHECK(feasible > 200);
  CHECK(infeasible > 20);
}

// Degenerate: rows that depend on each other, vertices where many limits meet.
TEST(margins_of_three_way_tables) {
  Dice dice(3);
  for (int round = 0; round < 24; ++round) {
    Whole truth;
    const LinearSystem system =
        margins(dice, 2 + dice.below(3), 2 + dice.below(3), 2 + dice.below(3), 1 + dice.below(4),
                5 * dice.below(6), truth);
    SparseSimplex simplex(system, 7, no_check);
    CHECK(agrees(simplex, system));
  }
}

// From a table, whose values lie between their limits: same optima, whatever basis there is.
TEST(restarts_from_tables) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    Whole truth;
    const LinearSystem system = round % 2 == 0 ? margins(dice, 3, 3, 3, 3, 10, truth)
                                               : sparse_system(dice, 14, 9, 0, truth);
    const auto oracle = exact(system);
    SparseSimplex simplex(system, 3, no_check);
    for (int end = 0; end < 20; ++end) {
      simplex.load(truth);
      CHECK(simplex.is_whole());
      CHECK(simplex.rounded() == truth);
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
      const int sign = dice.below(2) == 0 ? 1 : -1;
      CHECK(climbs_to(simplex, system, i, sign, best(*oracle, i, sign)));
    }
  }
}

// A table that the present limits exclude: restored from there, or shown to be impossible.
TEST(tables_outside_of_limits) {
  Dice dice(10);
  int moved = 0;
  for (int round = 0; round < 80; ++round) {
    Whole truth;
    LinearSystem system =
        round % 2 == 0 ? margins(dice, 3, 3, 3, 3, 0, truth) : sparse_system(dice, 14, 9, 0, truth);
    SparseSimplex simplex(system, 3, no_check);
    CHECK(simplex.restore());
    for (int k = 1 + dice.below(2); k > 0; --k) {
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
      system.lower[i] = truth[i] + dice.between(-1, 1);
      system.upper[i] = system.lower[i] + dice.below(2);
      simplex.set_limits(i, system.lower[i], system.upper[i]);
    }
    simplex.load(truth);
    moved += exact(system) != nullptr && !holds_at(system, {truth.begin(), truth.end()}, 1);
    CHECK(agrees(simplex, system));
  }
  CHECK(moved > 20);
}

// Counts of a billion, as in magnitudes: no fixed tolerance may stand in their way.
TEST(large_counts) {
  Dice dice(11);
  for (int round = 0; round < 30; ++round) {
    Whole truth;
    LinearSystem system = margins(dice, 3, 3, 3, 100000000, 10, truth);
    SparseSimplex simplex(system, 3, no_check);
    CHECK(agrees(simplex, system));
  }
}

// Branching: limits of cells are narrowed and widened again, one at a time or several.
TEST(limits_change_in_between) {
  Dice dice(5);
  int infeasible = 0;
  for (int round = 0; round < 60; ++round) {
    Whole truth;
    const LinearSystem first =
        round % 2 == 0 ? margins(dice, 3, 3, 2, 2, 0, truth) : sparse_system(dice, 9, 6, 0, truth);
    LinearSystem system = first;
    SparseSimplex simplex(system, 11, no_check);
    for (int change = 0; change < 8; ++change) {
      for (int several = 1 + dice.below(3); several > 0; --several) {
        const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
        const bool back = dice.below(3) == 0;
        system.lower[i] = back ? first.lower[i] : truth[i] - dice.below(2);
        system.upper[i] = back ? first.upper[i] : system.lower[i] + dice.below(3);
        simplex.set_limits(i, system.lower[i], system.upper[i]);
      }
      CHECK(agrees(simplex, system));
      infeasible += exact(system) == nullptr;
    }
    for (std::size_t i = 0; i < first.n_cells(); ++i)
      simplex.set_limits(i, first.lower[i], first.upper[i]);
    CHECK(agrees(simplex, first));
  }
  CHECK(infeasible > 50);
}

// A sum of cells is one more unknown, with an equation that defines it.
TEST(sums_of_cells) {
  Dice dice(6);
  for (int round = 0; round < 80; ++round) {
    Whole truth;
    const LinearSystem system = sparse_system(dice, 10, 6, 0, truth);
    LinearSystem wider = system;
    std::vector<SparseSimplex::Term> terms;
    Whole row(11, 0);
    for (std::uint32_t i = 0; i < 10; ++i) {
      row[i] = dice.between(-2, 2);
      if (row[i] != 0) terms.push_back({i, static_cast<double>(row[i])});
    }
    row[10] = -1;
    wider.lower.push_back(-1000000);
    wider.upper.push_back(1000000);
    add_row(wider, row, 0, 0);
    const Optimum optimum = best(*exact(wider), 10, 1);
    SparseSimplex simplex(system, 5, no_check);
    CHECK(simplex.restore());
    if (optimum.value == 1e6) {
      CHECK(simplex.climb(terms) == ClimbEnd::endless);
      continue;
    }
    CHECK(simplex.climb(terms) == ClimbEnd::optimal);
    double sum = 0.0;
    for (const auto& term : terms) sum += term.weight * simplex.value(term.cell);
    CHECK(near(sum, optimum.value));
  }
}

// A climb that is cut stands within the limits, and goes on from there to the same optimum.
TEST(steps_are_capped) {
  Dice dice(7);
  int cut = 0;
  for (int round = 0; round < 20; ++round) {
    Whole truth;
    const LinearSystem system = margins(dice, 3, 3, 3, 3, 0, truth);
    const auto oracle = exact(system);
    SparseSimplex simplex(system, 2, no_check);
    simplex.load(truth);
    const auto i = static_cast<std::size_t>(dice.below(27));
    const Optimum optimum = best(*oracle, i, 1);
    for (int climb = 0;; ++climb) {
      const std::size_t before = simplex.n_steps();
      const ClimbEnd end = simplex.climb(i, 1, 2);
      CHECK(simplex.n_steps() <= before + 2);
      CHECK(stands_within(simplex, system));
      CHECK(climb < 1000);
      if (end != ClimbEnd::cut || climb == 1000) break;
      ++cut;
      CHECK(safe_bound(system, system.lower, system.upper, i, 1, simplex.duals()) >=
            std::floor(optimum.value + 1e-9));
    }
    CHECK(near(simplex.value(i), optimum.value));
    SparseSimplex fresh(system, 2, no_check);
    CHECK(!fresh.restore(1) || truth == Whole(27, 0));
    CHECK(fresh.restore());
  }
  CHECK(cut > 20);
}

// What the caller throws passes through, and the work can go on.
TEST(steps_can_be_stopped) {
  Dice dice(8);
  Whole truth;
  const LinearSystem system = margins(dice, 4, 4, 4, 3, 0, truth);
  const auto oracle = exact(system);
  bool stop = true;
  SparseSimplex simplex(system, 2, [&] {
    if (stop) throw std::out_of_range("enough");
  });
  CHECK_THROWS(std::out_of_range, simplex.restore());
  stop = false;
  CHECK(simplex.restore());
  for (std::size_t i = 0; i < 64; i += 7)
    CHECK(climbs_to(simplex, system, i, 1, best(*oracle, i, 1)));
}

TEST(the_same_seed_takes_the_same_steps) {
  Dice dice(9);
  Whole truth;
  const LinearSystem system = margins(dice, 4, 4, 3, 3, 0, truth);
  SparseSimplex a(system, 42, no_check), b(system, 42, no_check);
  for (SparseSimplex* simplex : {&a, &b}) {
    CHECK(simplex->restore());
    for (std::size_t i = 0; i < system.n_cells(); ++i) simplex->climb(i, 1);
  }
  CHECK_EQ(a.n_steps(), b.n_steps());
  CHECK(a.duals() == b.duals());
  for (std::size_t i = 0; i < system.n_cells(); ++i) CHECK(a.value(i) == b.value(i));
}

TEST(no_cells_or_rows) {
  const LinearSystem nothing;
  SparseSimplex empty(nothing, 1, no_check);
  CHECK(empty.restore());
  CHECK(empty.is_whole());
  LinearSystem system;
  system.lower = {-3, -kNoLimit};
  system.upper = {8, kNoLimit};
  SparseSimplex free(system, 1, no_check);
  CHECK(free.restore());
  CHECK(climbs_to(free, system, 0, 1, {true, 8.0}));
  CHECK(climbs_to(free, system, 0, -1, {true, -3.0}));
  CHECK(free.climb(1, 1) == ClimbEnd::endless);
  CHECK(free.climb(1, -1) == ClimbEnd::endless);
  LinearSystem impossible = system;
  add_row(impossible, {0, 0}, 1, 2);  // a row without entries that wants a sum
  SparseSimplex contradiction(impossible, 1, no_check);
  CHECK(!contradiction.restore());
  CHECK(proves_empty(impossible, impossible.lower, impossible.upper, contradiction.duals()));
}

// One cell that stands twice in a row counts with the sum of both coefficients.
TEST(a_cell_twice_in_a_row) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {9, 9};
  system.cell = {0, 1, 0, 1};
  system.coefficient = {1, 1, 1, -1};
  system.start = {0, 4};
  system.row_lower = {4};
  system.row_upper = {7};
  SparseSimplex simplex(system, 1, no_check);
  CHECK(simplex.restore());
  CHECK(climbs_to(simplex, system, 0, 1, {true, 3.5}));
  CHECK(climbs_to(simplex, system, 0, -1, {true, 2.0}));
  CHECK(climbs_to(simplex, system, 1, 1, {true, 9.0}));
}
