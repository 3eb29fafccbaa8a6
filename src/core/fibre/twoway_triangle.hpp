// One step of the programme over two-way tables that carries at most two columns: its cost does not
// depend on the sum of the line.
//
// What is computed. A line of sum r whose cells have no limits takes state w to state v when w <= v
// and |w| >= |v| - r: the number of v is the sum over a triangle of the states before the line.
// From v to its neighbour (0, 1) + v the triangle gains the r + 1 states below the neighbour along
// the inner axis, a sliding window, and loses the r + 1 states of its long side, an antidiagonal.
// The sums of the antidiagonals slide, too: each gains a state and loses one from row to row.
// Limits of cells: inclusion and exclusion over the cells that hold more than theirs, which are the
// same sums, shifted, for a smaller r.
// What it costs. Some seven additions for each state and each term of the exclusion (at most
// eight), where the layers of twoway_sweep.hpp take some of it for each unit of r; and no memory
// but that of a few rows.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fibre/twoway_lines.hpp"

namespace sdclattice::twoway {

template <class T>
class TriangleStep {
 public:
  // The boxes must outlive the object.
  TriangleStep(const Box& from, const Box& to, const OrderedLines& of, std::size_t line)
      : from_(from), to_(to), term_(exclusion_terms(from, to, of, line)) {
    assert(is_triangular(of, line));
    const Box both = hull(from, to);
    inner_ = static_cast<std::int64_t>(both.size[0]);
    outer_ = both.size.size() > 1 ? static_cast<std::int64_t>(both.size[1]) : 1;
    for (std::size_t j = 0; j < both.low.size(); ++j) shift_ += from.low[j];
  }

  // Adds what the states before the line give to those after it.
  void run(const T* states, T* out) {
    states_ = states;
    for (const ExclusionTerm& term : term_) add_term(term, out);
  }

 private:
  // Coordinates are those above the lowest corner of the box before the line, (a, b), a inner.
  static std::int64_t size(const Box& box, std::size_t j) {
    return j < box.size.size() ? static_cast<std::int64_t>(box.size[j]) : 1;
  }
  std::int64_t low(std::size_t j) const {
    return j < to_.low.size() ? to_.low[j] - from_.low[j] : 0;
  }

  // The states of row b before the line, 0 where there are none; false if it has none at all.
  bool read_row(std::int64_t b, std::vector<T>& row) const {
    if (b < 0 || b >= size(from_, 1)) return false;
    const std::int64_t first = std::max<std::int64_t>(0, from_.least - shift_ - b),
                       last = std::min(size(from_, 0) - 1, from_.most - shift_ - b);
    if (first > last) return false;
    const T* own = states_ + b * size(from_, 0);
    std::fill(row.begin(), row.end(), T(0));
    std::copy(own + first, own + last + 1, row.begin() + first);
    return true;
  }

  // Rows from the lowest one up: `triangle_` at (a, b), `side_` at the antidiagonal a + b.
  void add_term(const ExclusionTerm& term, T* out) {
    triangle_.assign(static_cast<std::size_t>(inner_), T(0));
    side_.assign(static_cast<std::size_t>(inner_ + outer_), T(0));
    row_.resize(static_cast<std::size_t>(inner_));
    for (std::int64_t b = 0; b + term.shift[1] < low(1) + size(to_, 1); ++b) {
      if (b > 0)
        for (std::int64_t a = 0; a < inner_; ++a) triangle_[a] -= side_[a + b - 1];
      const bool some = read_row(b, row_);
      if (some) slide_window(term.sum);
      store(term, b, out);
      if (some)
        for (std::int64_t a = 0; a + b + term.sum < inner_ + outer_ && a < inner_; ++a)
          side_[a + b + term.sum] += row_[a];
      if (read_row(b - term.sum - 1, row_))
        for (std::int64_t a = 0; a < inner_; ++a) side_[a + b - 1] -= row_[a];
    }
  }

  // The states of the row that the triangles gain.
  void slide_window(std::int64_t sum) {
    T window(0);
    for (std::int64_t a = 0; a < inner_; ++a) {
      window += row_[a];
      if (a > sum) window -= row_[a - sum - 1];
      triangle_[a] += window;
    }
  }

  void store(const ExclusionTerm& term, std::int64_t b, T* out) const {
    const std::int64_t at = b + term.shift[1] - low(1), back = term.shift[0] - low(0);
    if (at < 0) return;
    T* to = out + at * size(to_, 0);
    const std::int64_t first = std::max<std::int64_t>(0, -back),
                       end = std::min(inner_, size(to_, 0) - back);
    if (term.negative)
      for (std::int64_t a = first; a < end; ++a) to[a + back] -= triangle_[a];
    else
      for (std::int64_t a = first; a < end; ++a) to[a + back] += triangle_[a];
  }

  const Box &from_, &to_;
  std::vector<ExclusionTerm> term_;
  std::int64_t inner_ = 0, outer_ = 0, shift_ = 0;
  const T* states_ = nullptr;
  std::vector<T> triangle_, side_, row_;
};

}  // namespace sdclattice::twoway
