// Rounding of small counts: no published cell is left between 0 and the base.
//
// What is computed. A table of leaf cells in which some small counts are 0 or the base, so that
// each published cell that was below the base is 0 or the base, no other published cell is between,
// and the published cells are near the original ones in the sum of squares. Leaf cells that are not
// below a small published cell stay. How. Candidates are the leaf cells below small published
// cells. One after the other goes where the sums that are decided so far come nearer (as errors are
// diffused over a picture); then single candidates and pairs of the same sum change sides while
// that helps, at first also when it hurts a little (simulated annealing). A published cell that is
// small now makes the rest of its leaf cells candidates, and all is repeated; in the end there is
// none. What it guarantees. The absence of small published counts, and that only counts below the
// base changed; the distance is that of a heuristic. What it costs. Each trial the number of
// published cells above a leaf cell, and memory for each pair of a candidate and one of these.
// Agrees with all choices, in a distance that is no less than the least.
//
// The idea of rounding only what is below small published cells is that of Langsrud and Heldal
// (2018), An algorithm for small count rounding of tabular data, Privacy in Statistical Databases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "base/tick.hpp"
#include "round/cell_sums.hpp"

namespace sdclattice {

struct SmallRounding {
  std::vector<std::uint32_t> cells;  // those that were candidates, ascending
  std::vector<std::uint8_t> up;      // whether each is the base, or 0
  bool stopped = false;              // by the limit of time, while distance was saved
};

struct SmallEffort {
  std::uint64_t trials = 0;
  double seconds = 0;
};

// `base` from 1 to 1e9. The order in which candidates are decided, and every trial, follow `seed`:
// the same result for the same seed, as long as the time does not end it.
SmallRounding round_small(const CellsView& cells, CellSums& sums, std::int64_t base,
                          std::uint64_t seed, const SmallEffort& effort, const Tick& tick);

}  // namespace sdclattice
