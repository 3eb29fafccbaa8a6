// How well a decomposable release lets a reader rebuild the full table.
//
// Iterative proportional fitting of cliques C with separators S gives m(x) = prod n_C / prod n_S in
// closed form, and 1 / levels for each variable that no clique holds. The squared error over all
// cells is sum n^2 - 2 sum n m + sum m^2. The first two sums run over stored cells; the third over
// all cells, but it factors along the junction tree: from the leaves on, each clique's n_C^2 times
// what came from its children is summed onto its separator, over n_S^2. So nothing is as large as
// the full table: O(cliques x stored cells).
#pragma once

#include <vector>

#include "base/tick.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// The sum of squared errors over all cells. `cliques` are those of a decomposable release, and all
// stored cells are at risk in `cells`.
double decomposable_fit_error(const RiskCells& cells, const std::vector<SubTable>& cliques,
                              const Tick& tick);

}  // namespace sdclattice
