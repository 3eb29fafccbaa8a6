// The contingency table: its non-zero cells, each a packed key and a count, in the order of the
// keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/layout.hpp"

namespace sdclattice {

// Single counts and grand totals stay at or below 2^53, so that a double holds them exactly.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;

// Cells in rows of n_words() + 1 numbers: the words of the key, then the count.
struct Cells {
  explicit Cells(std::size_t n_words) : stride(n_words + 1) {}

  std::size_t stride;
  std::vector<std::uint64_t> rows;

  std::size_t size() const { return rows.size() / stride; }
  const std::uint64_t* row(std::size_t i) const { return rows.data() + i * stride; }
  std::uint64_t count(std::size_t i) const { return rows[(i + 1) * stride - 1]; }
  void add(const std::uint64_t* key, std::uint64_t count) {
    rows.insert(rows.end(), key, key + stride - 1);
    rows.push_back(count);
  }
  // No cells, and no memory for any: `rows = {}` would keep the memory.
  void release() { std::vector<std::uint64_t>().swap(rows); }
};

// Cells that somebody else owns: n keys one after the other, and their counts, which are whole.
struct CellsView {
  const std::uint64_t* keys = nullptr;
  const double* counts = nullptr;
  std::size_t n = 0;
};

// The non-zero cells of a dense table, first variable fastest, and back.
Cells cells_from_dense(const Layout& layout, const double* counts, std::size_t n);
void write_dense(const Layout& layout, const CellsView& cells, double* out);

// The levels of one variable, from `base` on.
void write_levels(const Layout& layout, const CellsView& cells, std::size_t variable,
                  std::int32_t base, std::int32_t* out);

// What is wrong with a count, if anything.
enum class CountFault { none, missing, infinite, negative, fractional, too_large };
struct CountCheck {
  CountFault fault = CountFault::none;
  std::size_t at = 0;
  bool total_too_large = false;
};
CountCheck check_counts(const double* counts, std::size_t n);

}  // namespace sdclattice
