// Cells in the order of their keys.
#pragma once

#include "table/table.hpp"

namespace sdclattice {

bool is_sorted(const Cells& cells);

// Sorts by key: least significant digits first, some 9 bits at a time, only the bits in use.
// Cost: O(n bits / 9), and a second copy of the rows. Agrees with std::sort.
void sort_cells(Cells& cells, const Layout& layout);

// Adds up sorted neighbours with the same key. Sums stay below the grand total, which was checked.
void merge_neighbours(Cells& cells);

// The cells of two sorted tables. A cell of both has the same count in both, and is taken once.
Cells united(const Cells& a, const Cells& b);

}  // namespace sdclattice
