// Where a search that goes back met contradictions, so that it decides there first.
//
// What is computed. Each row has a weight. A contradiction adds the same amount to each row that
// shows it; the amount grows from one to the next, so that older ones count less and less. The
// weight of a cell is that of its rows, in amounts of today. (Boussemart, Hemery, Lecoutre and Sais
// 2004 weigh constraints so.)
// What it costs. O(rows of the contradiction), O(rows of the cell).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

class ConflictWeights {
 public:
  explicit ConflictWeights(const LinearSystem& system)
      : rows_(system), weight_(system.n_rows(), 0.0) {}

  // One row cannot be met.
  void add(std::uint32_t row) {
    weight_[row] += step_;
    grow();
  }
  // Some rows cannot be met together.
  void add(const std::vector<std::uint32_t>& rows) {
    for (const std::uint32_t row : rows) weight_[row] += step_;
    grow();
  }
  // A combination of rows cannot be met: those whose multiplier is not 0.
  void add(const std::vector<double>& multipliers);

  double of_cell(std::uint32_t cell) const {
    double out = 0.0;
    for (std::size_t k = rows_.at[cell]; k < rows_.at[cell + 1]; ++k) out += weight_[rows_.row[k]];
    return out / step_;
  }

 private:
  void grow();

  RowsByCell rows_;
  std::vector<double> weight_;
  double step_ = 1.0;
};

}  // namespace sdclattice
