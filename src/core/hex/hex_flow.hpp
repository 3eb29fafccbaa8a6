// Minimum cost flow on the graph of hexagons: one step between neighbours costs 1, without limits.
//
// What is computed. Amounts that donors give (at most what they have) and moves of them to the
// receivers (exactly what they need), of least total distance.
// How. Primal-dual, from the receivers: a search by distance with potentials (costs are 0, 1 or 2,
// so that three buckets do) up to the nearest donor that has something left; then blocking flows
// among the arcs that cost nothing. Flow is sent by capacities, never by units. The potentials
// prove the optimum. Flow of least cost has no circles, and each of its paths is a shortest one, so
// that any way of taking it apart into moves has the same total distance.
// What it costs. A search for each distinct length of a cheapest path, each no larger than the area
// within that length of a receiver that still needs something. Memory: the hexagons of the smallest
// rectangle or parallelogram around the map, which holds a shortest path between any two cells.
// What it agrees with. transport(), a linear programme, exhaustive search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_net.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// `have` and `need` of each cell, not both positive. On the grid where that has at most
// `most_nodes` hexagons, otherwise by transport(). On the grid by cost scaling (hex_scaling.hpp)
// where donors must give all they have, otherwise by shortest paths: the former has no use for what
// stays, the latter takes long paths and many of them where nothing does. Throws InfeasibleError
// where there is not enough, and TooLargeError where a sum of counts is 2^63 or more.
std::vector<HexMove> cheapest_moves(const HexMap& map, const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, double most_nodes,
                                    const Tick& tick);

// By the flow described above, on the grid.
std::vector<HexMove> moves_by_shortest_paths(const HexGrid& grid, const HexMap& map,
                                             const std::vector<std::int64_t>& have,
                                             const std::vector<std::int64_t>& need,
                                             const Tick& tick);

// The grid that is worth its memory: some tens of hexagons for each data cell.
inline double default_grid(const HexMap& map) {
  return 4096.0 + 64.0 * static_cast<double>(map.size());
}

}  // namespace sdclattice
