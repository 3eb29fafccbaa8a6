// Balanced flow of least cost on the hexagons of a grid: all that donors have goes to receivers.
//
// What is computed. A flow that takes `have` of every cell to `need`, of least total distance,
// where both have the same sum. One step between neighbours costs 1, without limits.
// How. Cost scaling (Goldberg and Tarjan 1990, Mathematics of Operations Research 15, 430-466):
// steps cost K, and a flow is tight when whole prices p exist such that p falls by at most K + 1
// from any hexagon to its neighbour, and by at least K - 1 where something flows. The prices of a
// tight flow for one K start the search for the next, which is sixteen times as large. Excess is
// pushed in order of arrival to where the price is lower by K + 1, or back along flow where it is
// lower by 1 - K; where no push is possible, the price rises to the least at which one is. Now and
// then a search from all hexagons with a deficit raises the prices by their distances.
// From scale to scale. floor(p / (K + 1)) falls by at most 1, and by 1 along most flow; the flow
// along which it does not is taken back. Times the next K, these are prices that permit no push,
// and neither pushes, rises nor searches close a circle of permitted pushes: the work ends.
// Why it is exact. A flow is best when whole prices prove it for K = 1: they fall by at most 1, and
// by exactly 1 where something flows. They are looked for after each scale, by lowering the prices
// above as far as flow asks for. Should the search be given up each time, K ends above the number n
// of hexagons. Then a circle of the residual graph with a steps along, b against flow has
// K * (a - b) >= -(a + b) >= -n > -K, so that a >= b: no circle is worth sending flow around.
// No overflow. Prices differ by at most K + 1 in a step, and those of hexagons with a deficit stay,
// so that they are below 2 (K + 1) times the diameter; a tight flow has no circles, so that no
// amount exceeds the sum of supplies times n, even while excess is under way.
// What it costs. About the power 1.6 of the hexagons on the maps of inst/bench/hex.R, of which the
// larger ones have longer ways, too.
// What it agrees with. The flow by shortest paths (hex_flow.hpp), transport(), exhaustive search.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_net.hpp"

namespace sdclattice {

// The sums of `have` and of `need` must be equal, and at most 2^62 over the size of the grid.
std::vector<HexMove> balanced_moves(const HexGrid& grid, const HexMap& map,
                                    const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, const Tick& tick);

}  // namespace sdclattice
