// Which linear systems are two-way tables.
#pragma once

#include <optional>

#include "fibre/twoway.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// The part as a two-way table, if each cell lies in at most two rows, and the rows fall into two
// kinds of which a cell has at most one each; besides, one row may hold all cells, the total. The
// first cells are those of the part. Sums in intervals become exact by a further column, whose
// cells hold what a row lacks to its upper limit, a further row for the columns, and a corner for
// the total. Nothing when the part is no such table.
std::optional<TwoWayTable> as_two_way(const LinearSystem& part);

}  // namespace sdclattice
