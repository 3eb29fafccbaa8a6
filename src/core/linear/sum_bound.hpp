// How small a weighted sum of cells can be, by a combination of rows, in exact whole numbers: any
// multipliers give a bound that holds, as in safe_bound.hpp.
//
// For whole numbers Y and a common denominator D,
//   D w x >= sum over rows Y_r (row_lower_r where Y_r > 0, else row_upper_r)
//            + sum over cells min(c_i lower_i, c_i upper_i),  c = D w - Y A,
// and c_i / D is by how much the sum rises with each unit by which cell i leaves that limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct SumBound {
  std::int64_t bound = -kNoLimit;  // no solution has a smaller sum; -kNoLimit when nothing is known
  WideInt least = 0;               // D times the sum is no less
  std::int64_t denominator = 0;    // D; 0 when nothing is known
  std::vector<WideInt> rate;       // c of each cell

  // How many units a cell can be away from the limit that its rate asks for where the sum is at
  // most `most`, which is no less than the bound. The rate is not 0.
  std::int64_t room(std::size_t cell, std::int64_t most) const;
};

// The best bound by the duals, rounded to some denominators. They are those of a programme that
// makes -w x largest (SparseSimplex::climb). The limits are no narrower than is proved; all cells
// have them.
SumBound sum_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                   const std::vector<std::int64_t>& upper, const std::vector<std::int64_t>& weight,
                   const std::vector<double>& duals);

}  // namespace sdclattice
