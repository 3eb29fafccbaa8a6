// Rows of hulls: they allow just the whole numbers that the rates allow.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "conditional/rate_rows.hpp"
#include "rate_tables.hpp"

using namespace sdclattice;
using namespace rate_tables;

namespace {

// A row of three rates whose total lies between limits.
struct RowCase {
  TableCase c;
  RateSystem rates;

  RowCase(RateDice& dice, std::int64_t scale, std::int64_t most) {
    c = table_case(dice, 1, 3, 1, 1 + dice.below(9));
    c.sets.push_back(rates_of(c, false, scale, 1 + dice.below(2), 2));
    release_total(c, 1 + dice.below(3), most);
    rates = rate_system(c.table, c.sets);
  }
};

void check_rows(RateDice& dice, std::int64_t scale) {
  RowCase row(dice, scale, 14);
  LinearSystem& system = row.rates.system;
  const RateLine& line = row.rates.sets[0][0];
  const RowDomain domain(line, system);
  const LinearSystem before = system;
  try {
    add_hull_rows(system, line, domain);
  } catch (const InfeasibleError&) {
    CHECK(list_tables(row.c, 14).empty());
    return;
  }
  Values x(system.n_cells(), 0);
  for (x[0] = 0; x[0] <= 14; ++x[0])
    for (x[1] = 0; x[0] + x[1] <= 14; ++x[1])
      for (x[2] = 0; x[0] + x[1] + x[2] <= 14; ++x[2]) {
        const std::int64_t t = x[0] + x[1] + x[2];
        x[line.total] = t;
        if (line.row.exact()) x.back() = t / domain.by();
        bool fits = before.lower[line.total] <= t && t <= before.upper[line.total];
        for (std::size_t j = 0; j < 3; ++j)
          fits = fits && line.row.least(j, t) <= x[j] && x[j] <= line.row.largest(j, t);
        CHECK_EQ(satisfies(system, x), fits);
      }
}

}  // namespace

TEST(hulls_allow_what_rates_allow) {
  RateDice dice;
  for (int i = 0; i < 150; ++i) check_rows(dice, i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : 100);
}

TEST(coefficients_are_small) {
  RateDice dice;
  for (int i = 0; i < 50; ++i) {
    RowCase row(dice, 1000000, 60);
    LinearSystem& system = row.rates.system;
    const RateLine& line = row.rates.sets[0][0];
    add_hull_rows(system, line, RowDomain(line, system));
    for (const std::int64_t a : system.coefficient) CHECK(a >= -60 && a <= 60);
  }
}
