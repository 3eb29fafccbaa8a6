// Tables by the counts of all their cells, first variable fastest.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "table/cell_sink.hpp"
#include "table/table.hpp"

namespace sdclattice {

// Walks through the cells in order and keeps the key of the present one.
class CellOdometer {
 public:
  // From cell number `place` on.
  explicit CellOdometer(const Layout& layout, std::size_t place = 0)
      : layout_(layout), key_(layout.n_words(), 0), at_(layout.n_variables(), 0) {
    for (std::size_t v = 0; v < at_.size() && place > 0; ++v) {
      at_[v] = static_cast<std::uint32_t>(place % layout.n_levels(v));
      layout.put(key_.data(), v, at_[v]);
      place /= layout.n_levels(v);
    }
  }

  const std::uint64_t* key() const { return key_.data(); }
  void step() {
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const bool wraps = ++at_[v] == layout_.n_levels(v);
      if (wraps) at_[v] = 0;
      layout_.put(key_.data(), v, at_[v]);
      if (!wraps) return;
    }
  }
  // The cells from here on that differ in the first variable alone, and a step over n of them.
  std::size_t run() const { return at_.empty() ? 1 : layout_.n_levels(0) - at_[0]; }
  void skip(std::size_t n) {
    if (at_.empty()) return;
    at_[0] += static_cast<std::uint32_t>(n - 1);
    step();
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

// How many counts are not zero; strips have a length that compilers know.
template <class Count>
std::size_t count_positive(const Count* counts, std::size_t n) {
  constexpr std::size_t strip = 64;
  std::size_t out = 0, i = 0;
  for (; i + strip <= n; i += strip) {
    Count some = 0;
    for (std::size_t j = i; j < i + strip; ++j) some += counts[j] != Count{0};
    out += static_cast<std::size_t>(some);
  }
  for (; i < n; ++i) out += counts[i] != Count{0};
  return out;
}

// Writes the cells among n counts that are not zero, from where the odometer stands on, and returns
// how many they are. For keys of one word. Without branches that depend on the counts.
template <class Count>
std::size_t write_positive(CellOdometer& cell, const Count* counts, std::size_t n,
                           std::uint64_t* keys, double* out) {
  constexpr std::size_t block = 512;
  std::uint64_t some_keys[2 * block];
  double some[2 * block];
  std::size_t written = 0, found = 0;
  while (n > 0) {
    const std::size_t run = std::min({cell.run(), n, block});
    for (std::size_t i = 0; i < run; ++i) {
      some_keys[found] = cell.key()[0] + i;
      some[found] = static_cast<double>(counts[i]);
      found += counts[i] != Count{0};
    }
    cell.skip(run);
    counts += run;
    n -= run;
    if (found < block && n > 0) continue;
    std::copy_n(some_keys, found, keys + written);
    std::copy_n(some, found, out + written);
    written += std::exchange(found, 0);
  }
  return written;
}

// The same into room of the caller's: threads look through pieces of the array, which stay in a
// cache, first for how many cells there are. For keys of one word, as those of fewer than 2^32
// cells are.
template <class Count>
void gather_cells(const Layout& layout, const Count* counts, std::size_t n, WorkerPool& pool,
                  const CellSink& sink) {
  assert(static_cast<double>(n) == layout.n_cells() && layout.n_words() == 1);
  constexpr std::size_t piece = std::size_t{1} << 15;
  const std::size_t n_pieces = (n + piece - 1) / piece;
  const auto size = [&](std::size_t p) { return std::min(piece, n - p * piece); };
  std::vector<std::size_t> start(n_pieces + 1, 0);
  pool.run(n_pieces, [&](std::size_t p, std::size_t) {
    start[p + 1] = count_positive(counts + p * piece, size(p));
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  const CellRoom room = sink(start.back());
  pool.run(n_pieces, [&](std::size_t p, std::size_t) {
    CellOdometer cell(layout, p * piece);
    write_positive(cell, counts + p * piece, size(p), room.keys + start[p], room.counts + start[p]);
  });
}

// A dense array pays when it is not much larger than what is counted into it.
inline bool is_dense(const Layout& layout, std::size_t n, double share) {
  return layout.n_cells() <= std::max(4096.0, share * static_cast<double>(n));
}

}  // namespace sdclattice
