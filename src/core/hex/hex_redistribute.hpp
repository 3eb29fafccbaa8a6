// Redistribution of counts on a map of hexagons: outliers, and three ways to fill sensitive cells.
//
// A data cell is sensitive when its count is below the threshold t. Filling moves counts from cells
// above t, which stop at t, to sensitive ones, which end at exactly t: the sum of counts stays, no
// other hexagon is entered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// One cell or two adjacent ones, all sensitive, with no other data cell within distance t.
struct HexOutlier {
  std::uint32_t cell[2];
  std::size_t size;
};

// By position of their first cells.
std::vector<HexOutlier> find_outliers(const HexMap& map, std::int64_t t);

// Moves every outlier to the data cells around it, one count each: nearest first, then the larger
// count before these moves, then position; again from the first when there are fewer cells than
// counts. Smallest total first, then position; an outlier that received t by then is none any more.
// An outlier without any other data cell stays. The map keeps cells with a count of 0.
std::vector<HexMove> redistribute_outliers(HexMap& map, std::int64_t t);

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

// The sum of distances; throws TooLargeError beyond 2^53.
std::int64_t total_distance(const HexMap& map, const std::vector<HexMove>& moves);

}  // namespace sdclattice
