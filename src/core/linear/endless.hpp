// Whether a cell may be as large as one likes.
#pragma once

#include <cstdint>

#include "base/work_clock.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// Is there a direction of whole numbers in which a solution can go on for ever, and the cell grows?
// Then it has no upper limit, if the system has a solution. True is proved by such a direction;
// false says that none was found. WorkTimeUp and what the tick throws.
bool grows_without_end(const LinearSystem& system, std::uint32_t cell, WorkClock& watch);

}  // namespace sdclattice
