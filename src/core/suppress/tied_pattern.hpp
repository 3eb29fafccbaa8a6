// Which cells to hide where cells that are none of the table have been added to its problem
// (add_excess() of known_parts.hpp), of which product moves know nothing.
//
// What is computed. Tables of some thousand cells go to the methods that read the system alone. A
// larger one is searched by product moves without the added cells first, within half of the time.
// Of what is found the certificates that keep the limits of the added cells are the start of linear
// programmes.
// What it guarantees. As certified_pattern(), for the problem with the added cells.
#pragma once

#include "suppress/certified_pattern.hpp"

namespace sdclattice {

// `problem`: that of the cells with rows, then the added cells, with one row each, which come last.
// `system_cells`: a table with more is searched without them first, unless it has a start.
SuppressionPattern tied_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                const PatternLimits& limits, const Tick& tick,
                                const std::vector<char>& start = {},
                                std::size_t system_cells = 5000);

}  // namespace sdclattice
