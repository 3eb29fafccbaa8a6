// Sharp bounds from rates and numbers of tables, against plain enumeration.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "conditional/conditional_count.hpp"
#include "conditional/sharp_rates.hpp"
#include "rate_cases.hpp"

using namespace sdclattice;
using namespace rate_cases;

namespace {

void check_case(const RateRows& rows, std::int64_t n) {
  const Vectors all = list_tables(rows, 0, n);
  const SharpRates found = sharp_rates(rows, n, RateLimits(), Tick());
  CHECK_EQ(found.feasible, !all.empty());
  CHECK_EQ(rates_feasible(rows, n, RateLimits(), Tick()), !all.empty());
  const auto count = count_rate_tables(rows, n, 1, 1e9, Tick());
  CHECK(count.has_value());
  CHECK_EQ(count->str(), std::to_string(all.size()));
  if (all.empty()) return;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t kind = found.kind_of_row[r];
    std::set<std::int64_t> totals;
    for (std::size_t j = 0; j < rows.n_cells; ++j) {
      std::int64_t low = n, high = 0;
      for (const auto& x : all) {
        low = std::min(low, x[r * rows.n_cells + j]);
        high = std::max(high, x[r * rows.n_cells + j]);
      }
      CHECK_EQ(found.lower[kind * rows.n_cells + j], low);
      CHECK_EQ(found.upper[kind * rows.n_cells + j], high);
    }
    for (const auto& x : all) {
      std::int64_t t = 0;
      for (std::size_t j = 0; j < rows.n_cells; ++j) t += x[r * rows.n_cells + j];
      totals.insert(t);
    }
    std::vector<std::int64_t> listed;
    for (std::size_t i = found.run_start[kind]; i < found.run_start[kind + 1]; ++i)
      for (std::int64_t t = found.runs[i].from; t <= found.runs[i].to; t += found.runs[i].by)
        listed.push_back(t);
    CHECK_EQ(listed, std::vector<std::int64_t>(totals.begin(), totals.end()));
    CHECK_EQ(found.n_totals[kind], static_cast<std::int64_t>(totals.size()));
    CHECK_EQ(found.first[kind], listed.front());
    CHECK_EQ(found.last[kind], listed.back());
  }
}

}  // namespace

TEST(exact_rates_agree_with_enumeration) {
  RateDice dice;
  for (int i = 0; i < 150; ++i) {
    const RateCase c = random_rates(dice, true, 0);
    check_case(make_rate_rows(c.n_cells, c.units, c.scale, 0, 1), c.n + dice.below(3));
  }
}

TEST(rounded_rates_agree_with_enumeration) {
  RateDice dice;
  for (int i = 0; i < 150; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const std::int64_t off = dice.below(4) == 0;
    check_case(make_rate_rows(c.n_cells, c.units, c.scale, 1 + off, 2), c.n + dice.below(3));
  }
}

TEST(limits_are_kept) {
  RateLimits limits;
  limits.max_sums = 100;
  const RateRows rows = make_rate_rows(2, {1, 1, 1, 2}, {2, 3}, 0, 1);
  CHECK_THROWS(TooLargeError, sharp_rates(rows, 1000, limits, Tick()));
  limits.max_sums = 100000;
  limits.max_runs = 1;
  const SharpRates found = sharp_rates(rows, 1000, limits, Tick());
  CHECK(found.feasible && !found.all_runs && found.runs.empty());
}

TEST(a_tick_may_stop_the_work) {
  const RateRows rows = make_rate_rows(2, {1, 1}, {2}, 0, 1);
  CHECK_THROWS(int, sharp_rates(rows, 10, RateLimits(), [](double) { throw 1; }));
}
