// Estimates of the number of tables by sequential importance sampling (Chen, Diaconis, Holmes and
// Liu 2005), for systems beyond the exact methods.
//
// What is estimated. A table is drawn cell by cell: each value from the interval that bounds
// propagation leaves, by a rule close to the number of endings; 1 over the probability of the draw,
// or 0 for a dead end, has the number of tables as its mean.
// The rule. A row of sum r with k cells to come has C(r + k - 1, k - 1) fillings, and if the rows
// of a cell were independent given the total, the endings would number the product of these over
// the rows of the cell, divided by the same figure for the total for each row but one. Where limits
// of cells bind, the sum of independent uniform cells, as a normal law, takes the place of the
// binomial. What it guarantees. Unbiased whatever the rule; the standard error is that of
// independent draws, and too small where few draws carry the estimate: look at the effective
// number.
#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct FibreEstimate {
  double log_count = 0;       // natural logarithm; minus infinity if every draw was a dead end
  double relative_error = 0;  // standard error over the estimate
  double effective = 0;       // the number of equally weighted draws that would be as good
  double dead = 0;            // share of draws that were dead ends
};

// Of a part of a reduced system (reduce.hpp).
FibreEstimate estimate_part(const LinearSystem& part, std::size_t n_draws, PublicRandom& random,
                            const Tick& tick);

// Of a product of independent estimates from as many draws each.
FibreEstimate product(const FibreEstimate& a, const FibreEstimate& b, std::size_t n_draws);

}  // namespace sdclattice
