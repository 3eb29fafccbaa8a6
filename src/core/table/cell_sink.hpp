// Memory for the cells of a new table, from whoever asks for the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace sdclattice {

// Room for the keys of some cells, one after the other, and for their counts.
struct CellRoom {
  std::uint64_t* keys = nullptr;
  double* counts = nullptr;
};

// Gives the room when it is known how many cells there are. Called once, and never by a helping
// thread. What it throws ends the work.
using CellSink = std::function<CellRoom(std::size_t n_cells)>;

}  // namespace sdclattice
