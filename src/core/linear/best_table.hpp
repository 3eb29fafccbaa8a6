// The table of whole numbers within linear constraints that makes a weighted sum of its cells
// least: an integer programme, solved with proof.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct BestTable {
  std::vector<std::int64_t> values;  // empty when none was found
  std::int64_t sum = 0;              // of the values
  std::int64_t bound = 0;            // no table has a smaller sum
  bool interrupted = false;
  bool proved() const { return !values.empty() && sum == bound; }
};

// What may help a search.
struct BestTableHints {
  std::vector<char> first;          // of each cell, whether it decides much; or empty
  std::vector<std::int64_t> table;  // one to start from; or empty
};

// All cells have limits. `weight`: of each cell. InfeasibleError when it is proved that there is no
// table; TooLargeError when the sum may exceed 2^53. Exponential at worst: after `seconds` of
// processor time the best table so far and the bound so far remain. The same for the same input,
// wherever the time does not end it.
BestTable best_table(const LinearSystem& system, const std::vector<std::int64_t>& weight,
                     double seconds, const Tick& tick, const BestTableHints& hints = {});

}  // namespace sdclattice
