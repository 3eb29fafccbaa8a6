// What counting needs of a linear system: its independent parts, without rows that say nothing new,
// and those parts that are two-way tables.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tick.hpp"
#include "fibre/twoway.hpp"
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

// The part as a two-way table, if each cell lies in at most two rows, and the rows fall into two
// kinds of which a cell has at most one each; besides, one row may hold all cells, the total. The
// first cells are those of the part. Sums in intervals become exact by a further column, whose
// cells hold what a row lacks to its upper limit, a further row for the columns, and a corner for
// the total. Nothing when the part is no such table.
std::optional<TwoWayTable> as_two_way(const LinearSystem& part);

}  // namespace sdclattice
