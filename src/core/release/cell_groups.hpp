// The stored cells by the cell of a sub-table to which they belong, along a path of variables.
//
// What is computed. At depth d the groups of a sub-table of d variables; one variable more splits
// them. Of the groups in which cells at risk are, the counts are compared with beta.
// What it costs. O(stored cells) for each split, and 4 bytes a stored cell for each depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/risk_cells.hpp"

namespace sdclattice {

class CellGroups {
 public:
  explicit CellGroups(const RiskCells& cells);

  // The groups at `depth` with one variable more, at depth + 1.
  void split(std::size_t depth, std::size_t variable);
  // The first cell at risk, by its place among these, whose group of the last split has a count
  // below beta; cells.size() when there is none.
  std::size_t first_small(std::int64_t beta) const;

 private:
  struct Grouping {
    std::vector<std::uint32_t> group;  // of each stored cell
    std::uint32_t n_groups = 1;
  };

  const RiskCells& cells_;
  std::vector<Grouping> by_depth_;
  std::vector<std::int64_t> counts_;  // of the groups of the last split
  std::size_t last_ = 0;              // its depth
};

}  // namespace sdclattice
