// Margins of a table as they are released.
#pragma once

#include <cstdint>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

// A margin: its variables (numbers in the whole table, in the margin's own order) and its cells.
struct ReleasedMargin {
  std::vector<std::uint32_t> variables;
  Layout layout;
  CellsView cells;
};

}  // namespace sdclattice
