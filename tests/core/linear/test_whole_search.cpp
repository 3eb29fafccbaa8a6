// Branch and bound for a solution of whole numbers, against all of them.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/small_programmes.hpp"
#include "linear/whole_search.hpp"

using namespace sdclattice;
using namespace small_programmes;

namespace {

const auto no_check = [] {};

// What find() says, and that the solution it stands at is one.
bool finds(const LinearSystem& system) {
  ExactSimplex simplex(system, 1000000, no_check);
  WholeSearch search(simplex);
  const bool found = search.find();
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (simplex.lower(i) != system.lower[i] || simplex.upper(i) != system.upper[i]) return false;
  if (found != !solutions(system).empty()) return false;
  if (!found) return true;
  Whole x;
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    if (!simplex.is_whole(i)) return false;
    x.push_back(simplex.floor_of(i));
    if (x[i] < system.lower[i] || x[i] > system.upper[i]) return false;
  }
  return holds(system, x);
}

// Equations that contradict each other end it before the search.
bool agrees(const LinearSystem& system) {
  try {
    return finds(system);
  } catch (const InfeasibleError&) {
    return solutions(system).empty();
  }
}

}  // namespace

TEST(random_systems_against_all_solutions) {
  Dice dice(1);
  for (int round = 0; round < 1200; ++round)
    CHECK(agrees(random_system(dice, 1 + dice.below(5), 1 + dice.below(3), 1 + dice.below(5))));
}

// a x + b y = c for all small numbers: a question of divisors within limits.
TEST(all_small_equations) {
  each_between({1, -5, 0}, {6, 6, 12}, [&](const Whole& k) {
    LinearSystem system;
    system.lower = {0, 0};
    system.upper = {4, 3};
    add_row(system, {k[0], k[1]}, k[2], k[2]);
    CHECK(agrees(system));
  });
}

// The relaxation has solutions, whole numbers have none: every branch must be closed.
TEST(parity_forbids_what_fractions_allow) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, 3);
  add_row(system, {2, 2, -2, 4}, 3, 3);
  ExactSimplex simplex(system, 1000, no_check);
  CHECK(simplex.restore());
  WholeSearch search(simplex);
  CHECK(!search.find());
  CHECK(search.n_branches() > 0);
  CHECK(simplex.restore());  // the limits are as they were
}

TEST(a_whole_vertex_needs_no_branch) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, kNoLimit);
  for (const auto& row : {Whole{1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}})
    add_row(system, row, 5, 5);
  ExactSimplex simplex(system, 1000, no_check);
  WholeSearch search(simplex);
  CHECK(search.find());
  CHECK_EQ(search.n_branches(), 0u);
  // One search serves again after the limits have changed.
  simplex.set_limits(0, 6, 9);
  CHECK(!search.find());
  simplex.set_limits(0, 2, 2);
  CHECK(search.find());
  CHECK_EQ(simplex.floor_of(3), 2);
}

// 2 x - 2 y = 1 over wide limits has no end but the limit of the depth.
TEST(too_many_choices_at_a_time) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {1000000, 1000000};
  add_row(system, {2, -2}, 1, 1);
  ExactSimplex simplex(system, 1000, no_check);
  WholeSearch search(simplex);
  CHECK_THROWS(TooLargeError, search.find());
}
