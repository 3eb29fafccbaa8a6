// How the cycles of a set hang together: which cells move alike, which cycles share cells, and
// which groups of cycles form rings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cycle.hpp"

namespace sdclattice {

// All cells that cycle `plus_in` raises and the other lowers, or the reverse, change together up
// to the sign: by D = net of `second` - net of `first`, or by -D.
struct Link {
  std::int32_t first = -1;
  std::int32_t second = -1;
};

// Cycles that share cells, directly or through others. `ring`: every cell of the component lies on
// exactly two of its cycles, on one with +1 and on the other with -1. Then `cycles` is in ring
// order, the links join cycles at most `window` places apart, round the ring if `closed`.
struct Component {
  bool ring = true;
  bool closed = false;
  int window = 1;
  std::vector<std::int32_t> cycles;
  std::int32_t first_link = 0, n_links = 0;  // of a ring: its links follow each other
  std::vector<std::int32_t> cells;           // of any other component, one law each
  std::vector<std::int32_t> laws;            // the laws of these cells
};

// The law of a cell's change: |law_of_cell| - 1 is its number, a negative sign says that the cell
// changes by -D; 0 marks a cell on no cycle. Laws 0 .. links.size() - 1 belong to links, the others
// to single cells.
struct Linkage {
  std::int32_t* law_of_cell = nullptr;  // the caller's, one for each cell
  std::size_t n_cells = 0;
  std::vector<Link> links;
  std::size_t n_laws = 0;
  std::vector<Component> components;
};

// `single_cells`: give each cell its own law and call no component a ring. Linear in the entries.
Linkage find_linkage(const CycleSet& cycles, bool single_cells, std::int32_t* law_of_cell);

}  // namespace sdclattice
