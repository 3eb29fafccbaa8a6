// Which sums of some leaves are the same in all tables of a list.
#ifndef SDCLATTICE_AUDIT_DERIVED_HPP
#define SDCLATTICE_AUDIT_DERIVED_HPP

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "audit-search.hpp"

namespace audit {

constexpr std::size_t kMostDerivedLeaves = 20;

inline Whole common_divisor(Whole a, Whole b) {
  while (b != 0) {
    const Whole rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

// The space that the differences of tables span: rows in echelon form, over whole numbers.
class Differences {
 public:
  explicit Differences(std::size_t n) : n_(n) {}

  void add(Table x) {
    for (std::size_t row = 0; row < rows_.size(); ++row) clear(x, rows_[row], pivots_[row]);
    shorten(x);
    const auto pivot = std::find_if(x.begin(), x.end(), [](Whole v) { return v != 0; });
    if (pivot == x.end()) return;
    pivots_.push_back(static_cast<std::size_t>(pivot - x.begin()));
    rows_.push_back(x);
  }

  bool is_full() const { return rows_.size() == n_; }
  const std::vector<Table>& rows() const { return rows_; }

 private:
  // A multiple of x with 0 where the row has its pivot.
  void clear(Table& x, const Table& row, std::size_t pivot) const {
    if (x[pivot] == 0) return;
    const Whole divisor = common_divisor(x[pivot], row[pivot]);
    const Whole own = row[pivot] / divisor;
    const Whole other = x[pivot] / divisor;
    for (std::size_t k = 0; k < n_; ++k) {
      Whole a = 0;
      Whole b = 0;
      if (__builtin_mul_overflow(x[k], own, &a) || __builtin_mul_overflow(row[k], other, &b) ||
          __builtin_sub_overflow(a, b, &x[k]))
        throw std::overflow_error("The numbers become too large.");
    }
    shorten(x);
  }

  static void shorten(Table& x) {
    Whole divisor = 0;
    for (Whole value : x) divisor = common_divisor(divisor, value);
    if (divisor > 1)
      for (Whole& value : x) value /= divisor;
  }

  std::size_t n_;
  std::vector<Table> rows_;
  std::vector<std::size_t> pivots_;
};

// The sets of leaves, of at most 20, whose sum is constant and from 1 to `small`, and that hold no
// other such set. `truth` and the differences are of these leaves alone.
inline std::vector<Leaves> constant_sets(const Table& truth, const Differences& space,
                                         Whole small) {
  const std::size_t n = truth.size();
  Table products(space.rows().size(), 0);
  Whole sum = 0;
  std::vector<std::uint32_t> found;
  std::uint32_t set = 0;
  for (std::uint32_t step = 1; step < (std::uint32_t{1} << n); ++step) {
    // one leaf comes or goes
    std::size_t leaf = 0;
    while (((step >> leaf) & 1u) == 0) ++leaf;
    set ^= std::uint32_t{1} << leaf;
    const Whole sign = ((set >> leaf) & 1u) != 0 ? 1 : -1;
    sum += sign * truth[leaf];
    bool zero = true;
    for (std::size_t row = 0; row < products.size(); ++row) {
      products[row] += sign * space.rows()[row][leaf];
      zero = zero && products[row] == 0;
    }
    if (zero && sum >= 1 && sum <= small) found.push_back(set);
  }
  const auto size = [](std::uint32_t x) { return __builtin_popcount(x); };
  std::stable_sort(found.begin(), found.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return size(a) < size(b); });
  std::vector<std::uint32_t> least;
  for (std::uint32_t one : found) {
    const bool holds = std::any_of(least.begin(), least.end(),
                                   [&](std::uint32_t other) { return (one & other) == other; });
    if (!holds) least.push_back(one);
  }
  std::vector<Leaves> out;
  for (std::uint32_t one : least) {
    out.emplace_back();
    for (std::size_t leaf = 0; leaf < n; ++leaf)
      if (((one >> leaf) & 1u) != 0) out.back().push_back(static_cast<int>(leaf));
  }
  return out;
}

}  // namespace audit

#endif
