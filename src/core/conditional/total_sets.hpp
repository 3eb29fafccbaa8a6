// The totals that a row with rates between limits can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "conditional/rates.hpp"

namespace sdclattice {

// The possible totals of a row by itself: the sums of one or more generators. Those up to a limit;
// `least` is 0 when there are none. From `all_from` on all are possible, or they are above the
// limit.
struct TotalSet {
  std::int64_t least = 0;
  std::vector<std::int64_t> generators;
  std::int64_t all_from = 0;
};
TotalSet possible_totals(const RateRow& row, std::int64_t limit, const Tick& tick);
std::int64_t least_total(const RateRow& row, std::int64_t limit, const Tick& tick);

}  // namespace sdclattice
