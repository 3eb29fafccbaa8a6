// Which counts the cells of a table have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/table.hpp"

namespace sdclattice {

// The cells with counts up to `most`, in order.
Cells cells_up_to(const Layout& layout, const CellsView& cells, double most);

// For each variable, which levels have a cell.
std::vector<std::vector<bool>> levels_in_use(const Layout& layout, const CellsView& cells);

// Groups of cells that have a cell, as rows: the words of the group's key, its number of cells, and
// how many of them have the counts 1, 2, ...
struct GroupCounts {
  std::size_t stride;
  std::vector<std::uint64_t> rows;

  std::size_t size() const { return rows.size() / stride; }
  const std::uint64_t* row(std::size_t i) const { return rows.data() + i * stride; }
};

// Counts the cells of each group, and those with each count up to `most`. Level l of variable v
// belongs to level group_of[v][l] of the same variable of `groups`.
GroupCounts count_in_groups(const Layout& layout, const CellsView& cells, const Layout& groups,
                            const std::vector<std::vector<std::uint32_t>>& group_of,
                            std::size_t most, const Tick& tick);

}  // namespace sdclattice
