// The sub-tables that may be released at all: a release can only leave a cell at risk an interval
// of width beta when each of its sub-tables has a count of at least beta there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// The non-empty sub-tables whose least count over the cells at risk is at least beta, ascending by
// number (so that all parts of a sub-table come before it). None of them holds all variables of a
// set of `forbidden`. TooLargeError when there are more than `limit`; no array has 2^K entries.
std::vector<SubTable> admissible_sets(const RiskCells& cells, std::int64_t beta, std::size_t limit,
                                      const Tick& tick = {},
                                      const std::vector<SubTable>& forbidden = {});

}  // namespace sdclattice
