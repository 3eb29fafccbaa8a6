#include "table/table.hpp"

#include <cmath>

#include "table/dense_cells.hpp"

namespace sdclattice {

Cells cells_from_dense(const Layout& layout, const double* counts, std::size_t n) {
  return gather_cells(layout, counts, n);
}

void write_dense(const Layout& layout, const CellsView& cells, double* out) {
  const std::vector<std::size_t> strides = layout.strides();
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::size_t at = 0;
    for (std::size_t v = 0; v < strides.size(); ++v)
      at += strides[v] * layout.level(cells.keys + i * layout.n_words(), v);
    out[at] = cells.counts[i];
  }
}

void write_levels(const Layout& layout, const CellsView& cells, std::size_t variable,
                  std::int32_t base, std::int32_t* out) {
  const std::size_t words = layout.n_words();
  for (std::size_t i = 0; i < cells.n; ++i)
    out[i] = static_cast<std::int32_t>(layout.level(cells.keys + i * words, variable)) + base;
}

CountCheck check_counts(const double* counts, std::size_t n) {
  CountCheck out;
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = counts[i];
    const CountFault fault = std::isnan(x)                        ? CountFault::missing
                             : std::isinf(x)                      ? CountFault::infinite
                             : x < 0                              ? CountFault::negative
                             : x != std::floor(x)                 ? CountFault::fractional
                             : x > static_cast<double>(kMaxCount) ? CountFault::too_large
                                                                  : CountFault::none;
    if (fault != CountFault::none) return {fault, i, false};
    total += x;
    if (total > static_cast<double>(kMaxCount)) out.total_too_large = true;
  }
  return out;
}

}  // namespace sdclattice
