// Steps in any order against the words of the zero rules, and sweeps step by step.
#include <random>

#include "check.hpp"
#include "perturb/walker.hpp"
#include "risk_cases.hpp"

using namespace sdclattice;
using namespace risk_cases;

namespace {

// The table after a step, or the table itself where the rule forbids it.
Counts stepped(Counts counts, const CycleSet& set, std::size_t c, int side, ZeroRule rule) {
  const Counts before = counts;
  for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
    std::int64_t& cell = counts[set.cell[i]];
    if (rule == ZeroRule::blocked && cell < std::abs(int{set.coef[i]})) return before;
    cell += side * set.coef[i];
    if (cell < 0) return before;
  }
  return counts;
}

}  // namespace

TEST(steps_follow_the_zero_rules) {
  std::mt19937_64 dice(2);
  int n_moved = 0;
  for (int round = 0; round < 300; ++round) {
    const CycleSet set = round % 2 ? cycles_chain(3, 3) : cycles_lenz(3, 4);
    Counts counts(set.n_cells);
    for (std::int64_t& x : counts) x = static_cast<std::int64_t>(dice() % 3);
    const ZeroRule rule = round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative;
    Walker walker(set, {{}, {.3}, {.2}, rule});
    for (int step = 0; step < 20; ++step) {
      const std::size_t c = dice() % set.size();
      const int side = static_cast<int>(dice() % 3) - 1;
      const Counts wanted = stepped(counts, set, c, side, rule);
      walker.restart();
      const bool moved = walker.apply(c, side, counts);
      CHECK(counts == wanted);
      CHECK(moved || side == 0 || counts == wanted);
      n_moved += moved;
    }
  }
  CHECK(n_moved > 300);
}

// Every step of a sweep taken by itself, as enumeration does, gives what the whole sweep gives.
TEST(steps_that_skip_zeros_may_be_taken_one_by_one) {
  std::mt19937_64 dice(3);
  const Lines lines{2, 6, false};
  Groups groups;
  groups.lines = {{0, 1}};
  groups.rings = {{0, 1, 2, 3, 4, 5}};
  groups.open = groups.skip_zeros = true;
  const CycleSet set = cycles_banded(lines, groups);
  CHECK(set.skips_zeros());
  for (int round = 0; round < 300; ++round) {
    Counts swept(12);
    for (std::int64_t& x : swept) x = static_cast<std::int64_t>(dice() % 3);
    Counts alone = swept;
    Walker sweeping(set, {{}, {.3}, {.2}, ZeroRule::blocked}), stepping = sweeping;
    for (std::size_t c = 0; c < set.size(); ++c) {
      const int side = static_cast<int>(dice() % 3) - 1;
      const bool moved = sweeping.apply(c, side, swept);
      stepping.restart();
      CHECK(stepping.apply(c, side, alone) == moved);
      CHECK(alone == swept);
    }
  }
}

TEST(other_zero_rules_are_refused) {
  const CycleSet set = set_of(4, {square});
  CHECK_THROWS(InputError, Walker(set, {{}, {.3}, {.2}, ZeroRule::none}));
  CHECK_THROWS(InputError, Walker(set, {{}, {.3}, {.2}, ZeroRule::roehrig}));
}
