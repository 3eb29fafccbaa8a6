// Redistribution of counts on a map of hexagons: three ways to fill sensitive cells.
//
// A data cell is sensitive when its count is below the threshold t. Filling moves counts from cells
// above t, which stop at t, to sensitive ones, which end at exactly t: the sum of counts stays, no
// other hexagon is entered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// The order in which fill_locally() takes sensitive cells; position decides ties.
enum class HexOrder { smallest, largest, position };

// The paper's first algorithm. Each sensitive cell in turn grows a cluster by distance (then larger
// count, then position) until the mean count is at least t; inside, counts move at least distance,
// and among such moves those with the least sum of donors' ranks are taken, a rank being the place
// in the order of joining. This makes the final map unique.
std::vector<HexMove> fill_locally(HexMap& map, std::int64_t t, HexOrder order, const Tick& tick);

// The paper's second algorithm. In each full round every cell above t gives one, as long as these
// number at most what is still needed; the last round takes those nearest to a sensitive cell, then
// with the larger count, then by position. What they give goes where the total distance is least.
std::vector<HexMove> fill_globally(HexMap& map, std::int64_t t, double most_nodes,
                                   const Tick& tick);

// Least total distance, by minimum cost flow.
std::vector<HexMove> fill_optimally(HexMap& map, std::int64_t t, double most_nodes,
                                    const Tick& tick);

}  // namespace sdclattice
