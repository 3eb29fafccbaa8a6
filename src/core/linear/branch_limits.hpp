// Limits of cells in a search that goes back: narrowed by rows, and undone in reverse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

class BranchLimits {
 public:
  // The system must live as long; its own limits of cells play no part. O(its entries).
  BranchLimits(const LinearSystem& system, std::vector<std::int64_t> lower,
               std::vector<std::int64_t> upper);

  const std::vector<std::int64_t>& lower() const { return lower_; }
  const std::vector<std::int64_t>& upper() const { return upper_; }

  // What has changed and was not undone, in order: a cell and its limits before. A cell may stand
  // there several times.
  struct Change {
    std::uint32_t cell;
    std::int64_t lower, upper;
  };
  const std::vector<Change>& changes() const { return changes_; }
  void undo();  // the last change

  // Narrows a cell, then by the rows that this touches, and so on. False when some cell is left
  // without a whole number, or a row cannot be met. The work is capped: limits are valid all the
  // same, and wider.
  bool narrow(std::uint32_t cell, std::int64_t lower, std::int64_t upper);
  // The same by every row.
  bool narrow_by_all();
  // After a call that was false: the row that cannot be met, or SIZE_MAX where it is the cell.
  std::size_t failed_row() const { return failed_row_; }

 private:
  // The least or the largest sum of a row; entries without a limit are counted apart.
  struct End {
    WideInt sum = 0;
    std::size_t n_open = 0;
    void add(std::int64_t coefficient, std::int64_t limit);
    // Without one of the entries; false when it has no limit.
    bool without(std::int64_t coefficient, std::int64_t limit, WideInt& rest) const;
  };
  std::int64_t limit_of(std::size_t entry, bool most) const;
  bool narrow_by(std::uint32_t row);
  bool narrow_entry(std::size_t entry, std::uint32_t row, const End& least, const End& most);
  bool set(std::uint32_t cell, WideInt lower, WideInt upper);
  bool work_off();

  const LinearSystem& system_;
  RowsByCell rows_;
  std::vector<std::int64_t> lower_, upper_;
  std::vector<Change> changes_;
  std::vector<std::uint32_t> queue_;
  std::vector<char> is_queued_;
  std::size_t failed_row_ = SIZE_MAX;
};

}  // namespace sdclattice
