// Bounds of the cells of a table of which margins are released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/linear.hpp"
#include "table/table.hpp"

namespace sdclattice {

// A margin: its variables (numbers in the whole table, in the margin's own order) and its cells.
struct ReleasedMargin {
  std::vector<std::uint32_t> variables;
  Layout layout;
  CellsView cells;
};

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

// The cells that may be positive (no margin shows zero), as numbers with the first variable
// fastest, and the equations of the margins over them. TooLargeError above max_cells cells in all;
// InfeasibleError when a margin's positive cell has no cell left.
struct MarginSystem {
  std::vector<std::uint64_t> cells;  // ascending
  LinearSystem system;
};
MarginSystem margin_system(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, std::size_t max_cells,
                           const Tick& tick);

enum class MarginMethod { shuttle, lp, ip };
struct MarginLimits {
  BoundsLimits solver;
  std::size_t max_cells = 50000000;
  std::size_t max_super_cells = 10000000;
};
struct MarginBounds {
  std::vector<double> lower, upper, real_lower, real_upper;  // of the asked cells; real: lp only
  std::vector<char> sharp;
  bool generalized = false;  // the shuttle ran over all super-cells
  IntegerBounds effort;      // without its bounds
};
MarginBounds margin_bounds(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, const AskedCells& asked,
                           MarginMethod method, const MarginLimits& limits, const Tick& tick);

}  // namespace sdclattice
