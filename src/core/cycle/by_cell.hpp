// A set of cycles seen from its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "cycle/cycle.hpp"

namespace sdclattice {

// The cycles of cell i, ascending, with their coefficients: places start[i] .. start[i + 1] - 1.
struct ByCell {
  std::vector<std::size_t> start;
  std::vector<std::int32_t> cycle;
  std::vector<std::int8_t> coef;

  explicit ByCell(const CycleSet& set)
      : start(set.n_cells + 2, 0), cycle(set.cell.size()), coef(set.cell.size()) {
    for (const std::int32_t cell : set.cell) ++start[static_cast<std::size_t>(cell) + 2];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (std::size_t c = 0; c < set.size(); ++c) {
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
        const std::size_t at = start[static_cast<std::size_t>(set.cell[i]) + 1]++;
        cycle[at] = static_cast<std::int32_t>(c);
        coef[at] = set.coef[i];
      }
    }
    start.pop_back();
  }
  std::size_t count(std::int32_t cell) const { return start[cell + 1] - start[cell]; }
};

}  // namespace sdclattice
