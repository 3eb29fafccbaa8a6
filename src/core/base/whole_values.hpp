// Values as whole numbers of a unit that is a power of two.
#pragma once

#include <cstdint>
#include <vector>

namespace sdclattice {

// `exact` when none had to be rounded. The sum of all stays below 2^61.
struct WholeValues {
  std::vector<std::int64_t> values;
  double unit = 1;
  bool exact = true;
};

// None below 0. InputError where their sum is 2^61 or more.
WholeValues whole_values(const std::vector<double>& values);

}  // namespace sdclattice
