// Tables near one table, as the differences of some of its cells from it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sdclattice {

constexpr int kZeroShift = 1 << 15;
using Shift = std::basic_string<char16_t>;  // a hashable vector: each difference + kZeroShift

inline char16_t as_shift(int by) {
  assert(by >= -kZeroShift && by < kZeroShift);
  return static_cast<char16_t>(by + kZeroShift);
}
inline int shift_of(char16_t place) {
  return static_cast<int>(place) - kZeroShift;
}

using WeightedShifts = std::unordered_map<Shift, double>;

// The table itself, of weight 1.
inline WeightedShifts unshifted(std::size_t n_cells) {
  WeightedShifts out;
  out.emplace(Shift(n_cells, as_shift(0)), 1.0);
  return out;
}
// In an order that does not depend on hashing.
inline std::vector<std::pair<Shift, double>> sorted(const WeightedShifts& shifts) {
  std::vector<std::pair<Shift, double>> out(shifts.begin(), shifts.end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace sdclattice
