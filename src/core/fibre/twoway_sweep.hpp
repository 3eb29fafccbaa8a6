// One step of the programme over two-way tables: the windows of a line's cells, layer by layer.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fibre/twoway_lines.hpp"

namespace sdclattice::twoway {

// The states of one step, by layers: those that line `line` reaches from states of the same |w|.
template <class T>
class Sweep {
 public:
  Sweep(const Box& from, const Box& to, const OrderedLines& of, std::size_t line)
      : from_(from), to_(to), sum_(of.sum[line]), box_(hull(from, to)), shift_(0) {
    assert(!from.empty && !to.empty);
    for (std::size_t j = 0; j < box_.size.size(); ++j) shift_ += from.low[j];
    const std::size_t n_axes = box_.size.size();
    n_outer_ = 1;
    for (std::size_t j = 1; j < n_axes; ++j) {
      stride_.push_back(n_outer_);
      n_outer_ *= box_.size[j];
    }
    at_.resize(n_axes - 1, std::vector<std::uint32_t>(n_outer_));
    total_.resize(n_outer_);
    from_outer_.assign(n_outer_, kNone);
    to_outer_.assign(n_outer_, kNone);
    for (std::size_t o = 0; o < n_outer_; ++o) place(o);
  }

  std::size_t n_states() const { return n_outer_ * box_.size[0]; }
  std::int64_t first_layer() const { return from_.least - shift_; }
  std::int64_t last_layer() const { return from_.most - shift_; }

  // Puts layer s of `states` into `work` and clears what the line can reach from it.
  void load(std::int64_t s, const T* states, T* work) const {
    for (std::size_t o = 0; o < n_outer_; ++o) {
      const auto [a, b] = range(o, s);
      if (a > b) continue;
      T* row = work + o * box_.size[0];
      std::fill(row + a, row + b + 1, T(0));
      const std::int64_t own = s - total_[o];
      if (from_outer_[o] != kNone && own >= 0 && own < static_cast<std::int64_t>(from_.size[0]))
        row[own] = states[from_outer_[o] * from_.size[0] + static_cast<std::size_t>(own)];
    }
  }

  void copy(std::int64_t s, const T* from, T* to) const {
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      const T* row = from + o * box_.size[0];
      std::copy(row + a, row + b + 1, to + o * box_.size[0] + a);
    });
  }

  // One cell of axis j that adds 0, ..., limit.
  void pass(std::int64_t s, std::size_t j, std::int64_t limit, T* work) const {
    if (j == 0)
      pass_inner(s, limit, work);
    else
      pass_outer(s, j - 1, limit, work);
  }

  // f(row of the innermost axis, first, last) over what the line can reach from layer s.
  template <class F>
  void visit(std::int64_t s, F f) const {
    for (std::size_t o = 0; o < n_outer_; ++o) {
      const auto [a, b] = range(o, s);
      if (a <= b) f(o, a, b);
    }
  }

  // Adds what layer s gives to the states after the line. The rest of the line goes to the column
  // that is not carried, in ways[rest] ways: once each for all up to `limit` where `ways` is null.
  void store(std::int64_t s, const T* work, const T* ways, std::int64_t limit, T* out) const {
    const std::int64_t low = to_.low[0] - from_.low[0];
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      if (to_outer_[o] == kNone) return;
      const std::int64_t held = total_[o] - s;  // by the line, at 0 on the innermost axis
      a = std::max({a, low, sum_ - limit - held});
      const T* row = work + o * box_.size[0];
      T* to = out + to_outer_[o] * to_.size[0];
      if (ways == nullptr) {
        for (std::int64_t v = a; v <= b; ++v) to[v - low] += row[v];
      } else {
        for (std::int64_t v = a; v <= b; ++v) to[v - low] += row[v] * ways[sum_ - held - v];
      }
    });
  }

  // The row of the innermost axis in the box after the line, k further on along axis j; kNone if it
  // is outside.
  std::size_t to_row(std::size_t o, std::size_t j, std::int64_t k) const {
    if (j == 0) return to_outer_[o];
    const std::size_t there = static_cast<std::size_t>(k) * stride_[j - 1];
    if (at_[j - 1][o] + static_cast<std::size_t>(k) >= box_.size[j]) return kNone;
    return to_outer_[o + there];
  }
  std::int64_t total(std::size_t o) const { return total_[o]; }
  std::size_t inner() const { return box_.size[0]; }
  std::int64_t inner_low() const { return to_.low[0] - from_.low[0]; }
  std::size_t to_inner() const { return to_.size[0]; }

 private:
  void place(std::size_t o) {
    std::size_t left = o, from = 0, to = 0, from_stride = 1, to_stride = 1;
    bool in_from = true, in_to = true;
    for (std::size_t j = 1; j < box_.size.size(); ++j) {
      const std::size_t w = left % box_.size[j];
      left /= box_.size[j];
      at_[j - 1][o] = static_cast<std::uint32_t>(w);
      total_[o] += static_cast<std::int64_t>(w);
      assert(to_.low[j] >= from_.low[j]);
      const auto low = static_cast<std::size_t>(to_.low[j] - from_.low[j]);
      in_from = in_from && w < from_.size[j];
      in_to = in_to && w >= low;
      from += from_stride * w;
      to += in_to ? to_stride * (w - low) : 0;
      from_stride *= from_.size[j];
      to_stride *= to_.size[j];
    }
    if (in_from) from_outer_[o] = from;
    if (in_to) to_outer_[o] = to;
  }

  std::pair<std::int64_t, std::int64_t> range(std::size_t o, std::int64_t s) const {
    return {
        std::max<std::int64_t>(0, s - total_[o]),
        std::min<std::int64_t>(static_cast<std::int64_t>(box_.size[0]) - 1, s + sum_ - total_[o])};
  }

  void pass_inner(std::int64_t s, std::int64_t limit, T* work) const {
    const bool all = limit >= sum_ || limit >= static_cast<std::int64_t>(box_.size[0]) - 1;
    visit(s, [&](std::size_t o, std::int64_t a, std::int64_t b) {
      T* row = work + o * box_.size[0];
      for (std::int64_t v = a + 1; v <= b; ++v) row[v] += row[v - 1];
      if (all) return;
      for (std::int64_t v = b; v > a + limit; --v) row[v] -= row[v - limit - 1];
    });
  }

  // What does not change in a loop is read before it: the compiler cannot know that states and
  // members lie apart.
  void pass_outer(std::int64_t s, std::size_t j, std::int64_t limit, T* work) const {
    const std::size_t inner = box_.size[0], stride = stride_[j], n_outer = n_outer_;
    const std::int64_t end = static_cast<std::int64_t>(inner) - 1, most = s + sum_;
    const std::uint32_t* at = at_[j].data();
    const std::int64_t* total = total_.data();
    for (std::size_t o = stride; o < n_outer; ++o) {
      if (at[o] == 0) continue;
      const std::int64_t a = std::max<std::int64_t>(0, s + 1 - total[o]),
                         b = std::min(end, most - total[o]);
      T* row = work + o * inner;
      const T* before = row - stride * inner;
      for (std::int64_t v = a; v <= b; ++v) row[v] += before[v];
    }
    if (limit >= sum_ || limit >= static_cast<std::int64_t>(box_.size[j + 1]) - 1) return;
    const std::size_t back = static_cast<std::size_t>(limit + 1) * stride;
    for (std::size_t o = n_outer; o-- > back;) {
      if (at[o] <= static_cast<std::size_t>(limit)) continue;
      const std::int64_t a = std::max<std::int64_t>(0, s + limit + 1 - total[o]),
                         b = std::min(end, most - total[o]);
      T* row = work + o * inner;
      const T* before = row - back * inner;
      for (std::int64_t v = a; v <= b; ++v) row[v] -= before[v];
    }
  }

  const Box &from_, &to_;
  std::int64_t sum_;
  Box box_;
  std::int64_t shift_;  // |v| - |w|
  std::size_t n_outer_;
  std::vector<std::size_t> stride_, from_outer_, to_outer_;
  std::vector<std::vector<std::uint32_t>> at_;
  std::vector<std::int64_t> total_;
};

}  // namespace sdclattice::twoway
