// Narrowing against tighten() and all solutions; what is traced back to rows against the limits
// that were given; undoing.
#include "check.hpp"
#include "linear/proof_check.hpp"
#include "linear/traced_limits.hpp"

using namespace sdclattice;
using namespace proof_check;

namespace {

const auto no_check = [] {};
constexpr std::size_t plenty = 100000;

bool same_limits(const TracedLimits& limits, const LinearSystem& system) {
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (limits.lower(i) != system.lower[i] || limits.upper(i) != system.upper[i]) return false;
  return true;
}

}  // namespace

TEST(the_fixed_point_is_that_of_tighten) {
  Dice dice(1);
  for (int round = 0; round < 2000; ++round) {
    const LinearSystem system =
        random_system(dice, 1 + dice.below(6), 1 + dice.below(4), 1 + dice.below(4));
    LinearSystem narrowed = system;
    TracedLimits limits(system);
    const bool possible = limits.propagate(no_check, plenty);
    CHECK_EQ(possible, tighten(narrowed, {}));
    if (possible) CHECK(same_limits(limits, narrowed));
  }
}

// A contradiction that needs no rounding is one combination over the limits that were given.
TEST(contradictions_are_traced_to_rows) {
  Dice dice(2);
  int n_rounded = 0, n_proved = 0;
  for (int round = 0; round < 4000; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(4), 1 + dice.below(3));
    TracedLimits limits(system);
    if (!limits.propagate(no_check, plenty)) continue;
    const auto cell = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
    const std::int64_t at = dice.below(5);
    Whole lower = system.lower;
    lower[cell] = std::max(lower[cell], at);
    limits.give(cell, at, kNoLimit);
    if (limits.propagate(no_check, plenty)) continue;
    const TracedLimits::Conflict conflict = limits.conflict();
    if (conflict.rows.row.empty()) {
      CHECK(lower[cell] > system.upper[cell]);
      continue;
    }
    const TracedLimits::Trace found = limits.trace(conflict);
    n_rounded += found.rounded != SIZE_MAX;
    n_proved += found.proves;
    CHECK(found.proves || found.rounded != SIZE_MAX);
    CHECK_EQ(found.proves, excludes(system, found.rows, lower, system.upper));
  }
  CHECK(n_rounded > 20);
  CHECK(n_proved > 200);
}

TEST(what_is_undone_is_as_before) {
  Dice dice(3);
  for (int round = 0; round < 500; ++round) {
    const LinearSystem system = random_system(dice, 5, 4, 2);
    TracedLimits limits(system);
    if (!limits.propagate(no_check, plenty)) continue;
    LinearSystem before = system;
    CHECK(tighten(before, {}));
    for (int k = 0; k < 3; ++k) {
      const TracedLimits::Mark mark = limits.mark();
      limits.give(static_cast<std::size_t>(dice.below(5)), 1 + dice.below(2), 3);
      limits.propagate(no_check, plenty);
      limits.undo(mark);
      CHECK(same_limits(limits, before));
    }
  }
}

TEST(few_visits_leave_valid_limits) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {1000, 1000, 1000};
  add_row(system, {1, -1, 0}, 1, 1);
  add_row(system, {-1, 1, 1}, 0, 0);
  TracedLimits limits(system);
  CHECK(limits.propagate(no_check, 1));
  CHECK(limits.lower(0) <= 1 && limits.upper(1) >= 999);
}
