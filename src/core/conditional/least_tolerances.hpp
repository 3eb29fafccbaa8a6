// How far off the rates of each row may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "conditional/rates.hpp"
#include "conditional/row_sums.hpp"

namespace sdclattice {

// For each row the least tolerance, in units of 1 / scale, with which the row's centre rates would
// agree with a table when all other rows stay as they are; a negative one when no tolerance of this
// row alone will do. `units` has the centres, n_cells for each row, in the scale `scale`.
std::vector<double> least_tolerances(const RateRows& rows, const std::vector<std::int64_t>& units,
                                     const std::vector<std::int64_t>& scale, std::int64_t n,
                                     const RateLimits& limits, const Tick& tick);

}  // namespace sdclattice
