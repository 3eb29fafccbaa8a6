// Tables by the counts of all their cells, first variable fastest.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

// Walks through the cells in order and keeps the key of the present one.
class CellOdometer {
 public:
  explicit CellOdometer(const Layout& layout)
      : layout_(layout), key_(layout.n_words(), 0), at_(layout.n_variables(), 0) {}

  const std::uint64_t* key() const { return key_.data(); }
  void step() {
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const bool wraps = ++at_[v] == layout_.n_levels(v);
      if (wraps) at_[v] = 0;
      layout_.put(key_.data(), v, at_[v]);
      if (!wraps) return;
    }
  }

 private:
  const Layout& layout_;
  std::vector<std::uint64_t> key_;
  std::vector<std::uint32_t> at_;
};

// The non-zero cells among all counts, in order.
template <class Count>
Cells gather_cells(const Layout& layout, const Count* counts, std::size_t n) {
  assert(static_cast<double>(n) == layout.n_cells());
  Cells out(layout.n_words());
  const std::size_t zeros = static_cast<std::size_t>(std::count(counts, counts + n, Count{0}));
  out.rows.reserve((n - zeros) * out.stride);
  CellOdometer cell(layout);
  for (std::size_t i = 0; i < n; ++i, cell.step())
    if (counts[i] != Count{0}) out.add(cell.key(), static_cast<std::uint64_t>(counts[i]));
  return out;
}

// A dense array pays when it is not much larger than what is counted into it.
inline bool is_dense(const Layout& layout, std::size_t n, double share) {
  return layout.n_cells() <= std::max(4096.0, share * static_cast<double>(n));
}

}  // namespace sdclattice
