#include "table/totals.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/number_text.hpp"
#include "table/cell_order.hpp"
#include "table/project.hpp"

namespace sdclattice {

namespace {

// Each row once as it is and once for every total above its level of the variable.
Cells spread(const Cells& cells, const Layout& layout, std::size_t variable, const Totals& totals,
             std::size_t max_rows) {
  Cells out(layout.n_words());
  std::vector<std::uint64_t> key(layout.n_words());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t* row = cells.row(i);
    out.add(row, cells.count(i));
    std::copy_n(row, key.size(), key.data());
    const std::uint32_t level = layout.level(row, variable);
    for (std::size_t t = totals.start[level]; t < totals.start[level + 1]; ++t) {
      layout.put(key.data(), variable, totals.total[t]);
      out.add(key.data(), cells.count(i));
    }
    if (out.size() > max_rows)
      throw TooLargeError("The table with its totals needs more than " + in_groups(max_rows) +
                          " rows.");
  }
  return out;
}

}  // namespace

// One variable after the other: the rows of the table so far are repeated for the totals of that
// variable, sorted, and added up. Each cell of the result is the sum of its cells exactly once,
// because a total lists a level at most once. O(rows bits) for each variable, where rows is the
// size after spreading that variable. Agrees with addmargins() in the tests.
Cells add_totals(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<Totals>& totals, std::size_t max_rows, const Tick& tick) {
  std::vector<VariableSource> sources(totals.size());
  for (std::size_t v = 0; v < sources.size(); ++v) sources[v].variable = v;
  Cells out = project(from, cells, to, sources, tick);
  for (std::size_t v = 0; v < totals.size(); ++v) {
    report(tick, static_cast<double>(v) / static_cast<double>(totals.size()));
    if (totals[v].total.empty()) continue;
    out = spread(out, to, v, totals[v], max_rows);
    sort_cells(out, to);
    merge_neighbours(out);
  }
  return out;
}

}  // namespace sdclattice
