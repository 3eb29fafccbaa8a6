// The cheapest cells to hide, with a proof that no others cost less: an implicit hitting set.
//
// A cut is a set of candidates of which one must be hidden: with all others hidden, some demand of
// some reader is not met. The cheapest cells that hit all known cuts are a lower bound. Either they
// meet all demands, or the oracle finds cuts that they miss. Each round goes on until the cells of
// its cuts, hidden too, meet all demands: it ends with a pattern, which gives back what it does not
// need. Cuts are the blockers of the oracle, made minimal one cell at a time.
// For problems whose differences fit an exact tableau: best up to some hundred candidates, and for
// the bound beyond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct HittingLimits {
  double seconds = 60;  // of the processor
  std::uint64_t seed = 1;
  std::size_t max_entries = 25000000;  // of the exact tableau, 8 bytes each
};

// What the search did, for those who measure it.
struct HittingEffort {
  std::size_t n_rounds = 0, n_cuts = 0, n_asked = 0, n_searched = 0;
};

// Demands that no pattern meets are listed in `lacking`, proved; all others are met at the least
// cost. `start`: certificates that somebody has found, each of which certifies with all candidates
// hidden; they make the work shorter. Stopped by the limits, the best pattern so far and the bound
// so far remain; it lacks what it had no time for. Exponential at worst. TooLargeError when the
// tableau exceeds its limit.
SuppressionPattern hitting_pattern(const SuppressionProblem& problem, const HittingLimits& limits,
                                   const Tick& tick, const std::vector<Certificate>& start = {},
                                   HittingEffort* effort = nullptr);

}  // namespace sdclattice
