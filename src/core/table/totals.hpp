// Tables with their totals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/table.hpp"

namespace sdclattice {

// For each level of a variable the levels that are totals of it: those of level l are
// total[start[l]], ..., total[start[l + 1] - 1].
struct Totals {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> total;
};

// Adds to a table the totals over every variable. `to` has the levels of `from` and, after them,
// the totals. Refuses to hold more than max_rows rows at a time.
Cells add_totals(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<Totals>& totals, std::size_t max_rows, const Tick& tick);

}  // namespace sdclattice
