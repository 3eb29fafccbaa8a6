// Which cells to hide: the methods of this room, one after the other, by the size of the table.
//
// What is computed. Product moves begin (move_pattern.hpp). A table with few candidates then goes
// to the hitting set (hitting_pattern.hpp), which may prove its answer; one of some thousand cells
// to linear programmes (programme_pattern.hpp), which begin where the moves ended. Each keeps what
// came before where it finds nothing cheaper. A pattern of somebody else's is one more start, last
// of all: it is certified, repaired where it does not protect, and searched from. A lower bound is
// computed at the end, unless the answer is proved.
// What it guarantees. Every demand that is not in `lacking` is met by certificates, and no pattern
// that meets the same demands costs less than `bound`. With a pattern to start from the result is
// no dearer than without, as long as the time ends neither search; and no dearer than that pattern,
// where its cells are certified in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
// What a tick throws passes, WorkInterrupted apart, which ends the work as the time does. `start`:
// empty, or which cells a pattern hides, for problems with rows; of these only candidates count.
SuppressionPattern certified_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                     const PatternLimits& limits, const Tick& tick,
                                     const std::vector<char>& start = {});

// The same without product moves, for demands that reach farther than these: large amounts, circles
// of knowers, and cells that are not stored. The problem must have rows.
SuppressionPattern certified_pattern(const SuppressionProblem& problem, const PatternLimits& limits,
                                     const Tick& tick, const std::vector<char>& start = {});

}  // namespace sdclattice
