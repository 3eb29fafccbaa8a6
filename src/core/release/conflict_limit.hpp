// How many sub-tables a safe release can have at most, when not all admissible ones fit together.
//
// What is computed. Sets W of variables that are not admissible themselves, but one variable more
// than an admissible one: if all admissible sub-tables inside W were released, the shuttle on the
// table over W may show that a cell at risk has an upper bound below beta there. Its lower bound is
// at least 0, so that its interval in the full table is narrower than beta as well: the release is
// unsafe, and so is every larger one. A safe release thus lacks one of the maximal admissible
// sub-tables inside W, and all that hold it. The least number of sub-tables that repairs all these
// conflicts is found by branch and bound, one conflict after the other.
// What it guarantees. No safe release has more sub-tables. Two sub-tables alone are never such a
// conflict: their bounds are the closed form of a decomposable release. Limits of work leave a
// weaker bound; they do not look at the clock.
// Agrees with the largest safe release among all, by enumeration, which it never falls below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct ConflictWork {
  double max_looks = 1e8;           // at stored cells and at cells of shuttles, in all
  std::size_t max_sets = 20000;     // admissible ones; with more there is no search
  std::size_t max_branches = 4000;  // for each conflict
};

struct ConflictLimit {
  std::size_t n_sets = 0;       // of a release at most, the empty one not counted
  std::size_t n_conflicts = 0;  // that were found
};

// `admissible`: all of admissible_sets().
ConflictLimit conflict_limit(const RiskCells& risk, const std::vector<SubTable>& admissible,
                             std::int64_t beta, const ConflictWork& work, const Tick& tick);

}  // namespace sdclattice
