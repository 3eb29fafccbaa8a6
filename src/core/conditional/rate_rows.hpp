// Rows of a linear system that say what rates say, with numbers as small as can be.
//
// A rate r +- e of a row with the total t says (r - e) t <= x <= (r + e) t. With three digits the
// coefficients are some thousands, and a linear relaxation of such rows is far from whole numbers.
// Where the totals that the row may have are listed, the rows here are the convex hull of all pairs
// (t, x) of whole numbers that it allows. The hull lies inside the cone of the rate, so nothing but
// these rows, the limits of t and x, and the sum of the cells is needed; its sides have
// coefficients up to the number of totals. Where rates are exact, t and x are multiples of one
// whole number, which becomes an unknown.
#pragma once

#include "conditional/rate_system.hpp"
#include "conditional/row_domain.hpp"

namespace sdclattice {

// Adds the rows of a line whose totals are listed, and sets the limits of its unknowns.
// InfeasibleError when no total is left.
void add_hull_rows(LinearSystem& system, const RateLine& line, const RowDomain& domain);

}  // namespace sdclattice
