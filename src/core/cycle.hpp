// Sets of margin-preserving cycles, as sparse moves on the cells of a dense table (first dimension
// fastest, as in R).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// Cycle c changes the cells cell[start[c]], ..., cell[start[c + 1] - 1] by the coefficients that
// stand at the same places. No cell stands twice in one cycle, no coefficient is 0.
struct CycleSet {
  std::size_t n_cells = 0;
  std::vector<std::size_t> start{0};
  std::vector<std::int32_t> cell;
  std::vector<std::int8_t> coef;

  std::size_t size() const { return start.size() - 1; }
  void add(std::int32_t where, std::int8_t by) {
    cell.push_back(where);
    coef.push_back(by);
  }
  void close() { start.push_back(cell.size()); }
};

}  // namespace sdclattice
