// Totals that a row can have, against its cells.
#include "base/sum_set.hpp"
#include "check.hpp"
#include "conditional/total_sets.hpp"
#include "rate_cases.hpp"

using namespace sdclattice;
using namespace rate_cases;

TEST(possible_totals_are_the_sums_of_their_generators) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, 1 + dice.below(3), 2);
    const RateRow row{&rows.low[0], &rows.high[0], rows.n_cells, rows.scale[0]};
    const TotalSet totals = possible_totals(row, 300, Tick());
    SumSet generated(300);
    for (std::int64_t g : totals.generators) generated.add_coin(g);
    for (std::int64_t t = 1; t <= 300; ++t) CHECK_EQ(row.allows(t), generated.has(t));
    CHECK_EQ(totals.least, totals.generators.front());
    CHECK(static_cast<std::int64_t>(totals.generators.size()) <= totals.least);
  }
}

TEST(the_least_total_is_the_first_that_is_allowed) {
  RateDice dice;
  for (int i = 0; i < 300; ++i) {
    const bool exact = dice.below(2) == 0;
    const RateCase c = random_rates(dice, exact, dice.below(2) ? 100 : 10);
    const RateRows rows =
        make_rate_rows(c.n_cells, c.units, c.scale, exact ? 0 : 1 + dice.below(3), 2);
    const RateRow row{&rows.low[0], &rows.high[0], rows.n_cells, rows.scale[0]};
    const std::int64_t limit = 1 + dice.below(60);
    std::int64_t first = 0;
    for (std::int64_t t = limit; t > 0; --t)
      if (row.allows(t)) first = t;
    CHECK_EQ(least_total(row, limit, Tick()), first);
    const TotalSet all = possible_totals(row, limit, Tick());
    CHECK_EQ(all.least, first);
    for (std::int64_t t = all.all_from; first > 0 && t <= limit; ++t) CHECK(row.allows(t));
  }
}
