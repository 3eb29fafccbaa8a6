// What conditional rates and the grand total tell about a table: sharp bounds, by reachable sums.
//
// What is computed. A row has a total t of at least 1 and cells x_j with low_j t <= scale x_j <=
// high_j t that sum to t; the totals of all rows sum to n. Which totals of each row extend to a
// whole table, and the least and the largest value of each cell over all such tables.
// Why it is right. A total is possible for a row by itself when ceil(low_j t / scale) <= floor(
// high_j t / scale) for every cell and t lies between the sums of these limits: cells between
// limits can be raised one by one. Possible totals are closed under addition, as the conditions are
// linear and have no constant: a set of totals is given by its generators, which are no more than
// its smallest member, and from some total on nearly always all totals are possible. A total
// extends when the other rows can reach the rest: for every row the set of sums that all others
// reach (sum_set.hpp) comes from dividing the rows and conquering, each half with the rows of the
// other added. Rows with the same rates are one kind and share everything.
// The cells of a row depend on each other by its total only, so bounds for each total suffice.
// What it costs. Additions of kinds to sets: kinds times the logarithm of their number; each costs
// two passes over the sums below the tail for each generator. Sums are counted above the least
// possible ones. Memory: a set for each level of the division. Agrees with enumeration and with
// integer programmes (tests).
// All arithmetic is in whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "conditional/rates.hpp"
#include "conditional/row_sums.hpp"

namespace sdclattice {

// The totals from, from + by, ..., to.
struct TotalRun {
  std::int64_t from = 0, to = 0, by = 1;
};

struct SharpRates {
  bool feasible = true;
  std::vector<std::uint32_t> alone;  // rows without any possible total that leaves 1 to the others
  std::vector<std::uint32_t> kind_of_row;
  std::vector<std::int64_t> lower, upper;           // n_cells for each kind
  std::vector<std::int64_t> n_totals, first, last;  // of each kind
  bool all_runs = true;                             // or else there were too many to keep
  std::vector<TotalRun> runs;                       // of kind k: run_start[k] .. run_start[k + 1]
  std::vector<std::size_t> run_start;
};
SharpRates sharp_rates(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                       const Tick& tick);

// Does any table have these rates and this total?
bool rates_feasible(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                    const Tick& tick);

}  // namespace sdclattice
