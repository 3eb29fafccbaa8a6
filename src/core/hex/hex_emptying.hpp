// Redistribution of counts on a map of hexagons where some sensitive cells are emptied instead of
// filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// Least total distance when the cells marked in `emptied` end at 0, and all other sensitive ones at
// t or more. Throws InfeasibleError where that cannot be.
std::vector<HexMove> empty_and_fill(HexMap& map, std::int64_t t, const std::vector<bool>& emptied,
                                    const Tick& tick);

// The pairs between which counts may move in a best choice of emptied cells; `capacity` of a donor
// (a cell above t) is what it can give. A sensitive cell that is emptied gives to its nearest safe
// cell (`haven`, at distance `way`) or to kept sensitive cells within distance
// way(giver) + (t - 1) way(taker) + cost; a safe cell gives within (t - 1) way(taker) + cost:
// otherwise emptying the taker too, its gifts sent on to its haven, would be cheaper. Without a
// safe cell all pairs of sensitive cells count, and haven is HexIndex::kNone.
struct EmptyingArcs {
  std::vector<std::uint32_t> haven;  // of a cell; for sensitive ones only
  std::vector<std::int64_t> way;
  std::vector<std::uint32_t> from, to;
  std::vector<std::int64_t> distance;
};

// Throws TooLargeError beyond `most` arcs.
EmptyingArcs emptying_arcs(const HexMap& map, std::int64_t t, double cost, std::size_t most,
                           const Tick& tick);

// The best choice of emptied cells, the sum of distances plus `cost` for each, by trying all: for
// maps with few sensitive cells. Of equal choices the one that empties fewer, then the first in
// order of numbers. False where there is none.
bool best_emptying(const HexMap& map, std::int64_t t, double cost, std::vector<bool>& emptied,
                   const Tick& tick);

}  // namespace sdclattice
