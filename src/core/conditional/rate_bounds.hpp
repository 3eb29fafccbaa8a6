// Sharp bounds of the cells of a table from several sets of conditional rates, margins, and limits.
//
// The rates are first made into limits and lists of totals (narrow_rates.hpp), then into rows with
// small coefficients (rate_rows.hpp); the bounds are those of the whole-number engine on this
// system (integer_bounds.hpp), which has the same tables. Ends that this leaves open are looked at
// one by one: with the cell at its end the totals narrow again, and with them the rows, until a
// table turns up or a proof that there is none. One set of rates with the grand total alone has the
// same bounds as by sharp_rates(), which needs no search (tests compare the two).
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "conditional/narrow_rates.hpp"
#include "linear/integer_bounds.hpp"

namespace sdclattice {

// `table`: limits of the cells and rows of sums without the rates; `asked`: cells of it. The result
// is that of integer_bounds(), for the cells of the table. InfeasibleError as there.
IntegerBounds rate_bounds(const LinearSystem& table, const std::vector<RateSet>& sets,
                          const std::vector<std::uint32_t>& asked, const BoundsLimits& limits,
                          const Tick& tick, const NarrowLimits& narrow = {});

}  // namespace sdclattice
