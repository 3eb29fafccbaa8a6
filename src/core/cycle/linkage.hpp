// How the cycles of one or several sets hang together: which cells move alike, and which cycles
// share cells, directly or through others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cycle/cycle.hpp"

namespace sdclattice {

// Cycles that share cells, directly or through others, and the laws of their cells.
struct Component {
  std::vector<std::int32_t> cycles;  // ascending
  std::int32_t first_law = 0, n_laws = 0;
};

// A law is a class of cells that always change together, up to the sign: they lie on the same
// cycles with the same coefficients. Law l changes by D = the sum of coefficient x net times that
// the cycle was added, over its entries (law_start[l] .. law_start[l + 1] - 1, cycles ascending);
// the first coefficient is positive. |law_of_cell| - 1 is the number of a cell's law, a negative
// sign says that it changes by -D; 0 marks a cell on no cycle.
struct Linkage {
  std::int32_t* law_of_cell = nullptr;  // the caller's, one for each cell
  std::size_t n_cells = 0, n_cycles = 0;
  std::vector<std::size_t> law_start{0};
  std::vector<std::int32_t> law_cycle;
  std::vector<std::int8_t> law_coef;
  std::vector<Component> components;  // their laws follow each other

  std::size_t n_laws() const { return law_start.size() - 1; }
  // Whether the components have the same cycles and laws but for the numbers that they begin with.
  bool same_form(const Component& a, const Component& b) const;
};

// Linear in the entries of the set, for a bounded number of different laws on a cycle.
// `single_cells`: give each cell a law of its own, whose sign is that of the cell.
Linkage find_linkage(const CycleSet& cycles, bool single_cells, std::int32_t* law_of_cell);

}  // namespace sdclattice
