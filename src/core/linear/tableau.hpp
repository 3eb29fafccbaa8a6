// The tableau of an exact linear programme, in whole numbers.
//
// The tableau holds whole numbers over one common denominator (Edmonds' integer pivoting: each
// division is exact, for the entries are minors of the system), so that nothing is ever rounded
// and no tolerance decides: an optimum is a fraction, "no solution" is a proof. Equations are used
// up first, each making one variable depend on the rest, so that the tableau has (variables - rank)
// columns only; for the margins of a table its entries are nearly all 0, 1 and -1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

class Tableau {
 public:
  // `check` is called at every pivot and may throw. TooLargeError when the tableau would have more
  // than max_entries entries; an entry beyond 36 bits throws it too, here and later.
  // InfeasibleError when the equations contradict each other.
  Tableau(const LinearSystem& system, std::size_t max_entries, std::function<void()> check);

  std::int64_t lower(std::size_t cell) const { return lower_[cell]; }
  std::int64_t upper(std::size_t cell) const { return upper_[cell]; }

  // Where the present vertex is.
  WideInt numerator(std::size_t cell) const;
  std::int64_t denominator() const { return den_; }
  std::int64_t floor_of(std::size_t cell) const;
  bool is_whole(std::size_t cell) const { return numerator(cell) % den_ == 0; }
  // The first cell whose value is not whole; n_cells() when all are.
  std::size_t first_fractional() const;
  std::size_t n_cells() const { return n_cells_; }

 protected:
  using Row = std::vector<std::int64_t>;

  // The row's variable leaves the basis for the value `target`, the column's enters it.
  void pivot(std::size_t r, std::size_t c, std::int64_t target);
  void move_column(std::size_t c, std::int64_t value);

  std::vector<std::int64_t> lower_, upper_;  // of cells, then of rows that are no equations
  std::vector<std::size_t> basic_, free_;    // which variable a row and a column stand for
  std::vector<std::size_t> place_;           // of a variable: its row or column
  std::vector<char> is_basic_;
  std::vector<Row> table_;           // den_ x[basic_[r]] = value_[r] + sum table_[r][c] (move of c)
  std::vector<WideInt> value_;       // den_ times the value, a row each
  std::vector<std::int64_t> stand_;  // the value of a column's variable
  std::int64_t den_ = 1;

 private:
  void add_row(const LinearSystem& system, std::size_t r);
  Row express(const LinearSystem& system, std::size_t r, WideInt& value) const;
  std::size_t unit_column(const Row& row) const;
  void drop_column(std::size_t c);
  void combine(Row& row, const Row& with, std::size_t skip, std::int64_t p, std::int64_t a);
  void find_largest();
  bool sizes_fit() const;

  std::size_t n_cells_, max_entries_;
  std::function<void()> check_;
  std::int64_t largest_ = 1;  // no entry is larger
  std::size_t n_pivots_ = 0;
};

}  // namespace sdclattice
