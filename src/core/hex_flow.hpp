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

#include "core/hex_grid.hpp"
#include "core/hex_transport.hpp"
#include "core/tick.hpp"

namespace sdclattice {

// Rows of hexagons around a map, with a border of one hexagon that nothing enters. In a slanted
// grid columns are q, otherwise q + floor(r / 2).
class HexGrid {
 public:
  explicit HexGrid(const HexMap& map);
  // As a real number: it may exceed every whole one.
  double size() const { return static_cast<double>(width_) * static_cast<double>(height_); }
  std::size_t node(std::int64_t q, std::int64_t r) const;
  std::size_t width() const { return static_cast<std::size_t>(width_); }
  std::size_t height() const { return static_cast<std::size_t>(height_); }
  // What to add to a node in the given row (from 0) to come to its neighbour.
  std::int64_t step(std::size_t row, int direction) const {
    return steps_[(row + odd_start_) % 2][direction];
  }

 private:
  std::int64_t shift(std::int64_t r) const;

  bool slanted_ = true;
  std::int64_t r0_ = 0, column0_ = 0, width_ = 2, height_ = 2;
  std::size_t odd_start_ = 0;
  std::int64_t steps_[2][6] = {};
};

// `have` and `need` of each cell, not both positive. On the grid where that has at most
// `most_nodes` hexagons, otherwise by transport(). Throws InfeasibleError where there is not
// enough.
std::vector<HexMove> cheapest_moves(const HexMap& map, const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, double most_nodes,
                                    const Tick& tick);

// The grid that is worth its memory: some tens of hexagons for each data cell.
inline double default_grid(const HexMap& map) {
  return 4096.0 + 64.0 * static_cast<double>(map.size());
}

}  // namespace sdclattice
