// Linear programmes in exact arithmetic: a tableau of whole numbers over one denominator, and
// Bland's rule, which ends. Numbers that become too large throw std::overflow_error.
#ifndef SDCLATTICE_AUDIT_PROGRAMME_HPP
#define SDCLATTICE_AUDIT_PROGRAMME_HPP

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "audit-case.hpp"

namespace audit {

__extension__ typedef __int128 Wide;

inline Wide times(Wide a, Wide b) {
  Wide out = 0;
  if (__builtin_mul_overflow(a, b, &out))
    throw std::overflow_error("The numbers become too large.");
  return out;
}

inline Wide minus(Wide a, Wide b) {
  Wide out = 0;
  if (__builtin_sub_overflow(a, b, &out))
    throw std::overflow_error("The numbers become too large.");
  return out;
}

using Row128 = std::vector<Wide>;

enum class Answer { optimal, unbounded, infeasible };

// Maximises over x >= 0 that fulfil some rows: sums that are equal to a number, or at least that.
class Programme {
 public:
  explicit Programme(std::size_t n) : n_(n), columns_(n) {}

  void equal(const Row128& row, Wide value) { given_.push_back({row, value, false}); }
  void at_least(const Row128& row, Wide value) { given_.push_back({row, value, true}); }

  // Looks for a corner; false where no x fulfils the rows.
  bool start() {
    lay_out();
    const std::size_t first = columns_;
    Row128 goal(width(), 0);
    for (std::size_t j = first; j + 1 < width(); ++j) goal[j] = -1;
    climb(goal, width() - 1);
    if (goal_.back() != 0) return false;
    leave_artificial(first);
    return true;
  }

  // After start(): climbs on from the last corner.
  Answer maximise(const Row128& objective) {
    Row128 goal(columns_ + 1, 0);
    for (std::size_t j = 0; j < n_; ++j) goal[j] = objective[j];
    return climb(goal, columns_) ? Answer::optimal : Answer::unbounded;
  }

  // The value at the corner, and the corner itself: both over denominator().
  Wide value() const { return goal_.back(); }
  Wide denominator() const { return over_; }
  Row128 corner() const {
    Row128 out(n_, 0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (basis_[i] < n_) out[basis_[i]] = rows_[i].back();
    return out;
  }

  // Vectors that span all changes of x which keep the rows, where these are equations.
  std::vector<Row128> directions() const {
    std::vector<bool> basic(columns_, false);
    for (std::size_t column : basis_) basic[column] = true;
    std::vector<Row128> out;
    for (std::size_t j = 0; j < n_; ++j) {
      if (basic[j]) continue;
      Row128 one(n_, 0);
      one[j] = over_;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (basis_[i] < n_) one[basis_[i]] = -rows_[i][j];
      out.push_back(one);
    }
    return out;
  }

 private:
  struct Given {
    Row128 row;
    Wide value;
    bool at_least;
  };

  std::size_t width() const { return rows_.empty() ? columns_ + 1 : rows_[0].size(); }

  // Columns: x, one for what exceeds each lower limit, one artificial for each row, the right side.
  void lay_out() {
    std::size_t more = 0;
    for (const Given& given : given_) more += given.at_least ? 1 : 0;
    columns_ = n_ + more;
    over_ = 1;
    rows_.clear();
    basis_.clear();
    std::size_t next = n_;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const Given& given = given_[i];
      Row128 row(columns_ + given_.size() + 1, 0);
      for (std::size_t j = 0; j < n_; ++j) row[j] = given.row[j];
      if (given.at_least) row[next++] = -1;
      row.back() = given.value;
      if (given.value < 0)
        for (Wide& x : row) x = -x;
      row[columns_ + i] = 1;
      basis_.push_back(columns_ + i);
      rows_.push_back(row);
    }
  }

  // goal_: for each column by how much the objective falls with it; at the end its value.
  void price(const Row128& objective) {
    goal_.assign(width(), 0);
    for (std::size_t j = 0; j + 1 < width(); ++j) goal_[j] = -times(objective[j], over_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Wide cost = objective[basis_[i]];
      if (cost == 0) continue;
      for (std::size_t j = 0; j < width(); ++j)
        goal_[j] = minus(goal_[j], -times(cost, rows_[i][j]));
    }
  }

  // False where there is no end. Columns before `end` may enter.
  bool climb(const Row128& objective, std::size_t end) {
    price(objective);
    for (;;) {
      std::size_t enters = 0;
      while (enters < end && goal_[enters] >= 0) ++enters;
      if (enters == end) return true;
      const std::size_t leaves = leaving(enters);
      if (leaves == rows_.size()) return false;
      pivot(leaves, enters);
    }
  }

  // The row that limits a column most; of equals the one of the first column.
  std::size_t leaving(std::size_t column) const {
    std::size_t out = rows_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i][column] <= 0) continue;
      if (out == rows_.size()) {
        out = i;
        continue;
      }
      const Wide here = times(rows_[i].back(), rows_[out][column]);
      const Wide there = times(rows_[out].back(), rows_[i][column]);
      if (here < there || (here == there && basis_[i] < basis_[out])) out = i;
    }
    return out;
  }

  void pivot(std::size_t at, std::size_t column) {
    const Wide by = rows_[at][column];
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i != at) eliminate(rows_[i], at, column);
    eliminate(goal_, at, column);
    over_ = by;
    basis_[at] = column;
  }

  void eliminate(Row128& row, std::size_t at, std::size_t column) const {
    const Row128& by = rows_[at];
    const Wide factor = row[column];
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = minus(times(row[j], by[column]), times(factor, by[j])) / over_;
  }

  // No artificial column stays: rows that follow from others are left out.
  void leave_artificial(std::size_t first) {
    for (std::size_t i = 0; i < rows_.size();) {
      if (basis_[i] < first) {
        ++i;
        continue;
      }
      std::size_t column = 0;
      while (column < first && rows_[i][column] == 0) ++column;
      if (column < first) {
        if (rows_[i][column] < 0)
          for (Wide& x : rows_[i]) x = -x;
        pivot(i, column);
        ++i;
      } else {
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
        basis_.erase(basis_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    for (Row128& row : rows_)
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(first), row.end() - 1);
  }

  std::size_t n_;
  std::size_t columns_;
  std::vector<Given> given_;
  std::vector<Row128> rows_;
  std::vector<std::size_t> basis_;
  Row128 goal_;
  Wide over_ = 1;
};

}  // namespace audit

#endif
