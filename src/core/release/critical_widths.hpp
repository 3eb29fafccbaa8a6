// How dangerous each sub-table is by itself: the width of its most parsimonious release.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/tick.hpp"
#include "table/level_steps.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct CriticalLimits {
  std::size_t max_dimension = std::numeric_limits<std::size_t>::max();  // of the sub-tables
  double seconds = std::numeric_limits<double>::infinity();             // of processor time
  // Of the first `split` steps those of `left` are missing, the others there: a part of the
  // sub-tables. All parts together make all of them. Steps are counted variable by variable, and
  // those of one variable from fine to coarse.
  std::size_t split = 0;
  SubTable left = 0;
  std::vector<std::size_t> levels{};  // of each variable; empty: one each
};

// The closed sets whose widths are known, each once. All that have at most `complete` variables are
// among them, and the one without variables; `late` says that the time ended before all that were
// asked for.
struct CriticalWidths {
  std::vector<SubTable> set;
  std::vector<std::int64_t> width;
  std::size_t complete = 0;
  bool late = false;
};

// How many sub-tables a walk over those of at most `dimension` variables passes through.
double critical_steps(const LevelSteps& steps, std::size_t dimension);

// For closed sets the least distance between the bounds of a cell at risk when the table over the
// set and the one-way tables of all variables, at their finest levels, are released. At least one
// cell at risk; TooLargeError above 30 steps. What is known stays in `found` when the tick throws.
void critical_widths(const RiskCells& cells, const CriticalLimits& limits, CriticalWidths& found,
                     const Tick& tick = {});

}  // namespace sdclattice
