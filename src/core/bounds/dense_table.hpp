// A table as an array, first variable fastest.
#pragma once

#include <cstddef>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

struct DenseTable {
  std::vector<double> count;
  std::vector<std::size_t> stride;

  DenseTable(const Layout& layout, const CellsView& cells)
      : count(static_cast<std::size_t>(layout.n_cells())), stride(layout.strides()) {
    write_dense(layout, cells, count.data());
  }
};

}  // namespace sdclattice
