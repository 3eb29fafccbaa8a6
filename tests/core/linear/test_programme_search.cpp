// Bounds by the exact tableau against enumeration.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/programme_search.hpp"
#include "small_releases.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;
}  // namespace

TEST(each_end_is_proved_and_attained) {
  small_tables::Dice dice(34);
  int infeasible = 0, done = 0;
  const int n = check::cases(800, 1500);
  for (int k = 0; k < n; ++k) {
    const LinearSystem system = small_releases::sample_of(dice, 5 + k % 4).system;
    const small_releases::Range range = small_releases::enumerate(system);
    if (!range.complete) continue;
    Knowledge known(system);
    Effort effort;
    WorkClock watch(1e6, kNoTick);
    try {
      ProgrammeSearch search(system, 100000, known, effort, watch);
      search.start();
      for (const int sign : {1, -1})
        for (std::size_t i = 0; i < system.n_cells(); ++i) search.close(i, sign);
      CHECK(range.feasible);
      CHECK_EQ(known.upper, range.upper);
      CHECK_EQ(known.lower, range.lower);
      CHECK_EQ(known.most, range.upper);
      CHECK_EQ(known.least, range.lower);
      ++done;
    } catch (const InfeasibleError&) {
      CHECK(!range.feasible);
      ++infeasible;
    }
  }
  CHECK(3 * done > n && 30 * infeasible > n);
}

TEST(a_tableau_that_is_too_large_is_refused) {
  small_tables::Dice dice(35);
  const LinearSystem system = small_releases::sample_of(dice, 1).system;
  Knowledge known(system);
  Effort effort;
  WorkClock watch(1e6, kNoTick);
  CHECK_THROWS(TooLargeError, ProgrammeSearch(system, 1, known, effort, watch));
}
