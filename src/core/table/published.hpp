// The published cells of a table: those of its leaves, and their totals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/table.hpp"

namespace sdclattice {

// The nodes of a variable that hold each of its leaves, one of which may be the leaf itself: those
// of leaf l are node[start[l]], ..., node[start[l + 1] - 1]. No leaf has a node twice.
struct NodesOfLeaves {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> node;
};

// What is published together: for each variable some nodes, crossed with those of the others.
using Crossing = std::vector<NodesOfLeaves>;

// The cells of all crossings that are not zero, each once, in the order of their keys. `from` has
// the leaves of each variable, `to` its nodes. TooLargeError when a table on the way or the result
// has more than max_cells cells; what is too large on the way is never made.
Cells published_cells(const Layout& from, const CellsView& cells, const Layout& to,
                      const std::vector<Crossing>& crossings, std::size_t max_cells,
                      const Tick& tick);

}  // namespace sdclattice
