// Which cells to hide: the methods of this room, one after the other, by the size of the table.
//
// What is computed. Product moves begin (move_pattern.hpp). A table with few candidates then goes
// to the hitting set (hitting_pattern.hpp), which may prove its answer; one of some thousand cells
// to linear programmes (programme_pattern.hpp), which begin where the moves ended. Each keeps what
// came before where it finds nothing cheaper. A lower bound is computed last, unless the answer is
// proved.
// What it guarantees. Every demand that is not in `lacking` is met by certificates, and no pattern
// that meets the same demands costs less than `bound`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/tick.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct PatternLimits {
  double seconds = 60;  // of processor time, in all
  std::uint64_t seed = 1;
  std::size_t threads = 1;  // results do not depend on it
  bool exact_only = false;  // the hitting set whatever the size; an exact tableau must have room
};

// `problem`: of these cells (table_problem.hpp), with rows unless product moves alone are wanted.
// What a tick throws passes, WorkInterrupted apart, which ends the work as the time does.
SuppressionPattern certified_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                     const PatternLimits& limits, const Tick& tick);

// The same without product moves, for demands that reach farther than these: large amounts, circles
// of knowers, and cells that are not stored. The problem must have rows.
SuppressionPattern certified_pattern(const SuppressionProblem& problem, const PatternLimits& limits,
                                     const Tick& tick);

}  // namespace sdclattice
