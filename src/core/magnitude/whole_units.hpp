// Values as multiples of a unit.
#pragma once

#include <cstddef>

namespace sdclattice {

// The multiples of a unit of which `per_unit` make one, a whole number: into `units`, n of them.
// Returns whether every value is one, but for the rounding of its decimals (a value of 96.6 is
// 966 / 10, and no value of type double is nearer to that); if not, `units` mean nothing.
bool find_units(const double* values, std::size_t n, double per_unit, std::size_t threads,
                double* units);

}  // namespace sdclattice
