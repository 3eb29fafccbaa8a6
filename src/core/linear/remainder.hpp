// What an equation whose other coefficients have a divisor in common leaves to one of its cells.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// Equations whose coefficients have a larger divisor in common are rare, and are let be.
constexpr std::int64_t kMostSkipped = 64;

// The limits of x move inwards to where left - a x is a multiple of the divisor, and cross where
// there is none between them. All coefficients but a have the divisor in common; 0 where there are
// no others.
inline void skip_to_remainder(WideInt left, std::int64_t a, std::int64_t divisor,
                              std::int64_t& lower, std::int64_t& upper) {
  if (divisor < 2 || divisor > kMostSkipped) return;
  const auto fits = [&](std::int64_t x) { return (left - wide_product(a, x)) % divisor == 0; };
  for (std::int64_t k = 1; k < divisor && lower <= upper && !fits(lower); ++k) ++lower;
  if (!fits(lower)) upper = std::min(upper, lower - 1);
  while (upper < kNoLimit && upper > lower && !fits(upper)) --upper;
}

}  // namespace sdclattice
