// A system of whole numbers made smaller, without losing a solution and without inventing one.
//
// Limits are narrowed by rows, fixed cells leave, and an equation of two cells with coefficients 1
// or -1 makes one unknown of both. Equal rows are dropped. An equation that is a combination of
// others leaves its part and goes to the implied rows, so that it ties nothing together: the grand
// total of a table, or a total whose parts are all published. What no row connects any more are the
// parts. The work is in proportion to the entries of the system, but for the combinations, which
// are looked for up to a limit.
//
// Combinations are found modulo the prime 2^61 - 1. A row that is one modulo the prime is one of
// whole numbers, too, unless the prime happens to divide a subdeterminant. Where the cells of the
// row have limits, no luck is needed: every solution of the others has the row's sum modulo the
// prime, and the limits leave one number of this kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// Where a cell of the system went: it is shift + sign * (unknown `place` of part `part`), and its
// value is `shift` where sign is 0.
struct CellHome {
  std::uint32_t part = 0, place = 0;
  std::int32_t sign = 0;
  std::int64_t shift = 0;
};

struct PresolvedPart {
  LinearSystem system;   // limits are narrowed as far as the rows do
  LinearSystem implied;  // the same unknowns; rows that follow from those of `system`
};

struct Presolved {
  std::vector<CellHome> home;        // of each cell of the system
  std::vector<PresolvedPart> parts;  // no row connects two; none of their unknowns is fixed
};

// Each solution of the system is one of all the parts, by `home`, and the other way round.
// InfeasibleError when narrowing, merging, dividing or combining proves that there is none. Rows
// may be ranges: only equations merge cells and follow from others.
Presolved presolve(const LinearSystem& system, const Tick& tick);

}  // namespace sdclattice
