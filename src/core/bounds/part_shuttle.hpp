// The generalized shuttle on the table over a few variables: outer bounds of its cells from
// margins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "base/work_clock.hpp"
#include "table/part_table.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct ShuttleBounds {
  std::vector<std::int64_t> lower, upper;  // of the cells asked about; empty without room
};

// `frontier`: the released margins, as sets of the part's variables.
ShuttleBounds shuttle_part(const PartTable& table, const std::vector<SubTable>& frontier,
                           std::size_t max_super_cells, const Tick& tick);

// Is the release of `frontier` and `added` certainly narrower than `beta` at some cell at risk?
// Looks at the counts of `added` itself, and at the tables with one variable more of which all
// margins are out by it: an upper bound in such a table is one of the whole table, whose lower
// bound is 0 at least. What has been narrow before is not looked for. May throw WorkTimeUp.
struct RefutationLimits {
  std::size_t max_cells = 1000000;  // of a table that is laid out
  std::size_t max_super_cells = 1000000;
};
bool is_refuted(const RiskCells& risk, const std::vector<SubTable>& frontier, SubTable added,
                std::int64_t beta, const RefutationLimits& limits, WorkClock& clock);

}  // namespace sdclattice
