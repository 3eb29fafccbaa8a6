// The sums that the rows of a table of rates can reach, all of them or all but one.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/sum_set.hpp"
#include "base/tick.hpp"
#include "conditional/rates.hpp"
#include "conditional/total_sets.hpp"

namespace sdclattice {

struct RateLimits {
  std::int64_t max_sums = std::int64_t{1} << 32;  // bits held at a time
  std::size_t max_runs = 2000000;                 // of totals kept
};

// What a kind adds to sums above the least ones; one that is impossible adds nothing.
struct Summand {
  std::int64_t least = 0, copies = 0, all_from = 0;  // the last one above the least total
  std::vector<std::int64_t> steps, coins;

  Summand(const TotalSet& totals, std::int64_t n_copies);
  // A row with a list of totals, given by what they are above the least one.
  Summand(std::int64_t least_one, std::vector<std::int64_t> above);
  void add_to(SumSet& sums, std::int64_t times) const;
};

// Calls visit(k, sums) for every kind k with the sums that all rows but one of that kind reach
// above their least ones. Division: the kinds from `from` to `to` are not in `sums`.
template <class Visit>
void leave_one_out(const std::vector<Summand>& summands, std::size_t from, std::size_t to,
                   SumSet sums, Visit& visit) {
  if (to - from == 1) {
    summands[from].add_to(sums, summands[from].copies - 1);
    visit(from, sums);
    return;
  }
  assert(from < to);
  const std::size_t middle = from + (to - from) / 2;
  {
    SumSet left = sums;
    for (std::size_t k = middle; k < to; ++k) summands[k].add_to(left, summands[k].copies);
    leave_one_out(summands, from, middle, std::move(left), visit);
  }
  for (std::size_t k = from; k < middle; ++k) summands[k].add_to(sums, summands[k].copies);
  leave_one_out(summands, middle, to, std::move(sums), visit);
}

// The kinds of rows, the totals that each can have by itself, and what they need at least.
struct RowSums {
  RateKinds kinds;
  std::vector<TotalSet> totals;
  std::vector<bool> impossible;  // by itself
  std::int64_t n = 0, n_rows = 0, least = 0, n_impossible = 0;

  RowSums(const RateRows& rows, std::int64_t total, const Tick& tick);

  // Generators of totals up to what is left when all other rows have their least ones.
  std::vector<Summand> summands(std::int64_t spare, const RateLimits& limits, const Tick& tick);
};

}  // namespace sdclattice
