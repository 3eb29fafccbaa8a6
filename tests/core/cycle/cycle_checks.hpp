// What sets of cycles have in common, checked cell by cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cycle/cycle.hpp"

namespace cycle_checks {

using sdclattice::CycleSet;

// Each cell once with +1 and once with -1 over all cycles.
inline bool two_chances(const CycleSet& set) {
  std::vector<int> plus(set.n_cells, 0), minus(set.n_cells, 0);
  for (std::size_t i = 0; i < set.cell.size(); ++i) {
    ++(set.coef[i] > 0 ? plus : minus)[static_cast<std::size_t>(set.cell[i])];
  }
  const auto one = [](int k) { return k == 1; };
  return std::all_of(plus.begin(), plus.end(), one) && std::all_of(minus.begin(), minus.end(), one);
}

}  // namespace cycle_checks
