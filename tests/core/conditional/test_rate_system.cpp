// Rates as unknowns of sums: equal sums are one unknown, and every table solves the system.
#include "base/error.hpp"
#include "check.hpp"
#include "conditional/rate_system.hpp"
#include "rate_tables.hpp"

using namespace sdclattice;
using namespace rate_tables;

namespace {

// The value of each unknown for a table: an unknown that a row defines is the sum of the others.
Values unknowns_of(const RateSystem& rates, const Values& cells) {
  Values out = cells;
  out.resize(rates.system.n_cells(), -1);
  for (std::size_t u = cells.size(); u < out.size(); ++u)
    if (rates.system.upper[u] == 0) out[u] = 0;
  bool found = true;
  while (found) {
    found = false;
    for (std::size_t r = 0; r < rates.system.n_rows(); ++r) {
      const std::size_t last = rates.system.start[r + 1] - 1;
      const std::uint32_t sum = rates.system.cell[last];
      if (rates.system.coefficient[last] != -1 || out[sum] >= 0) continue;
      std::int64_t total = 0;
      bool known = true;
      for (std::size_t e = rates.system.start[r]; e < last; ++e) {
        known = known && out[rates.system.cell[e]] >= 0;
        total += out[rates.system.cell[e]];
      }
      if (known) out[sum] = total, found = true;
    }
  }
  return out;
}

}  // namespace

TEST(the_truth_solves_the_system) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    const TableCase c = random_case(dice);
    const RateSystem rates = rate_system(c.table, c.sets);
    const Values x = unknowns_of(rates, c.truth);
    CHECK(satisfies(rates.system, x));
    CHECK_EQ(x[rates.all], c.n);
    for (std::size_t s = 0; s < c.sets.size(); ++s) {
      std::int64_t total = 0;
      for (const RateLine& line : rates.sets[s]) total += x[line.total];
      CHECK_EQ(total, c.n);
    }
  }
}

TEST(equal_sums_are_one_unknown) {
  RateDice dice;
  TableCase c = table_case(dice, 2, 2, 1, 0);
  c.truth = {1, 2, 3, 4};
  c.sets.push_back(rates_of(c, false, 0));
  c.sets.push_back(rates_of(c, true, 100));
  release_total(c, 10, 10);
  add_row(c.table, {{0, 1}, {2, 1}}, 4, 4);  // the total of the first row
  const RateSystem rates = rate_system(c.table, c.sets);
  CHECK_EQ(rates.system.n_cells(), std::size_t{4 + 1 + 2 + 2});
  CHECK_EQ(rates.system.n_rows(), std::size_t{4 + 2});
  CHECK_EQ(rates.system.upper[rates.all], std::int64_t{10});
  CHECK(rates.system.is_fixed(rates.sets[0][0].total));
  CHECK_EQ(rates.sets[1][0].sum, std::vector<std::uint32_t>({0, 1}));
}

TEST(a_cell_that_one_set_leaves_out_is_zero) {
  RateDice dice;
  TableCase c = table_case(dice, 2, 2, 1, 0);
  c.truth = {1, 0, 3, 0};
  c.sets.push_back(rates_of(c, false, 0));
  c.sets.push_back(rates_of(c, true, 0));
  const RateSystem rates = rate_system(c.table, c.sets);
  CHECK(rates.system.is_fixed(1) && rates.system.is_fixed(3));
  CHECK_EQ(rates.sets[0][0].total, rates.all);
  c.table.lower[1] = 1;
  CHECK_THROWS(InfeasibleError, rate_system(c.table, c.sets));
}
