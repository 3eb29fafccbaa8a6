// Narrowing loses no table; where rows of one set are all there is, it finds all.
#include "base/error.hpp"
#include "check.hpp"
#include "conditional/narrow_rates.hpp"
#include "conditional/sharp_rates.hpp"
#include "rate_tables.hpp"

using namespace sdclattice;
using namespace rate_tables;

TEST(no_table_is_lost) {
  RateDice dice;
  std::size_t narrowed = 0;
  for (int i = 0; i < 200; ++i) {
    const TableCase c = random_case(dice);
    RateSystem rates = rate_system(c.table, c.sets);
    const Tick tick;
    WorkClock watch(60, tick);
    const NarrowLimits limits;
    RateNarrowing narrowing(rates, limits, watch);
    narrowing.run();
    for (const Values& x : list_tables(c, c.n + 1))
      for (std::size_t k = 0; k < x.size(); ++k)
        CHECK(rates.system.lower[k] <= x[k] && x[k] <= rates.system.upper[k]);
    for (std::size_t k = 0; k < c.truth.size(); ++k) narrowed += rates.system.is_fixed(k);
  }
  CHECK(narrowed > 100);
}

TEST(totals_of_one_set_are_those_of_its_own_programme) {
  RateDice dice;
  for (int i = 0; i < 60; ++i) {
    TableCase c =
        table_case(dice, static_cast<std::size_t>(2 + dice.below(4)), 3, 1, 10 + dice.below(90));
    c.sets.push_back(rates_of(c, false, dice.below(2) ? 100 : 0));
    release_total(c, c.n, c.n);
    RateSystem rates = rate_system(c.table, c.sets);
    const Tick tick;
    WorkClock watch(60, tick);
    const NarrowLimits limits;
    RateNarrowing narrowing(rates, limits, watch);
    narrowing.run();
    const SharpRates own = sharp_rates(c.sets[0].rows, c.n, RateLimits(), Tick());
    for (std::size_t r = 0; r < rates.sets[0].size(); ++r) {
      const std::size_t kind = own.kind_of_row[r];
      const auto& domain = narrowing.domain(0, r);
      CHECK(domain.has_value());
      CHECK_EQ(domain->n_totals(), own.n_totals[kind]);
      CHECK_EQ(domain->first(), own.first[kind]);
      CHECK_EQ(domain->last(), own.last[kind]);
    }
  }
}

TEST(a_set_with_too_many_sums_is_narrowed_by_its_kinds) {
  RateDice dice;
  NarrowLimits limits;
  limits.max_words = 0;
  for (int i = 0; i < 30; ++i) {
    TableCase c = table_case(dice, 3, 2, 1, 20 + dice.below(20));
    c.sets.push_back(rates_of(c, false, 0));
    release_total(c, c.n, c.n);
    RateSystem rates = rate_system(c.table, c.sets);
    const Tick tick;
    WorkClock watch(60, tick);
    RateNarrowing narrowing(rates, limits, watch);
    narrowing.run();
    const SharpRates own = sharp_rates(c.sets[0].rows, c.n, RateLimits(), Tick());
    for (std::size_t r = 0; r < rates.sets[0].size(); ++r) {
      const std::uint32_t total = rates.sets[0][r].total;
      CHECK_EQ(rates.system.lower[total], own.first[own.kind_of_row[r]]);
      CHECK_EQ(rates.system.upper[total], own.last[own.kind_of_row[r]]);
    }
  }
}

TEST(contradictions_are_found) {
  RateDice dice;
  TableCase c = table_case(dice, 2, 2, 1, 0);
  c.truth = {1, 2, 3, 4};
  c.sets.push_back(rates_of(c, false, 0));
  release_total(c, 5, 5);  // the least totals are 4 and 3
  RateSystem rates = rate_system(c.table, c.sets);
  const Tick tick;
  WorkClock watch(60, tick);
  const NarrowLimits limits;
  RateNarrowing narrowing(rates, limits, watch);
  CHECK_THROWS(InfeasibleError, narrowing.run());
}
