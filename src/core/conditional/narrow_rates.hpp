// What several sets of rates leave of each sum of cells, before any search.
//
// What is computed. For each row of rates the totals that it may have (row_domain.hpp), and limits
// of all unknowns of the system. A total goes when the cells of its row, within their limits, have
// no whole numbers with the published rates; or when the totals of the other rows of its set cannot
// reach what it leaves of the grand total. Limits that narrow in one set narrow the others, through
// the sums that they share, until nothing changes.
// Why it is right. Nothing goes but what no table has. Any stop is right, too.
// What it costs. A visit of a row looks at each of its totals, for each of its rates. Rows with
// very many totals have no list of them: the system has rows that say what their rates say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/work_clock.hpp"
#include "conditional/rate_system.hpp"
#include "conditional/row_domain.hpp"
#include "conditional/row_sums.hpp"

namespace sdclattice {

struct NarrowLimits {
  double max_totals = 1 << 20;  // in the list of a row
  double max_listed = 5e7;      // in all lists, times the rates of their rows
  double max_looks = 2e8;       // at totals of rows
  double max_words = 2e8;       // of sets of sums
  RateLimits alone;             // of a set by itself
};

class RateNarrowing {
 public:
  // Keeps references.
  RateNarrowing(RateSystem& rates, const NarrowLimits& limits, WorkClock& watch);

  // InfeasibleError when it is proved that there is no table. When the time is up it ends with what
  // was narrowed until then.
  void run();

  // Nothing where the row has no list.
  const std::optional<RowDomain>& domain(std::size_t set, std::size_t row) const {
    return domains_[set][row];
  }

 private:
  struct Place {
    std::uint32_t set, row;
  };
  void list_totals();
  void index_lines();
  void settle();
  void visit(const Place& place);
  void pass_on();
  bool share_out(std::size_t set);
  std::optional<std::vector<Summand>> summands(std::size_t set, std::int64_t n) const;
  bool filter_totals(std::size_t set, const std::vector<Summand>& summands, std::int64_t n);
  bool narrow_alone(std::size_t set, std::int64_t n);
  void limit(std::uint32_t unknown, std::int64_t lower, std::int64_t upper);
  void wait(std::uint32_t line);

  RateSystem& rates_;
  const NarrowLimits& limits_;
  WorkClock& watch_;
  std::vector<std::vector<std::optional<RowDomain>>> domains_;
  std::optional<RowsByCell> rows_;
  std::vector<Place> lines_;                          // that have a list
  std::vector<std::vector<std::uint32_t>> lines_of_;  // of an unknown
  std::vector<std::uint32_t> queue_, changed_;
  std::vector<char> waits_;    // of a line
  std::vector<char> is_news_;  // of a set: since its totals were shared out
  std::vector<char> alone_;    // of a set: was it narrowed by itself?
  double looks_ = 0;
};

}  // namespace sdclattice
