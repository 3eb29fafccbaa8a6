// The margins of a table as equations over its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "bounds/released_margin.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// The cells that may be positive (no margin shows zero), as numbers with the first variable
// fastest, and the equations of the margins over them. TooLargeError above max_cells cells in all;
// InfeasibleError when a margin's positive cell has no cell left.
struct MarginSystem {
  std::vector<std::uint64_t> cells;  // ascending
  LinearSystem system;
};
MarginSystem margin_system(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, std::size_t max_cells,
                           const Tick& tick);

}  // namespace sdclattice
