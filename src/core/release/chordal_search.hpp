// The best decomposable release, where not all chordal graphs can be gone through.
//
// A chordal graph can be built from its clique of largest value; every other vertex adds at most
// the largest gain of an admissible set (no cell at risk has a count below beta) that holds it and
// is worth no more than that clique. Targets fall from the largest such bound to the first that
// some graph meets, which is then best. Agrees with enumerate_decomposable(), by level too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "release/chordal_graphs.hpp"

namespace sdclattice {

struct DecomposableLimits {
  std::size_t max_admissible = 200000;
  std::size_t max_margin_bytes = 400000000;
  std::size_t max_visited = 1000000;
};
DecomposableResult search_decomposable(const RiskCells& risk, std::int64_t beta,
                                       const AdditiveUtility& utility,
                                       const DecomposableLimits& limits, WorkClock& clock);

}  // namespace sdclattice
