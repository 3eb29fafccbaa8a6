#include "bounds/cell_values.hpp"

#include <algorithm>

#include "base/flat_map.hpp"
#include "bounds/dense_table.hpp"

namespace sdclattice {

namespace {

std::vector<double> dense_values(const Layout& layout, const CellsView& cells,
                                 const AskedCells& asked) {
  const DenseTable table(layout, cells);
  std::vector<std::size_t> place(asked.n, 0);
  for (std::size_t v = 0; v < layout.n_variables(); ++v)
    for (std::size_t i = 0; i < asked.n; ++i)
      place[i] += static_cast<std::size_t>(asked.levels[v][i] - 1) * table.stride[v];
  std::vector<double> out(asked.n);
  for (std::size_t i = 0; i < asked.n; ++i) out[i] = table.count[place[i]];
  return out;
}

std::vector<double> hashed_values(const Layout& layout, const CellsView& cells,
                                  const AskedCells& asked) {
  KeyNumbers<> stored(layout.n_words(), 1, cells.n);
  for (std::size_t i = 0; i < cells.n; ++i)
    *stored.extra(stored.number(cells.keys + i * layout.n_words())) =
        static_cast<std::uint64_t>(cells.counts[i]);
  std::vector<double> out(asked.n, 0);
  std::vector<std::uint64_t> key(layout.n_words());
  for (std::size_t i = 0; i < asked.n; ++i) {
    std::fill(key.begin(), key.end(), 0);
    for (std::size_t v = 0; v < layout.n_variables(); ++v)
      layout.put(key.data(), v, static_cast<std::uint32_t>(asked.levels[v][i] - 1));
    const std::uint32_t at = stored.find(key.data());
    if (at != stored.kNone) out[i] = static_cast<double>(*stored.extra(at));
  }
  return out;
}

// Keys as numbers: the last word is the most significant.
int compare_keys(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t w = words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

}  // namespace

std::vector<double> values_at(const Layout& layout, const CellsView& cells,
                              const AskedCells& asked) {
  const double room = 4.0 * static_cast<double>(cells.n + asked.n) + 65536;
  return layout.n_cells() <= room ? dense_values(layout, cells, asked)
                                  : hashed_values(layout, cells, asked);
}

std::vector<Disagreement> compare_tables(const Cells& a, const Cells& b, std::size_t max_found) {
  std::vector<Disagreement> out;
  const std::size_t words = a.stride - 1;
  const auto note = [&](const std::uint64_t* key, std::uint64_t first, std::uint64_t second) {
    out.push_back({{key, key + words}, first, second});
  };
  std::size_t i = 0, j = 0;
  while (out.size() < max_found && (i < a.size() || j < b.size())) {
    const int order = i == a.size()   ? 1
                      : j == b.size() ? -1
                                      : compare_keys(a.row(i), b.row(j), words);
    if (order == 0 && a.count(i) != b.count(j)) note(a.row(i), a.count(i), b.count(j));
    if (order < 0) note(a.row(i), a.count(i), 0);
    if (order > 0) note(b.row(j), 0, b.count(j));
    i += order <= 0;
    j += order >= 0;
  }
  return out;
}

}  // namespace sdclattice
