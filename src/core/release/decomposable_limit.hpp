// How much a decomposable release can be worth at most: the certificate of a search.
#pragma once

#include <cstddef>
#include <vector>

#include "release/additive_utility.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// No decomposable release that consists of the sub-tables of `admissible` (closed downwards), and
// holds those of `forced`, is worth more. O(admissible (n + listed values)). -1 when there can be
// no such release.
double decomposable_limit(std::size_t n_variables, const std::vector<SubTable>& admissible,
                          const AdditiveUtility& utility, const std::vector<SubTable>& forced = {});
// The same by level: all sets are closed.
double decomposable_limit(const LevelSteps& steps, const std::vector<SubTable>& admissible,
                          const AdditiveUtility& utility, const std::vector<SubTable>& forced);

}  // namespace sdclattice
