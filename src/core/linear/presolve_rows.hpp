// The unknowns and rows of a system while presolve() works on them: flat arrays, changed in place.
// A row only ever gets shorter, and only rows with a change are looked at again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

class PresolveRows {
 public:
  // Cells that the system fixes are no unknowns.
  explicit PresolveRows(const LinearSystem& system);

  static constexpr std::uint32_t kFixed = UINT32_MAX;
  // A cell as an unknown that stands for others too: shift + sign * unknown; kFixed has sign 0.
  struct Image {
    std::uint32_t unknown = kFixed;
    std::int32_t sign = 0;
    std::int64_t shift = 0;
  };

  // Narrows, fixes and merges until nothing changes, or until a row has been visited often: where
  // limits creep by units, any stop leaves valid ones. InfeasibleError when there is no solution.
  void settle(const Tick& tick);
  // Rows with the same entries become one. Whether another settle() may find more.
  bool drop_equal_rows();

  Image image(const LinearSystem& system, std::size_t cell);
  std::size_t n_unknowns() const { return lower_.size(); }
  std::size_t n_rows() const { return row_lower_.size(); }
  bool stands(std::size_t unknown) const {  // for itself, and is not fixed
    return link_[unknown].parent == unknown && lower_[unknown] < upper_[unknown];
  }
  bool is_alive(std::size_t row) const { return alive_[row]; }
  bool is_equation(std::size_t row) const { return row_lower_[row] == row_upper_[row]; }
  std::int64_t lower(std::size_t unknown) const { return lower_[unknown]; }
  std::int64_t upper(std::size_t unknown) const { return upper_[unknown]; }
  std::int64_t row_lower(std::size_t row) const { return row_lower_[row]; }
  std::int64_t row_upper(std::size_t row) const { return row_upper_[row]; }
  std::size_t length(std::size_t row) const { return length_[row]; }
  const std::uint32_t* unknowns(std::size_t row) const { return unknown_.data() + start_[row]; }
  const std::int64_t* coefficients(std::size_t row) const {
    return coefficient_.data() + start_[row];
  }

 private:
  // x = sign * parent + shift; its own parent where it stands for itself.
  struct Link {
    std::uint32_t parent;
    std::int32_t sign;
    std::int64_t shift;
  };
  struct Activity;
  static constexpr WideInt kFree = WideInt{kNoLimit} * 4;  // beyond every limit

  [[noreturn]] static void no_solution();
  static std::int64_t limited(WideInt x);
  void read_rows(const LinearSystem& system);
  void index_columns();
  Link find(std::uint32_t unknown);
  void wait(std::uint32_t row);
  void visit(std::uint32_t row);
  void substitute(std::uint32_t row);
  void divide(std::uint32_t row);
  void narrow(std::uint32_t row);
  bool skip_remainders(std::uint32_t row);
  bool narrow_entry(std::uint32_t row, std::size_t entry, const Activity& activity);
  void merge(std::uint32_t row);
  void limit(std::uint32_t unknown, WideInt lower, WideInt upper, bool& changed);
  void wake_rows(std::uint32_t unknown, bool are_stale, std::uint32_t but);
  void shift_limits(std::uint32_t row, WideInt by);
  void sort_entries(std::uint32_t row);
  bool unite_equal(std::uint32_t kept, std::uint32_t other);

  std::vector<std::uint32_t> number_;  // of a cell: its unknown, or kFixed
  std::vector<std::int64_t> lower_, upper_;
  std::vector<Link> link_;
  std::vector<std::uint32_t> next_;   // round the unknowns that one stands for
  std::vector<std::uint32_t> count_;  // of them
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> unknown_;
  std::vector<std::int64_t> coefficient_;
  std::vector<std::int64_t> row_lower_, row_upper_;
  std::vector<std::size_t> at_;  // rows of an unknown, as they were at first
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint8_t> visits_;
  std::vector<char> alive_, waits_, stale_;
  std::vector<std::uint32_t> place_;  // of an unknown in the row that is being substituted
};

}  // namespace sdclattice
