// Two-way tables whose cells have no limits of their own, with any counts: their number as a
// constant term of rational functions. The cost does not depend on the size of the counts.
//
// What is counted. The number of tables with row sums r_i and column sums c_j is the coefficient
// of y^c in the product over the rows of h_{r_i}(y_j, j open in row i), the complete homogeneous
// symmetric polynomials; a closed cell holds 0.
// The recurrence. h_r(y) = sum over j of y_j^(r + n - 1) / prod_{k != j} (y_j - y_k): the product
// of the rows is a sum of terms q y^b prod_{j < k} (y_k - y_j)^(-e_jk). All are read as Laurent
// series for |y_1| < |y_2| < ..., where their sum is the polynomial that it was. The coefficient
// of y_1^(c_1) of a term is 0 where a = c_1 - b_1 < 0; otherwise it is minus the sum of the
// residues of y_1^(-a-1) prod_k (y_k - y_1)^(-e_1k) at y_1 = y_2, y_3, ..., which binomial series
// at the pole turn into terms of the same kind without y_1. Like terms are merged after each step.
// Why it is right. The residues of a rational function that falls as y^-2 at infinity add up to 0.
// What it costs. At most n^m terms at first, for m rows and n columns, of which those with more in
// the narrow columns than fits vanish; then each column multiplies them by the number of ways to
// spread the order of a pole. Exponential in m and n, but a count only enters by its digits: 4 x 4
// takes less than a millisecond; 8 x 4, 6 x 5 and 6 x 6 take tenths of a second, 12 x 3 a second.
// Agrees with twoway.hpp on random tables, and with the number of digits that LattE gives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fibre/fibre_part.hpp"
#include "fibre/twoway.hpp"

namespace sdclattice {

// Whether no cell of the table has a limit that its row and column do not imply, and none share
// both.
bool has_residues(const TwoWayTable& table);

// For `n_cells` see make_two_way(). Throws TooLargeError later, when the steps of one answer, or
// the terms at a time, exceed a limit.
std::unique_ptr<FibrePart> make_residues(const TwoWayTable& table, std::size_t n_cells,
                                         const FibreLimits& limits);

}  // namespace sdclattice
