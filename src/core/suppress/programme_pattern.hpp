// Which cells to hide, for tables of up to some 5,000 cells: linear programmes whose vertices serve
// many demands at once, a drop pass, and neighbourhoods (vertex_search.hpp). A heuristic: what it
// returns is certified, and not proved to be the cheapest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct ProgrammeLimits {
  double seconds = 60;  // of processor time
  std::uint64_t seed = 1;
  std::size_t rounds = 4;   // searches of which the best counts, while there is time
  std::size_t starts = 4;   // constructions in each, of which the best is improved
  std::size_t barren = 2;   // sweeps of neighbourhoods without a gain, after which a round ends
  std::int64_t enough = 0;  // a pattern of this cost is not improved
};

// The certificates meet every demand but the lacking ones; `impossible` where that is proved.
// `bound` is 0. When the time is up, the best so far. What a tick throws passes, WorkInterrupted
// apart, which ends the work as the time does.
SuppressionPattern programme_pattern(const SuppressionProblem& problem,
                                     const ProgrammeLimits& limits, const Tick& tick);

// Starts from a pattern, whoever made it. Its certificates count as far as they certify; what they
// leave open is served among its hidden cells where that can be, else by more cells. No dearer than
// the start, if the certificates of that meet all demands that can be met.
SuppressionPattern improve_pattern(const SuppressionProblem& problem,
                                   const SuppressionPattern& start, const ProgrammeLimits& limits,
                                   const Tick& tick);

// The same, but no cell is added: what the hidden cells of the start certify, and no search.
SuppressionPattern pattern_within(const SuppressionProblem& problem,
                                  const std::vector<char>& hidden, const ProgrammeLimits& limits,
                                  const Tick& tick);

// Hides more cells, cheap ones, until every demand is met that can be met. No hidden cell is
// published. `bound` is 0.
SuppressionPattern repair_pattern(const SuppressionProblem& problem,
                                  const std::vector<char>& hidden, const ProgrammeLimits& limits,
                                  const Tick& tick);

}  // namespace sdclattice
