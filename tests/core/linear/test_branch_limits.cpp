// Limits narrowed by rows, against all solutions, and undone step by step.
#include "check.hpp"
#include "linear/branch_limits.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

bool inside(const Whole& x, const BranchLimits& limits) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < limits.lower()[i] || x[i] > limits.upper()[i]) return false;
  return true;
}

// The tables that keep both the limits of a branch and a change of one cell.
std::vector<Whole> kept(const std::vector<Whole>& tables, const BranchLimits& limits,
                        std::size_t cell, std::int64_t low, std::int64_t high) {
  std::vector<Whole> out;
  for (const Whole& x : tables)
    if (inside(x, limits) && x[cell] >= low && x[cell] <= high) out.push_back(x);
  return out;
}

}  // namespace

TEST(no_table_is_lost_and_every_change_is_undone) {
  Dice dice(1);
  int n_empty = 0, n_narrowed = 0;
  for (int round = 0; round < 800; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(4), 1 + dice.below(3));
    const std::vector<Whole> tables = solutions(system);
    BranchLimits limits(system, system.lower, system.upper);
    const bool holds = limits.narrow_by_all();
    CHECK(holds || tables.empty());
    for (const Whole& x : tables) CHECK(inside(x, limits));
    for (int step = 0; step < 4 && holds; ++step) {
      const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(system.n_cells())));
      const std::int64_t low = dice.below(4), high = low + dice.below(3);
      const std::vector<Whole> left = kept(tables, limits, cell, low, high);
      const Whole lower = limits.lower(), upper = limits.upper();
      const std::size_t before = limits.changes().size();
      const bool some = limits.narrow(cell, low, high);
      CHECK(some || left.empty());
      n_empty += !some;
      n_narrowed += limits.changes().size() > before + 1;
      for (const Whole& x : left) CHECK(inside(x, limits));
      if (some && dice.below(2) == 0) continue;
      while (limits.changes().size() > before) limits.undo();
      CHECK_EQ(limits.lower(), lower);
      CHECK_EQ(limits.upper(), upper);
    }
    while (!limits.changes().empty()) limits.undo();
    CHECK_EQ(limits.lower(), system.lower);
    CHECK_EQ(limits.upper(), system.upper);
  }
  CHECK(n_empty > 100 && n_narrowed > 100);
}

// At the fixed point one more pass of the slow way finds nothing.
TEST(as_narrow_as_the_rows_make_it) {
  Dice dice(2);
  for (int round = 0; round < 500; ++round) {
    LinearSystem system = random_system(dice, 2 + dice.below(4), 1 + dice.below(4), 2);
    BranchLimits limits(system, system.lower, system.upper);
    const bool holds = limits.narrow_by_all();
    CHECK_EQ(tighten(system, {}), holds);
    if (!holds) continue;
    CHECK_EQ(limits.lower(), system.lower);
    CHECK_EQ(limits.upper(), system.upper);
  }
}

TEST(cells_without_a_limit) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {kNoLimit, kNoLimit, 3};
  add_row(system, {1, 1, 0}, -kNoLimit, 7);
  add_row(system, {1, -1, 1}, 0, 0);
  BranchLimits limits(system, system.lower, system.upper);
  CHECK(limits.narrow_by_all());
  CHECK_EQ(limits.upper(), Whole({7, 7, 3}));
  CHECK(limits.narrow(1, 5, kNoLimit));
  CHECK_EQ(limits.lower(), Whole({2, 5, 3}));
  CHECK_EQ(limits.upper(), Whole({2, 5, 3}));
  CHECK(!limits.narrow(1, 6, kNoLimit));
}

// Two rows raise each other's cells for ever: the work ends.
TEST(limits_that_creep_without_end) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {kNoLimit, kNoLimit};
  add_row(system, {1, -1}, 1, kNoLimit);
  add_row(system, {-1, 1}, 1, kNoLimit);
  BranchLimits limits(system, system.lower, system.upper);
  CHECK(limits.narrow_by_all());
  CHECK(limits.lower()[0] > 0);
}
