// Margins, selections and permutations of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/cell_runs.hpp"
#include "table/table.hpp"

namespace sdclattice {

// How a variable of a new table comes from one of an old table: level l becomes map[l], or l when
// `map` is null; a cell with a negative map is left out.
struct VariableSource {
  std::size_t variable = 0;
  const std::int32_t* map = nullptr;
};

// The table over some variables of another, in any order, some levels left out or merged: margins,
// selections and permutations.
Cells project(const Layout& from, const CellsView& cells, const Layout& to,
              const std::vector<VariableSource>& sources, const Tick& tick);

// The same into `runs`, block by block, without a copy of the table.
void project_in_runs(const Layout& from, const CellsView& cells, const Layout& to,
                     const std::vector<VariableSource>& sources, CellRuns& runs);

}  // namespace sdclattice
