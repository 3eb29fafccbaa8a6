// Least tolerances, against enumeration with each tolerance.
#include "check.hpp"
#include "conditional/least_tolerances.hpp"
#include "rate_cases.hpp"

using namespace sdclattice;
using namespace rate_cases;

TEST(least_tolerances_of_single_rows_are_the_least) {
  RateDice dice;
  int mended = 0;
  for (int i = 0; i < 200; ++i) {
    RateCase c = random_rates(dice, false, 10);
    c.units[0] = dice.below(11);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, 1, 2);
    if (!list_tables(rows, 0, c.n).empty()) continue;
    const std::vector<double> least =
        least_tolerances(rows, c.units, c.scale, c.n, RateLimits(), Tick());
    // Row r with another tolerance, in thousandths.
    const auto feasible = [&](std::size_t r, std::int64_t thousandths) {
      RateRows out = make_rate_rows(c.n_cells, c.units, c.scale, 500, 1000);
      const RateRows wide = make_rate_rows(c.n_cells, c.units, c.scale, thousandths, 1000);
      for (std::size_t j = r * c.n_cells; j < (r + 1) * c.n_cells; ++j)
        out.low[j] = wide.low[j], out.high[j] = wide.high[j];
      return !list_tables(out, 0, c.n).empty();
    };
    for (std::size_t r = 0; r < c.scale.size(); ++r) {
      if (least[r] < 0) {
        CHECK(!feasible(r, 10000));
        continue;
      }
      ++mended;
      const auto thousandths = static_cast<std::int64_t>(least[r] * 1000 + .999999);
      CHECK(feasible(r, thousandths));
      CHECK(!feasible(r, thousandths - 1));
    }
  }
  CHECK(mended > 10);
}
