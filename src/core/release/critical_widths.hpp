// How dangerous each sub-table is by itself: the width of its most parsimonious release.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// For each of the 2^K sets of variables, by its number, the least distance between the bounds of a
// cell at risk when the table over the set and the one-way tables of all other variables are
// released. At least one cell at risk; TooLargeError above 30 variables.
std::vector<std::int64_t> critical_widths(const RiskCells& cells, const Tick& tick = {});

}  // namespace sdclattice
