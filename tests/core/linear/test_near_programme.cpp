// What is within reach of a cell, and programmes over it.
#include <algorithm>

#include "check.hpp"
#include "linear/near_programme.hpp"
#include "linear/proof_check.hpp"

using namespace sdclattice;
using namespace proof_check;

namespace {

const std::function<void()> no_check = [] {};

// x1 + x2 = 4, x2 + x3 = 4, ...: a chain.
LinearSystem chain(std::size_t n) {
  LinearSystem out;
  out.lower = Whole(n, 0);
  out.upper = Whole(n, kNoLimit);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    Whole a(n, 0);
    a[i] = a[i + 1] = 1;
    add_row(out, a, 4, 4);
  }
  return out;
}

}  // namespace

TEST(rows_come_breadth_first) {
  const LinearSystem system = chain(10);
  const TracedLimits limits(system);
  RowsAround reach(system, limits);
  CHECK(reach.from(5, 2));
  CHECK_EQ(reach.rows().size(), 2u);
  CHECK_EQ(reach.cells().size(), 3u);
  CHECK(reach.place(4) != SIZE_MAX && reach.place(6) != SIZE_MAX && reach.place(3) == SIZE_MAX);
  CHECK(!reach.from(0, 100));
  CHECK_EQ(reach.rows().size(), 9u);
  CHECK(reach.from(9, 1));
  CHECK_EQ(reach.cells().size(), 2u);
  CHECK_EQ(reach.rows()[0], 8u);
}

TEST(fixed_cells_end_the_reach_and_count) {
  LinearSystem system = chain(6);
  system.lower[3] = system.upper[3] = 1;
  const TracedLimits limits(system);
  RowsAround reach(system, limits);
  CHECK(!reach.from(2, 100));
  CHECK_EQ(reach.rows().size(), 3u);
  NearProgramme programme(system, limits, reach, no_check);
  CHECK(programme.climb(2, 1));
  CHECK(std::abs(programme.value(2) - 3) < 1e-9);
}

// The multipliers of an optimum that is whole exclude one more, over all random systems.
TEST(rounded_duals_prove_most_ends) {
  Dice dice(4);
  int n = 0, proved = 0;
  for (int round = 0; round < 600; ++round) {
    const LinearSystem system = random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 2);
    const std::vector<Whole> all = solutions(system);
    if (all.empty()) continue;
    const TracedLimits limits(system);
    RowsAround reach(system, limits);
    CHECK(!reach.from(0, 100));
    NearProgramme programme(system, limits, reach, no_check);
    programme.load(all[0]);
    CHECK(programme.climb(0, 1));
    std::int64_t most = 0;
    for (const Whole& x : all) most = std::max(most, x[0]);
    CHECK(programme.value(0) > static_cast<double>(most) - 1e-6);
    if (programme.value(0) > static_cast<double>(most) + 1 - 1e-6) continue;
    Whole lower = system.lower;
    lower[0] = most + 1;
    ++n;
    bool done = false;
    for (const std::int64_t d : {1, 2, 3, 4, 5, 12, 60, 720720})
      done = done || excludes(system, programme.rounded_duals(d), lower, system.upper);
    proved += done;
  }
  CHECK(n > 200);
  CHECK_EQ(proved, n);
}

TEST(limits_are_taken_and_fractions_found) {
  LinearSystem system;
  system.lower = Whole(3, 0);
  system.upper = Whole(3, 9);
  add_row(system, {1, 1, 0}, 0, 3);
  add_row(system, {0, 1, 1}, 0, 3);
  add_row(system, {1, 0, 1}, 3, 3);
  add_row(system, {1, -1, 0}, 0, 0);
  TracedLimits limits(system);
  RowsAround reach(system, limits);
  CHECK(!reach.from(0, 100));
  NearProgramme programme(system, limits, reach, no_check);
  CHECK(programme.climb(0, 1));
  CHECK(std::abs(programme.value(0) - 1.5) < 1e-9);
  limits.give(0, 0, 1);
  programme.take_limits(2, 0, 9);
  CHECK(programme.climb(0, 1));
  CHECK(std::abs(programme.value(0) - 1) < 1e-9);
  limits.give(1, 2, 9);
  programme.take_limits(2, 0, 9);
  CHECK(!programme.climb(0, 1));
}
