// How much any pattern must hide, by the linear programme of capacity cuts (Fischetti and Salazar
// 2001) and branch and bound.
//
// What is computed. Cuts of single relations begin. The cheapest choice that meets all cuts is
// sought over the real numbers, then new cuts exclude it, until no demand gives one; in the end the
// same over whole numbers. The duals of the programme are rounded and summed up in whole numbers:
// each bound is proved.
// What it costs. Two linear programmes over the table for each demand and round, so that it is for
// tables of some thousand cells; it ends with the time, and what is proved remains.
// Agrees with the least cost of all patterns of small tables, and with hitting_pattern().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/capacity_cuts.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct CapacityBound {
  std::int64_t cost = 0;  // no pattern that meets the demands costs less
  // A choice of candidates that meets all cuts at the least cost, where there was time to find one.
  // Mostly a pattern, but that is for others to prove.
  std::vector<char> cover;
  std::vector<CapacityCut> cuts;  // all that were in use at the end
  std::size_t n_rounds = 0;
  bool interrupted = false;
};

struct CapacityLimits {
  double seconds = 10;  // of the processor
  std::uint64_t seed = 1;
};

// `best`: a pattern; its lacking demands are not to be met. All that are impossible must be among
// them, or the cuts say too much. The work ends where the bound attains its cost. `start`: cuts of
// an earlier call for the same demands.
CapacityBound capacity_bound(const SuppressionProblem& problem, const SuppressionPattern& best,
                             const CapacityLimits& limits, const Tick& tick,
                             std::vector<CapacityCut> start = {});

}  // namespace sdclattice
