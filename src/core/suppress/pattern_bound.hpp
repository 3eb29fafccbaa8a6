// How much any pattern must hide, for tables of any size: lower bounds from the relations.
//
// A primary cell can change only as far as the other cells of each of its relations make up for it.
// Where those that are hidden anyway have too little room, one of the others must be hidden: a cut.
// What all cuts together need is a covering problem, which falls into parts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/cheapest_cover.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// The cuts of single relations, the strongest only. `lacking`: demands that are not to be met; all
// that are impossible must be among them, or the cuts say too much.
std::vector<CellCut> row_cuts(const SuppressionProblem& problem,
                              const std::vector<OpenDemand>& lacking);

struct PatternBound {
  std::int64_t cost = 0;     // no pattern that meets the demands costs less
  std::int64_t n_cells = 0;  // nor has fewer secondary cells
  bool interrupted = false;
};

// `lacking` as above. `seconds` of the processor for each of the two bounds; they hold wherever the
// time ends the work. The system may hold fewer relations than the table has: the bound is then
// that of those.
PatternBound pattern_bound(const SuppressionProblem& problem,
                           const std::vector<OpenDemand>& lacking, double seconds,
                           const Tick& tick);

}  // namespace sdclattice
