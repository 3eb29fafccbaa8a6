// The counts of some cells of a table, and where two tables differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

// Cells of a table by their levels, 1-based, a vector for each variable.
struct AskedCells {
  std::vector<const std::int32_t*> levels;
  std::size_t n = 0;
};

// The value of a table at n cells given by the levels of its own variables: through an array where
// the table has few cells, else by hashed keys. O(stored + asked).
std::vector<double> values_at(const Layout& layout, const CellsView& cells,
                              const AskedCells& asked);

// Where two tables over the same variables (in the same order) differ: up to `max_found` keys with
// both counts. Both are in cell order.
struct Disagreement {
  std::vector<std::uint64_t> key;
  std::uint64_t first = 0, second = 0;
};
std::vector<Disagreement> compare_tables(const Cells& a, const Cells& b, std::size_t max_found);

}  // namespace sdclattice
