// Moves between given hexagons at least total distance: a transportation problem whose distances
// are computed and never stored.
//
// What is computed. Amounts x(i, j) >= 0 from donors to receivers: every receiver gets its need, no
// donor gives more than it has, and the sum of x(i, j) * (distance(i, j) - offset(i)) is least;
// among such amounts the sum of x(i, j) * rank(i) is least. Amounts are whole numbers.
// How. Receivers come one at a time and pull what they need along cheapest paths of the residual
// graph (Dijkstra with potentials, up to the first donor that has something left); the potentials
// prove the optimum. What it costs. O(donors) memory, and O(donors) time for every receiver and
// donor that a search settles. What it agrees with. Exhaustive search, and the flow on the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"

namespace sdclattice {

// `cell` is an index into the map. distance(i, j) >= offset(i) for all receivers j.
struct HexDonor {
  std::uint32_t cell;
  std::int64_t capacity;
  std::int64_t offset;
  std::int64_t rank;
};

struct HexReceiver {
  std::uint32_t cell;
  std::int64_t need;
};

struct HexMove {
  std::uint32_t from, to;  // cells
  std::int64_t amount;
};

// In order of (from, to), one entry a pair. Throws InfeasibleError where capacities are too small.
std::vector<HexMove> transport(const HexMap& map, const std::vector<HexDonor>& donors,
                               const std::vector<HexReceiver>& receivers, const Tick& tick);

// Sorts moves and adds up those of one pair.
void tidy_moves(std::vector<HexMove>& moves);

}  // namespace sdclattice
