// One step of the programme over two-way tables that carries at most two columns: its cost does not
// depend on the sum of the line.
//
// What is computed. A line of sum r whose cells have no limits takes state w to state v when w <= v
// and |w| >= |v| - r. So the number of v is the sum over {w <= v} less that over {w <= v, |w| <= s}
// with s = |v| - r - 1; the latter is the sum over {w_0 <= v_0, |w| <= s} less that over
// {w_1 > v_1, |w| <= s}. The sum over each of these regions follows from that of a neighbour by an
// addition or two. Limits of cells: inclusion and exclusion over the cells that hold more than
// theirs, which are the same sums, shifted, for a smaller r.
// What it costs. Some ten additions for each state, and three more for each term of the exclusion
// (at most eight), where the layers of twoway_sweep.hpp take some of it for each unit of r.
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
  TriangleStep(const Box& from, const Box& to, const Lines& of, std::size_t line)
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
    add_boxes(out);
    add_left_triangles(out);
    add_upper_triangles(out);
  }

 private:
  // Coordinates are those above the lowest corner of the box before the line, (a, b), a inner.
  T* row(std::int64_t b) { return work_.data() + b * inner_; }
  static std::int64_t size(const Box& box, std::size_t j) {
    return j < box.size.size() ? static_cast<std::int64_t>(box.size[j]) : 1;
  }
  std::int64_t low(std::size_t j) const {
    return j < to_.low.size() ? to_.low[j] - from_.low[j] : 0;
  }

  // f(a, states at (a, b)) for the states of row b before the line.
  template <class F>
  void visit_row(std::int64_t b, F f) const {
    if (b >= size(from_, 1)) return;
    const std::int64_t first = std::max<std::int64_t>(0, from_.least - shift_ - b),
                       last = std::min(size(from_, 0) - 1, from_.most - shift_ - b);
    const T* own = states_ + b * size(from_, 0);
    for (std::int64_t a = first; a <= last; ++a) f(a, own[a]);
  }

  void clear() { work_.assign(static_cast<std::size_t>(inner_ * outer_), T(0)); }

  // {w <= v}
  void add_boxes(T* out) {
    clear();
    for (std::int64_t b = 0; b < outer_; ++b) {
      T* here = row(b);
      visit_row(b, [&](std::int64_t a, const T& n) { here[a] = n; });
      for (std::int64_t a = 1; a < inner_; ++a) here[a] += here[a - 1];
      if (b == 0) continue;
      const T* below = row(b - 1);
      for (std::int64_t a = 0; a < inner_; ++a) here[a] += below[a];
    }
    for (const ExclusionTerm& t : term_)
      add(t, out, [&](std::int64_t b, T* to, std::int64_t first, std::int64_t n) {
        const T* from = row(b);
        for (std::int64_t a = std::max<std::int64_t>(first, 0); a < first + n; ++a)
          add_one(t.negative, from[a], to[a - first]);
      });
  }

  // The sums over each antidiagonal from its point at (a, b) up to the left.
  void fill_diagonals() {
    clear();
    for (std::int64_t b = outer_; b-- > 0;) {
      T* here = row(b);
      visit_row(b, [&](std::int64_t a, const T& n) { here[a] = n; });
      if (b + 1 == outer_) continue;
      const T* above = row(b + 1);
      for (std::int64_t a = 1; a < inner_; ++a) here[a] += above[a - 1];
    }
  }

  // {w_0 <= a, |w| <= a + b} at (a, b); below row 0 this is all |w| <= a + b.
  void add_left_triangles(T* out) {
    fill_diagonals();
    std::vector<T> all(static_cast<std::size_t>(inner_ + outer_ - 1));
    for (std::int64_t s = 0; s < inner_ + outer_ - 1; ++s) {
      all[s] = s < inner_ ? row(0)[s] : row(s - inner_ + 1)[inner_ - 1];
      if (s > 0) all[s] += all[s - 1];
    }
    for (std::int64_t b = 0; b < outer_; ++b) {
      const T* below = b > 0 ? row(b - 1) : nullptr;
      for (std::int64_t a = b > 0 ? 0 : 1; a < inner_; ++a)
        row(b)[a] += below ? below[a] : all[a - 1];
    }
    for (const ExclusionTerm& t : term_)
      add(t, out, [&](std::int64_t b, T* to, std::int64_t first, std::int64_t n) {
        b -= t.sum + 1;
        const std::int64_t back = b >= 0 ? 0 : -b;
        const T* from = b >= 0 ? row(b) : all.data();
        for (std::int64_t a = std::max(first, back); a < first + n; ++a)
          add_one(!t.negative, from[a - back], to[a - first]);
      });
  }

  // {w_1 >= b, |w| <= a + b} at (a, b).
  void add_upper_triangles(T* out) {
    fill_diagonals();
    for (std::int64_t b = 0; b < outer_; ++b)
      for (std::int64_t a = 1; a < inner_; ++a) row(b)[a] += row(b)[a - 1];
    for (const ExclusionTerm& t : term_)
      add(t, out, [&](std::int64_t b, T* to, std::int64_t first, std::int64_t n) {
        if (b + 1 >= outer_) return;
        const T* from = row(b + 1);
        const std::int64_t back = t.sum + 2;
        for (std::int64_t a = std::max(first, back); a < first + n; ++a)
          add_one(t.negative, from[a - back], to[a - first]);
      });
  }

  static void add_one(bool negative, const T& x, T& to) {
    if (negative)
      to -= x;
    else
      to += x;
  }

  // f(b, row of the box after the line, its first a, its size), all less the shift of the term.
  template <class F>
  void add(const ExclusionTerm& t, T* out, F f) {
    for (std::int64_t k = 0; k < size(to_, 1); ++k)
      if (low(1) + k >= t.shift[1])
        f(low(1) + k - t.shift[1], out + k * size(to_, 0), low(0) - t.shift[0], size(to_, 0));
  }

  const Box &from_, &to_;
  std::vector<ExclusionTerm> term_;
  std::int64_t inner_ = 0, outer_ = 0, shift_ = 0;
  const T* states_ = nullptr;
  std::vector<T> work_;
};

}  // namespace sdclattice::twoway
