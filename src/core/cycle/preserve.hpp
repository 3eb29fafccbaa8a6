// What a set of cycles preserves: every linear function of the cells that no move changes, counted
// and listed exactly over the integers, and the cells that move together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"

namespace sdclattice {

// Cells whose coefficients on all cycles are the same up to a factor: whatever the coins, they move
// by multiples of one number, so that one of them gives the others away. Cell i moves by factor[i]
// times its class; first[k] is a cell of class k. class_of is -1 on no cycle.
struct MovingClasses {
  std::vector<std::int32_t> class_of;
  std::vector<std::int32_t> factor;
  std::vector<std::int32_t> first;
};
MovingClasses find_classes(const CycleSet& cycles);

// A sparse vector of integers, indices ascending, no zeros.
using SparseRow = std::vector<std::pair<std::int32_t, std::int64_t>>;

// Rows in echelon form: each has its own leading index.
class Echelon {
 public:
  // Throws TooLargeError when elimination takes more than `max_work` entries or 64-bit numbers.
  explicit Echelon(std::size_t n_columns, double max_work = 2e9)
      : row_at_(n_columns, -1), max_work_(max_work) {}
  // Whether the row is independent of those before; it is kept then.
  bool insert(SparseRow row);
  std::size_t rank() const { return rows_.size(); }
  // The row that leads at a column, or nullptr.
  const SparseRow* leading_at(std::size_t column) const {
    return row_at_[column] < 0 ? nullptr : &rows_[static_cast<std::size_t>(row_at_[column])];
  }

 private:
  std::vector<std::int32_t> row_at_;
  std::vector<SparseRow> rows_;
  double work_ = 0, max_work_;
};

// The cycles over the classes: as many rows are independent as the moves of the set.
Echelon reduce_cycles(const CycleSet& cycles, const MovingClasses& classes, const Tick& tick = {});

// Functions of the cells that, with the sums of the margins, are a basis of all that the set
// preserves; `margins` as in find_broken_margin(), all of them kept.
std::vector<SparseRow> preserved_functions(const CycleSet& cycles,
                                           const std::vector<std::size_t>& dim,
                                           const std::vector<std::vector<std::size_t>>& margins,
                                           const Tick& tick = {});

}  // namespace sdclattice
