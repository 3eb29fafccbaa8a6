// Linear programmes over a system of whole numbers, solved exactly.
//
// The tableau holds whole numbers over one common denominator (Edmonds' integer pivoting: each
// division is exact, for the entries are minors of the system), so that nothing is ever rounded
// and no tolerance decides: an optimum is a fraction, "no solution" is a proof. Equations are used
// up first, each making one variable depend on the rest, so that the tableau has (variables - rank)
// columns only; for the margins of a table its entries are nearly all 0, 1 and -1.
//
// One object serves many objectives, each the largest or least value of one cell: the next search
// starts from where the last one ended. Limits of cells may change in between (branch and bound).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

__extension__ typedef __int128 WideInt;

class ExactSimplex {
 public:
  // `check` is called at every pivot and may throw. TooLargeError when the tableau would have more
  // than max_entries entries; an entry beyond 36 bits throws it too, here and later.
  // InfeasibleError when the equations contradict each other.
  ExactSimplex(const LinearSystem& system, std::size_t max_entries, std::function<void()> check);

  // Whether a solution over the real numbers exists. Moves to a vertex within the limits.
  bool restore();
  // The objective: sign (1 or -1) times the cell. Then climb() moves to an optimal vertex from one
  // within the limits, and returns false when there is none because the objective has no limit.
  void aim(std::size_t cell, int sign);
  bool climb();

  std::int64_t lower(std::size_t cell) const { return lower_[cell]; }
  std::int64_t upper(std::size_t cell) const { return upper_[cell]; }
  void set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper);

  // Where the present vertex is.
  WideInt numerator(std::size_t cell) const;
  std::int64_t denominator() const { return den_; }
  std::int64_t floor_of(std::size_t cell) const;
  bool is_whole(std::size_t cell) const { return numerator(cell) % den_ == 0; }
  // The first cell whose value is not whole; n_cells() when all are.
  std::size_t first_fractional() const;
  std::size_t n_cells() const { return n_cells_; }
  std::size_t n_pivots() const { return n_pivots_; }

 private:
  using Row = std::vector<std::int64_t>;

  void add_row(const LinearSystem& system, std::size_t r);
  std::size_t unit_column(const Row& row) const;
  void drop_column(std::size_t c);
  void pivot(std::size_t r, std::size_t c, std::int64_t target);
  void combine(Row& row, const Row& with, std::size_t skip, std::int64_t p, std::int64_t a);
  void find_largest();
  void move_column(std::size_t c, std::int64_t value);
  void fill_prices();
  std::size_t violated_row() const;
  std::size_t strongest_column(std::size_t r, bool raise) const;
  bool fill_violation_prices();
  std::size_t rising_column(bool first) const;
  bool stops(std::size_t r, bool rises, WideInt& left, std::int64_t& target) const;
  bool advance(std::size_t c, bool first, bool& moved);
  void check_size() const;

  std::size_t n_cells_;
  std::size_t max_entries_;
  std::function<void()> check_;
  std::vector<std::int64_t> lower_, upper_;  // of cells, then of rows that are no equations
  std::vector<std::size_t> basic_, free_;    // which variable a row and a column stand for
  std::vector<std::size_t> place_;           // of a variable: its row or column
  std::vector<char> is_basic_;
  std::vector<Row> table_;           // den_ x[basic_[r]] = value_[r] + sum table_[r][c] (move of c)
  std::vector<WideInt> value_;       // den_ times the value, a row each
  std::vector<std::int64_t> stand_;  // the value of a column's variable
  std::int64_t den_ = 1;
  std::int64_t largest_ = 1;  // no entry is larger
  std::size_t goal_ = 0;
  int sign_ = 0;
  Row price_;
  std::size_t n_pivots_ = 0;
};

}  // namespace sdclattice
