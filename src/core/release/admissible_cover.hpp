// The frontier of the admissible sub-tables, or sets that cover it, where there are too many to
// list.
//
// What is computed. Sets of variables such that every admissible sub-table (admissible.hpp) lies
// inside one of them: at first all variables. The largest set in which a cell at risk has a count
// below beta is split: whatever part of it is admissible must be shared with another stored cell,
// so it lies inside the variables on which some cell agrees with the one at risk. Cells at risk
// with the rarest levels come first, since others agree with them on few variables.
// What it guarantees. A cover at any moment; when no set is left to be split, exactly the maximal
// admissible sub-tables. The same work gives the same cover.
// What it costs. O(stored cells) for each split, and a comparison with the sets at hand for each
// set that comes out of it.
// Agrees with the maximal sets of admissible_sets().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "release/additive_utility.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct AdmissibleCover {
  std::vector<SubTable> sets;  // none inside another, largest first
  bool complete = false;       // they are the maximal admissible sub-tables
};

// `max_looks`: at stored cells and at sets; some 10^9 in a second or two.
AdmissibleCover cover_admissible(const RiskCells& cells, std::int64_t beta,
                                 const std::vector<SubTable>& forbidden, double max_looks,
                                 const Tick& tick = {});

// No decomposable release whose sub-tables lie inside the sets of a cover is worth more.
double covered_limit(std::size_t n_variables, const std::vector<SubTable>& cover,
                     const AdditiveUtility& utility);

}  // namespace sdclattice
