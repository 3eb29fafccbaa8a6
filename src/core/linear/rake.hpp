// Iterative proportional fitting: the estimate of a table's inside from what was released of it.
#pragma once

#include <cstddef>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct RakedTable {
  std::vector<double> value;
  std::size_t rounds = 0;
  // The largest distance of a row's sum from its limits, at the end.
  double gap = 0;
};

// Scales the cells of row after row so that its sum comes within its limits, starting from `start`,
// until all sums are within `tolerance` of theirs or `max_rounds` is reached. Cells stay within
// their own limits; fixed cells keep their values, and the others of their rows share what is left.
// Coefficients must be positive.
//
// With rows that fix sums, coefficients 1, and no other limits of the cells this is classical
// fitting: it converges to the table of the form start * product of row effects with the sums
// (Csiszar 1975), where one exists. One round costs the number of entries.
RakedTable rake(const LinearSystem& system, std::vector<double> start, double tolerance,
                std::size_t max_rounds, const Tick& tick);

}  // namespace sdclattice
