// A vector of numbers most of which are zero, with a bit for each place that may not be. To go
// through it costs a look at 64 places at a time, and the places come in order: what solving with a
// triangular matrix needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"

namespace sdclattice {

class MarkedVector {
 public:
  MarkedVector() = default;
  explicit MarkedVector(std::size_t n) : value_(n, 0.0), mark_((n + 63) / 64, 0) {}

  std::size_t size() const { return value_.size(); }
  double operator[](std::size_t i) const { return value_[i]; }
  void add(std::size_t i, double x) {
    value_[i] += x;
    mark_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  void set(std::size_t i, double x) {
    value_[i] = x;
    mark_[i / 64] |= std::uint64_t{1} << (i % 64);
  }

  // Visits marked places in ascending order, also those behind it that the visit marks.
  template <class Visit>
  void ascend(std::size_t from, Visit visit) {
    std::uint64_t open = ~std::uint64_t{0} << (from % 64);
    for (std::size_t w = from / 64; w < mark_.size(); ++w, open = ~std::uint64_t{0})
      while (const std::uint64_t bits = mark_[w] & open) {
        const auto b = static_cast<unsigned>(lowest_bit(bits));
        open = b == 63 ? 0 : ~std::uint64_t{0} << (b + 1);
        visit(w * 64 + b);
      }
  }
  // The same in descending order.
  template <class Visit>
  void descend(Visit visit) {
    for (std::size_t w = mark_.size(); w-- > 0;) {
      std::uint64_t open = ~std::uint64_t{0};
      while (const std::uint64_t bits = mark_[w] & open) {
        const auto b = static_cast<unsigned>(highest_bit(bits));
        open = (std::uint64_t{1} << b) - 1;
        visit(w * 64 + b);
      }
    }
  }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t w = 0; w < mark_.size(); ++w)
      for (std::uint64_t bits = mark_[w]; bits != 0; bits &= bits - 1)
        visit(w * 64 + static_cast<unsigned>(lowest_bit(bits)));
  }
  void clear() {
    each([&](std::size_t i) { value_[i] = 0.0; });
    std::fill(mark_.begin(), mark_.end(), 0);
  }
  void forget(std::size_t i) { value_[i] = 0.0; }

 private:
  std::vector<double> value_;
  std::vector<std::uint64_t> mark_;
};

}  // namespace sdclattice
