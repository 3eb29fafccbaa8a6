// Bounds from several sets of rates, against all tables one by one and against those of one set.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "conditional/rate_bounds.hpp"
#include "conditional/sharp_rates.hpp"
#include "rate_tables.hpp"

using namespace sdclattice;
using namespace rate_tables;

namespace {

std::vector<std::uint32_t> all_cells(const TableCase& c) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < c.truth.size(); ++i) out.push_back(i);
  return out;
}

IntegerBounds bounds_of(const TableCase& c, const NarrowLimits& narrow = {}) {
  return rate_bounds(c.table, c.sets, all_cells(c), BoundsLimits(), Tick(), narrow);
}

void check_listed(const TableCase& c, const NarrowLimits& narrow = {}) {
  const std::vector<Values> all = list_tables(c, c.n + 1);
  if (all.empty()) {
    CHECK_THROWS(InfeasibleError, bounds_of(c, narrow));
    return;
  }
  const IntegerBounds found = bounds_of(c, narrow);
  for (std::size_t i = 0; i < c.truth.size(); ++i) {
    std::int64_t low = kNoLimit, high = -kNoLimit;
    for (const Values& x : all) low = std::min(low, x[i]), high = std::max(high, x[i]);
    CHECK(found.sharp[i]);
    CHECK_EQ(found.lower[i], low);
    CHECK_EQ(found.upper[i], high);
  }
}

}  // namespace

TEST(bounds_are_the_range_over_all_tables) {
  RateDice dice;
  for (int i = 0; i < 400; ++i) check_listed(random_case(dice));
}

TEST(wrong_totals_and_margins_are_found_out) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    TableCase c = random_case(dice);
    c.truth = table_case(dice, c.rows, c.columns, c.layers, c.n).truth;
    if (dice.below(2)) c.sets.push_back(rates_of(c, dice.below(2) == 0, 10));
    check_listed(c);
  }
}

TEST(rows_without_a_list_of_totals_have_the_same_bounds) {
  RateDice dice;
  NarrowLimits narrow;
  narrow.max_totals = 3;
  for (int i = 0; i < 100; ++i) check_listed(random_case(dice), narrow);
  narrow = {};
  narrow.max_looks = 10, narrow.max_words = 0;
  for (int i = 0; i < 100; ++i) check_listed(random_case(dice), narrow);
}

TEST(one_set_has_the_bounds_of_its_own_programme) {
  RateDice dice;
  for (int i = 0; i < 60; ++i) {
    const std::size_t rows = static_cast<std::size_t>(2 + dice.below(4));
    TableCase c = table_case(dice, rows, 3, 1, 10 + dice.below(120));
    c.sets.push_back(rates_of(c, false, dice.below(3) == 0 ? 0 : dice.below(2) ? 100 : 1000));
    release_total(c, c.n, c.n);
    const IntegerBounds found = bounds_of(c);
    const SharpRates own = sharp_rates(c.sets[0].rows, c.n, RateLimits(), Tick());
    for (std::size_t k = 0; k < c.sets[0].cell.size(); ++k) {
      const std::size_t at = 3 * own.kind_of_row[k / 3] + k % 3;
      CHECK(found.sharp[c.sets[0].cell[k]]);
      CHECK_EQ(found.lower[c.sets[0].cell[k]], own.lower[at]);
      CHECK_EQ(found.upper[c.sets[0].cell[k]], own.upper[at]);
    }
  }
}

TEST(without_time_the_truth_is_inside) {
  RateDice dice;
  BoundsLimits limits;
  limits.seconds = 0;
  for (int i = 0; i < 40; ++i) {
    TableCase c = table_case(dice, 4, 4, 1, 60);
    c.sets.push_back(rates_of(c, false, 100));
    c.sets.push_back(rates_of(c, true, 100));
    release_total(c, c.n, c.n);
    const IntegerBounds found = rate_bounds(c.table, c.sets, all_cells(c), limits, Tick());
    for (std::size_t k = 0; k < c.truth.size(); ++k)
      CHECK(found.lower[k] <= c.truth[k] && c.truth[k] <= found.upper[k]);
  }
}
