// The exact law of a weighted sum of changes, by carrying the sum along the chain: messages have a
// number for each state and each value that the sum can have so far. Linear in states times values.
#pragma once

#include <cstdint>
#include <vector>

#include "posterior/posterior.hpp"

namespace sdclattice {

// probability[i] is that of the sum low + i.
struct SumLaw {
  std::int64_t low = 0;
  std::vector<double> probability{1.0};
};

// The sum over laws of coefficient[law] x change. Throws TooLargeError beyond max_products.
SumLaw sum_changes(PosteriorModel& model, const Prior& prior,
                   const std::vector<std::int32_t>& coefficient, double max_products,
                   const Tick& tick);

}  // namespace sdclattice
