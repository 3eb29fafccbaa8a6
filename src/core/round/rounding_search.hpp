// A search for controlled roundings of tables whose sums form no network.
//
// What is computed. A choice of the cells that go up, so that every sum goes to an adjacent
// multiple (or stays, where it is one), at little distance. Found, never proven: the result says
// how many multiples sums are still outside of the adjacent ones, and what it costs. How. Every
// cell starts at its nearer multiple. Then, again and again, a sum that is violated is drawn, and
// of some of its cells that can mend it the one is moved that violates the other sums least, by
// weights; where every move makes things worse, the weights of the violated sums grow (Morris 1993,
// The breakout method for escaping from local minima). Once no sum is violated, cells are moved to
// their nearer multiple one by one, and each time the damage is repaired in a few moves; what costs
// less in the end is kept. What it costs. Each move takes the number of sums of a cell for each of
// `kTried` cells. What it agrees with. Brute force, in costs that are no less than the optimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// Row r sums `cells` from start[r] on. So many of them must go up: target[r], or one more where
// room[r] is 1, which costs row_cost[r].
struct RoundingRows {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> cells;
  std::vector<std::int64_t> target;
  std::vector<std::uint8_t> room;
  std::vector<std::int64_t> row_cost;
  std::vector<std::int64_t> cost;  // of going up, for each cell

  std::size_t n_rows() const { return target.size(); }
  std::size_t n_cells() const { return cost.size(); }
};

struct RoundingChoice {
  std::vector<std::uint8_t> up;
  std::int64_t violation = 0;
  std::int64_t cost = 0;
  bool stopped = false;  // by the limit of time
};

// At most `moves` moves, and `seconds` of the processor. The same result for the same rows and
// moves, as long as the time does not end it.
RoundingChoice search_rounding(const RoundingRows& rows, std::uint64_t moves, double seconds,
                               const Tick& tick);

}  // namespace sdclattice
