// Sums that rows reach, all of them or all but one, against plain sets.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "conditional/row_sums.hpp"
#include "rate_cases.hpp"

using namespace sdclattice;
using namespace rate_cases;

namespace {

// The sums of totals of `copies` rows of each kind, one fewer of kind `but`.
std::set<std::int64_t> plain_sums(const RowSums& sums, std::size_t but, std::int64_t limit) {
  std::set<std::int64_t> out{0};
  for (std::size_t k = 0; k < sums.totals.size(); ++k)
    for (std::int64_t i = k == but ? 1 : 0; i < sums.kinds.kinds[k].copies; ++i) {
      std::set<std::int64_t> next;
      for (std::int64_t s : out)
        for (std::int64_t t = 1; s + t <= limit; ++t)
          if (sums.kinds.kinds[k].row.allows(t)) next.insert(s + t);
      out = std::move(next);
    }
  return out;
}

}  // namespace

TEST(all_rows_but_one_reach_their_sums) {
  RateDice dice;
  int n_checked = 0;
  for (int i = 0; i < 200; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, 1 + dice.below(2), 2);
    RowSums sums(rows, c.n + dice.below(10), Tick());
    if (sums.n_impossible > 0 || sums.least > sums.n) continue;
    const std::int64_t spare = sums.n - sums.least;
    const std::vector<Summand> summands = sums.summands(spare, RateLimits(), Tick());
    auto visit = [&](std::size_t k, const SumSet& others) {
      const std::set<std::int64_t> plain = plain_sums(sums, k, sums.n);
      const std::int64_t least = sums.least - sums.totals[k].least;
      for (std::int64_t more = 0; more <= spare; ++more)
        CHECK_EQ(others.has(more), plain.count(least + more) == 1);
      ++n_checked;
    };
    leave_one_out(summands, 0, summands.size(), SumSet(spare), visit);
  }
  CHECK(n_checked > 100);
}

TEST(the_memory_of_sums_is_limited) {
  const RateRows rows = make_rate_rows(2, {1, 1, 1, 2}, {2, 3}, 0, 1);
  RowSums sums(rows, 1000, Tick());
  RateLimits limits;
  limits.max_sums = 100;
  CHECK_THROWS(TooLargeError, sums.summands(900, limits, Tick()));
}
