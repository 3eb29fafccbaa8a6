// Bounds by combinations of rows, in exact whole numbers: any multipliers give a bound that holds.
//
// For whole numbers Y and a common denominator D,
//   D x_j <= sum over rows Y_r (row_upper_r where Y_r > 0, else row_lower_r)
//            + sum over cells max(c_i lower_i, c_i upper_i),  c = D e_j - Y A,
// so that floating point only has to propose good Y, and never decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// The sum over rows of times / denominator * row. denominator >= 1.
struct Multipliers {
  std::vector<std::uint32_t> row;
  std::vector<std::int64_t> times;
  std::int64_t denominator = 1;
};

// The largest whole number that sign * x[cell] can be, by the rows and these multipliers, where all
// cells are within lower and upper (no narrower than is proved); kNoLimit when they give none, or
// when the sums need more than 128 bits. The work grows with the entries of these rows.
std::int64_t bound_by(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                      const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                      const Multipliers& y);
// The best of the cell's own limit and of bound_by() with the duals rounded to several
// denominators, small ones and 720720, the least common multiple of 1, ..., 16. The multipliers of
// that bound go to `best`: of several as good ones those with the smallest denominator.
std::int64_t safe_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                        const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                        const std::vector<double>& duals, Multipliers* best = nullptr);
// The same over the real numbers: sign * x[cell] is at most this, but for the last digit of a
// double. Infinite when no combination gives a limit. It is the optimum of the linear programme
// when the duals are those of the optimum and have one of these denominators.
double safe_real_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                       const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                       const std::vector<double>& duals);
// Whether the combination proves that no solution lies within the limits: what its rows add up to
// is out of reach. As with bounds, `best` are multipliers that show it.
bool proves_empty(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                  const std::vector<std::int64_t>& upper, const std::vector<double>& duals,
                  Multipliers* best = nullptr);

}  // namespace sdclattice
