// Cells without an upper limit, against enumeration with two far stops.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/endless.hpp"
#include "small_releases.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;
}  // namespace

TEST(cells_without_a_limit_are_those_of_enumeration) {
  small_tables::Dice dice(32);
  WorkClock watch(1e6, kNoTick);
  int endless = 0, limited = 0;
  for (int k = 0; k < 1000; ++k) {
    const LinearSystem system = small_releases::unlimited_sample(dice).system;
    const small_releases::Range range = small_releases::enumerate_unlimited(system);
    if (!range.feasible || !range.complete) continue;
    for (std::uint32_t i = 0; i < system.n_cells(); ++i) {
      const bool grows = range.upper[i] >= kNoLimit;
      ++(grows ? endless : limited);
      CHECK_EQ(grows_without_end(system, i, watch), grows);
    }
  }
  CHECK(endless > 200 && limited > 200);
}
