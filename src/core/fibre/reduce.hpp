// What counting needs of a linear system: its independent parts, without rows that say nothing new.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// A part of a system in which every cell starts at 0; `cell` numbers its cells in the whole.
struct SystemPart {
  std::vector<std::uint32_t> cell;
  LinearSystem system;
};

// Tables of the whole are all combinations of one table from each part, with fixed cells as they
// are; amounts in a part are above `lower`.
struct ReducedSystem {
  bool feasible = true;  // false: proved empty; true may still be empty
  std::vector<std::int64_t> lower;
  std::vector<std::int64_t> upper;
  std::vector<SystemPart> parts;
};

// Tightens the limits; drops fixed cells and rows that others imply: duplicates, rows that the
// limits of the cells imply, and rows that are the disjoint union of others, such as the total of a
// margin; then splits what no row connects. Throws InputError when a cell has no upper limit: then
// the tables are without number, or there are none.
ReducedSystem reduce(LinearSystem system, const Tick& tick);

}  // namespace sdclattice
