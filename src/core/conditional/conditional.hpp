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

namespace sdclattice {

// Limits of rates, in whole units of 1 / scale: 0 <= low <= high <= scale.
struct RateRows {
  std::size_t n_cells = 0;              // of a row
  std::vector<std::int64_t> low, high;  // n_cells for each row
  std::vector<std::int64_t> scale;      // a row each, above 0

  std::size_t size() const { return scale.size(); }
};

// units / scale +- tolerance / scale, with the tolerance a fraction of two whole numbers.
RateRows make_rate_rows(std::size_t n_cells, const std::vector<std::int64_t>& units,
                        const std::vector<std::int64_t>& scale, std::int64_t tolerance_numerator,
                        std::int64_t tolerance_denominator);

// One row of rates that somebody else owns.
struct RateRow {
  const std::int64_t* low = nullptr;
  const std::int64_t* high = nullptr;
  std::size_t n_cells = 0;
  std::int64_t scale = 1;

  // Limits of a cell when the row has the total t.
  std::int64_t least(std::size_t cell, std::int64_t t) const;
  std::int64_t largest(std::size_t cell, std::int64_t t) const;
  bool allows(std::int64_t t) const;
  // No cell has room: the rates are known exactly.
  bool exact() const;
};

// Rows with the same rates.
struct RateKind {
  RateRow row;
  std::int64_t copies = 0;
};
struct RateKinds {
  std::vector<RateKind> kinds;
  std::vector<std::uint32_t> kind_of_row;
};
RateKinds group_rows(const RateRows& rows);

// The possible totals of a row by itself: the sums of one or more generators. Those up to a limit;
// `least` is 0 when there are none. From `all_from` on all are possible, or they are above the
// limit.
struct TotalSet {
  std::int64_t least = 0;
  std::vector<std::int64_t> generators;
  std::int64_t all_from = 0;
};
TotalSet possible_totals(const RateRow& row, std::int64_t limit, const Tick& tick);
std::int64_t least_total(const RateRow& row, std::int64_t limit, const Tick& tick);

// The totals from, from + by, ..., to.
struct TotalRun {
  std::int64_t from = 0, to = 0, by = 1;
};

struct RateLimits {
  std::int64_t max_sums = std::int64_t{1} << 32;  // bits held at a time
  std::size_t max_runs = 2000000;                 // of totals kept
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

// For each row the least tolerance, in units of 1 / scale, with which the row's centre rates would
// agree with a table when all other rows stay as they are; a negative one when no tolerance of this
// row alone will do. `units` has the centres, n_cells for each row, in the scale `scale`.
std::vector<double> least_tolerances(const RateRows& rows, const std::vector<std::int64_t>& units,
                                     const std::vector<std::int64_t>& scale, std::int64_t n,
                                     const RateLimits& limits, const Tick& tick);

// count / total in whole units of 1 / scale, half a unit up.
std::int64_t round_rate(std::int64_t count, std::int64_t total, std::int64_t scale);

}  // namespace sdclattice
