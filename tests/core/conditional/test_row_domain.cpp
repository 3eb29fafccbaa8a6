// Lists of totals, and the cells of a row for one of them, against counting.
#include <algorithm>

#include "check.hpp"
#include "conditional/row_domain.hpp"
#include "rate_tables.hpp"

using namespace sdclattice;
using namespace rate_tables;

TEST(a_list_has_the_totals_between_the_limits) {
  RateDice dice;
  TableCase c = table_case(dice, 1, 2, 1, 0);
  c.truth = {2, 4};
  c.sets.push_back(rates_of(c, false, 0));
  release_total(c, 4, 13);
  const RateSystem rates = rate_system(c.table, c.sets);
  const RateLine& line = rates.sets[0][0];
  RowDomain domain(line, rates.system);
  CHECK_EQ(domain.by(), std::int64_t{3});
  CHECK_EQ(domain.first(), std::int64_t{6});
  CHECK_EQ(domain.last(), std::int64_t{12});
  CHECK_EQ(domain.n_totals(), std::int64_t{3});
  CHECK(domain.has(9) && !domain.has(10) && !domain.has(3) && !domain.has(15));
  CHECK(!domain.filter([](std::int64_t) { return true; }));
  CHECK(domain.filter([](std::int64_t t) { return t > 6; }));
  CHECK_EQ(domain.first(), std::int64_t{9});
  CHECK(!domain.has(6));
  CHECK(domain.filter([](std::int64_t) { return false; }));
  CHECK(domain.empty());
}

TEST(cells_of_a_total_are_those_of_all_rows) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    TableCase c = table_case(dice, 1, 3, 1, 1 + dice.below(9));
    c.sets.push_back(rates_of(c, false, 10, 1 + dice.below(2), 2));
    for (std::size_t k = 0; k < 3; ++k) {
      c.table.lower[k] = dice.below(2);
      c.table.upper[k] = c.table.lower[k] + dice.below(6);
    }
    RateSystem rates;
    rates.system = c.table;
    const RateRows& rows = c.sets[0].rows;
    const RateLine line{{&rows.low[0], &rows.high[0], 3, rows.scale[0]}, {0, 1, 2}, 3};
    for (std::int64_t t = 1; t < 12; ++t) {
      rate_cases::Vectors all, allowed;
      Values start;
      rate_cases::list_cells(line.row, t, start, t, all);
      for (const Values& x : all)
        if (satisfies(c.table, x)) allowed.push_back(x);
      RowCells cells(line, rates.system);
      CHECK_EQ(cells.look(t), !allowed.empty());
      if (allowed.empty()) continue;
      for (std::size_t j = 0; j < 3; ++j) {
        std::int64_t low = t, high = 0;
        for (const Values& x : allowed) low = std::min(low, x[j]), high = std::max(high, x[j]);
        CHECK_EQ(cells.least(j), low);
        CHECK_EQ(cells.largest(j), high);
      }
    }
  }
}
