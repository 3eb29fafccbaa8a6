// The dual simplex against the primal one: optima after limits have changed, systems that become
// empty, caps.
#include <cmath>

#include "check.hpp"
#include "linear/safe_bound.hpp"
#include "linear/sparse_cases.hpp"
#include "linear/sparse_simplex.hpp"

using namespace sdclattice;
using namespace sparse_cases;

namespace {

const auto no_check = [] {};

double reached(const SparseSimplex& simplex, const std::vector<SparseSimplex::Term>& objective) {
  double out = 0.0;
  for (const SparseSimplex::Term& term : objective) out += term.weight * simplex.value(term.cell);
  return out;
}

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * (1.0 + std::fabs(b));
}

std::vector<SparseSimplex::Term> random_objective(Dice& dice, std::size_t n) {
  std::vector<SparseSimplex::Term> out;
  for (std::uint32_t i = 0; i < n; ++i)
    if (dice.below(3) > 0) out.push_back({i, static_cast<double>(dice.between(-5, 5))});
  return out;
}

// Narrows a random cell to one side of a random value.
void narrow(Dice& dice, LinearSystem& system, std::size_t& cell) {
  cell = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
  std::int64_t &low = system.lower[cell], &high = system.upper[cell];
  if (low == high) return;
  const std::int64_t at = low + dice.below(static_cast<int>(std::min<std::int64_t>(high - low, 9)));
  (dice.below(2) == 0 ? high : low) = at;
}

// One object hears of all changes, and restarts; a new one starts from nothing.
bool follows(Dice& dice, LinearSystem system, int& n_empty) {
  for (std::int64_t& high : system.upper) high = std::min<std::int64_t>(high, 40);
  const LinearSystem all = system;
  SparseSimplex again(all, 1, no_check);
  const std::vector<SparseSimplex::Term> objective = random_objective(dice, system.n_cells());
  for (int k = 0; k < 12; ++k) {
    SparseSimplex anew(system, 2, no_check);
    const bool holds = anew.restore();
    const ClimbEnd end = again.climb_again(objective);
    if (end == ClimbEnd::empty) {
      ++n_empty;
      return !holds && proves_empty(all, system.lower, system.upper, again.duals());
    }
    if (!holds || end != ClimbEnd::optimal) return false;
    anew.climb(objective);
    if (!near(reached(again, objective), reached(anew, objective))) return false;
    std::size_t cell = 0;
    narrow(dice, system, cell);
    again.set_limits(cell, system.lower[cell], system.upper[cell]);
  }
  return true;
}

}  // namespace

TEST(restarts_reach_the_optimum_of_the_primal) {
  Dice dice(1);
  int n_empty = 0;
  for (int round = 0; round < 60; ++round) {
    Whole truth;
    CHECK(follows(dice, sparse_system(dice, 10 + dice.below(30), 4 + dice.below(12), 0, truth),
                  n_empty));
    CHECK(follows(dice, margins(dice, 3, 3 + dice.below(2), 3, 3, 10, truth), n_empty));
  }
  CHECK(n_empty > 10 && n_empty < 120);
}

TEST(a_cap_leaves_an_outer_sum) {
  Dice dice(2);
  Whole truth;
  const LinearSystem system = margins(dice, 5, 5, 5, 3, 0, truth);
  const std::vector<SparseSimplex::Term> objective = random_objective(dice, system.n_cells());
  SparseSimplex full(system, 1, no_check), capped(system, 1, no_check);
  CHECK(full.climb_again(objective) == ClimbEnd::optimal);
  CHECK(capped.climb_again(objective, 3) == ClimbEnd::cut);
  CHECK(reached(capped, objective) >= reached(full, objective) - 1e-6);
}
