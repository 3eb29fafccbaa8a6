// A pattern of cells to hide by product moves: construction and large-neighbourhood search.
//
// What is computed. Demands come by decreasing counts; each that is open gets the cheapest change
// of the table that meets it, where cells that are hidden already cost nothing: a product move, or
// a walk where there is none. A change meets what it can of all demands on its cells. A knower who
// knows a cell of every change of a demand asks for one more, without her cells. Then follows a
// search of large neighbourhoods (Shaw 1998): one to four secondary cells are given up, with the
// changes that use them, and the demands that this opens are met anew; the better pattern stays,
// and of two of the same cost the newer (region_search.hpp). Small tables are searched from several
// orders of the demands, and from parts of the best pattern so far. What it guarantees. The hidden
// cells are those of the changes: at any time every demand that is not in `lacking` is certified.
// The choice is heuristic. What it costs. Less than 100 microseconds for each demand to construct;
// each sweep of the search many times that. Of many demands changes are searched for a batch at a
// time on several threads (blind_search.hpp), and again where they are no longer as cheap as they
// were; and so are their neighbourhoods (region_trials.hpp). It stops when the time is over, or
// after some sweeps without a gain. Agrees with open_demands() of the certificates, and with sums
// over inner cells.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct MovePatternLimits {
  double seconds = 60;
  std::uint64_t seed = 1;
  std::size_t idle_sweeps = 6;  // without a gain, before the search stops; 0: construction alone
  std::size_t orders = 0;       // of the demands, from which to search; 0: many for small tables
  std::size_t threads = 1;      // of work in batches; results do not depend on it
  std::size_t many_demands = 20000;  // from so many on all work is in batches
};

// The problem of the cells (suppress/table_problem.hpp); its rows are not looked at. `start`:
// certificates to begin with, of any method. What a tick throws goes on, but WorkInterrupted, which
// ends the search as the end of the time does.
SuppressionPattern move_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                const std::vector<Certificate>& start,
                                const MovePatternLimits& limits, const Tick& tick);

}  // namespace sdclattice
