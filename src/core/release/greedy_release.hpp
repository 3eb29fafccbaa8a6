// Sub-tables in order of their critical widths, released as far down the list as is safe.
//
// A prefix of the list is safe only if every shorter one is, so the longest safe one is found by
// bisection. The first prefix is safe by its critical width, and the last holds the whole table.
// First fit goes on after it: each later sub-table joins if the release stays safe. A check that is
// not decided counts as a refusal.
//
// By level, the one-way tables of variables with several levels belong to whatever is checked: they
// show which combinations of steps stand for no category (see level_steps.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "release/release_width.hpp"
#include "table/level_steps.hpp"

namespace sdclattice {

struct GreedyCheck {
  std::size_t at = 0;    // the place in the list, 0-based
  bool in_fill = false;  // else a check of the bisection
  bool safe = false;     // proved
  bool decided = true;
  std::int64_t inner = 0, outer = 0;  // of the width of what was checked
  double seconds = 0;
};

struct GreedyLimits {
  double seconds = 60;  // in all
  bool first_fit = false;
  bool assured = true;                // the first of the list is safe, all together are not
  std::vector<std::size_t> levels{};  // of each variable; empty: one each
  WidthLimits width;                  // without its seconds and target
};

struct GreedyRelease {
  std::vector<SubTable> frontier;
  std::vector<GreedyCheck> checks;
  std::size_t prefix = 1;  // the sub-tables of the list that the bisection released
  bool stopped = false;    // by the time
};

// `order` has at least one sub-table.
GreedyRelease release_greedily(const RiskCells& risk, const std::vector<SubTable>& order,
                               std::int64_t beta, const GreedyLimits& limits, const Tick& tick);

}  // namespace sdclattice
