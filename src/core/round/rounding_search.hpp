// A search for controlled roundings of tables whose sums form no network.
//
// What is computed. A choice of the cells that go up, so that every sum goes to an adjacent
// multiple (or stays, where it is one), at little distance. Found, never proven: the result says
// how many multiples sums are still outside of the adjacent ones, and what it costs. How. Every
// cell starts at its nearer multiple. Then, again and again, a violated sum is drawn, and a cell of
// it, and all cells of a short sum with that cell are chosen anew together, so that the weighted
// violation is least (RoundingBlock); among equals one at random, so that the search drifts;
// towards the end sometimes those of two short sums. Where nothing better is found, the weight of
// the drawn sum grows a little, and from time to time all weights shrink (Morris 1993, The breakout
// method for escaping from local minima; Thornton 2005, Clause weighting local search for SAT). A
// cell without short sums is moved alone. Once no sum is violated, blocks are chosen anew to save
// distance. What it costs. Each step decides one cell, which takes the number of its sums. What it
// agrees with. Brute force, in costs that are no less than the optimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "round/rounding_state.hpp"

namespace sdclattice {

struct RoundingChoice {
  std::vector<std::uint8_t> up;
  std::int64_t violation = 0;
  std::int64_t cost = 0;
  bool stopped = false;  // by the limit of time
};

// At most `steps` steps to mend all sums and a quarter of them to save distance, and `seconds` of
// the processor. The same result for the same rows and steps, as long as the time does not end it.
RoundingChoice search_rounding(const RoundingRows& rows, std::uint64_t steps, double seconds,
                               const Tick& tick);

}  // namespace sdclattice
