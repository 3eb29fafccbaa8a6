// The totals that a row of rates may still have, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conditional/rate_system.hpp"

namespace sdclattice {

// Totals between two limits, in steps of the least total where the rates are exact.
class RowDomain {
 public:
  // Every total that a row may have between the limits of its unknown, which are finite.
  RowDomain(const RateLine& line, const LinearSystem& system);
  static double size(const RateLine& line, const LinearSystem& system);

  bool has(std::int64_t total) const;
  std::int64_t first() const { return first_ + by_ * from_; }
  std::int64_t last() const { return first_ + by_ * to_; }
  bool empty() const { return from_ > to_; }
  std::int64_t n_totals() const;
  double length() const { return static_cast<double>(to_ - from_ + 1); }
  std::int64_t by() const { return by_; }

  // Keeps the totals for which keep(t) holds. Says whether some went.
  template <class Keep>
  bool filter(const Keep& keep) {
    const std::int64_t from = from_, to = to_;
    bool went = false;
    from_ = 0, to_ = -1;
    for (std::int64_t i = from; i <= to; ++i) {
      if (!has_[static_cast<std::size_t>(i)]) continue;
      if (!keep(first_ + by_ * i)) {
        has_[static_cast<std::size_t>(i)] = false;
        went = true;
        continue;
      }
      if (from_ > to_) from_ = i;
      to_ = i;
    }
    return went;
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::int64_t i = from_; i <= to_; ++i)
      if (has_[static_cast<std::size_t>(i)]) visit(first_ + by_ * i);
  }

 private:
  std::int64_t first_ = 0, by_ = 1, from_ = 0, to_ = -1;
  std::vector<bool> has_;
};

// The least and the largest value of each cell of a row for one total, given limits of the cells.
class RowCells {
 public:
  RowCells(const RateLine& line, const LinearSystem& system)
      : line_(line), system_(system), low_(line.sum.size()), high_(line.sum.size()) {}

  // False when the row cannot have the total.
  bool look(std::int64_t total);
  std::int64_t least(std::size_t j) const { return low_[j]; }
  std::int64_t largest(std::size_t j) const { return high_[j]; }

 private:
  const RateLine& line_;
  const LinearSystem& system_;
  std::vector<std::int64_t> low_, high_;
};

}  // namespace sdclattice
