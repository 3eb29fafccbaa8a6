// Every end of every cell of 5,000 small random systems (20,000 with SDCLATTICE_LONG=1), by each
// engine, against all solutions.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/small_releases.hpp"

using namespace sdclattice;
using small_releases::Range;

namespace {

std::vector<std::uint32_t> all_cells(const LinearSystem& system) {
  std::vector<std::uint32_t> out(system.n_cells());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  return out;
}

// Proved and equal to the range, or infeasible as it is.
bool is_range(const LinearSystem& system, const Range& range, BoundsEngine engine) {
  BoundsLimits limits;
  limits.engine = engine;
  try {
    const IntegerBounds got = integer_bounds(system, all_cells(system), limits, {});
    return range.feasible && got.proved_feasible && !got.stopped && got.lower == range.lower &&
           got.upper == range.upper &&
           std::all_of(got.sharp.begin(), got.sharp.end(), [](char s) { return s; });
  } catch (const InfeasibleError&) {
    return !range.feasible;
  }
}

}  // namespace

TEST(every_end_of_small_systems_equals_enumeration) {
  small_tables::Dice dice(1);
  const int n = check::cases(1200, 20000);
  int done = 0, infeasible = 0, endless = 0, open = 0;
  for (int k = 0; done < n; ++k) {
    const int kind = k % small_releases::kKinds;
    const LinearSystem system = small_releases::sample_of(dice, kind).system;
    const Range range =
        kind == 9 ? small_releases::enumerate_unlimited(system) : small_releases::enumerate(system);
    if (!range.complete) continue;
    ++done;
    infeasible += !range.feasible;
    endless += std::count(range.upper.begin(), range.upper.end(), kNoLimit) > 0;
    open += range.lower != range.upper;
    for (const BoundsEngine engine :
         {BoundsEngine::choose, BoundsEngine::simplex, BoundsEngine::sparse}) {
      const bool equal = is_range(system, range, engine);
      check::record(equal, __FILE__, __LINE__, ("system " + std::to_string(k)).c_str());
    }
  }
  // The systems are of all kinds.
  CHECK(infeasible > n / 20 && endless > n / 50 && open > n / 20 * 7);
}

// x = 2 z - 1 and z = x + 1 raise each other's least value without end; x = -1 is the only
// solution.
TEST(limits_that_creep_upwards_fix_nothing) {
  LinearSystem system;
  system.lower = {1, 1};
  system.upper = {kNoLimit, kNoLimit};
  small_tables::add_row(system, {1, -2}, -1, -1);
  small_tables::add_row(system, {-1, 1}, 1, 1);
  for (const BoundsEngine engine : {BoundsEngine::choose, BoundsEngine::simplex})
    CHECK(is_range(system, Range{}, engine));
  CHECK_THROWS(InfeasibleError, relaxed_bounds(system, {0, 1}, {}, {}));
}
