// A point well inside of what a system allows, over the real numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// Row after row is led back to its limits, each cell moving in proportion to the room that it has,
// so that none arrives at a limit of its own. It ends after `max_rounds`, or when no row is off by
// more than `tolerance`; one round costs the number of entries. The point is near all rows where
// the system has points inside, and proves nothing. Cells without an upper limit have the room
// above that they have below.
std::vector<double> inner_point(const LinearSystem& system, double tolerance,
                                std::size_t max_rounds, const Tick& tick);

}  // namespace sdclattice
