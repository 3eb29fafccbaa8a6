// The engine of a part: which one is taken, and that all of them agree.
#include "check.hpp"
#include "linear/part_bounds.hpp"
#include "small_releases.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;

PresolvedPart part_of(const LinearSystem& system) {
  PresolvedPart out;
  out.system = system;
  out.implied.lower = system.lower;
  out.implied.upper = system.upper;
  return out;
}

std::vector<std::uint32_t> all_of(const LinearSystem& system) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < system.n_cells(); ++i) out.push_back(i);
  return out;
}

}  // namespace

TEST(all_engines_close_all_ends) {
  small_tables::Dice dice(40);
  int networks = 0, tableaus = 0;
  for (int k = 0; k < 900; ++k) {
    const small_releases::Sample sample = small_releases::sample_of(dice, k % 7);
    const small_releases::Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    const PresolvedPart part = part_of(sample.system);
    for (const BoundsEngine engine :
         {BoundsEngine::choose, BoundsEngine::simplex, BoundsEngine::sparse}) {
      BoundsLimits limits;
      limits.engine = engine;
      WorkClock watch(1e6, kNoTick);
      PartBounds bounds(part, all_of(sample.system), {}, limits, watch);
      if (engine == BoundsEngine::choose)
        ++(bounds.engine() == PartEngine::network ? networks : tableaus);
      CHECK_EQ(bounds.engine() == PartEngine::sparse, engine == BoundsEngine::sparse);
      for (int level = 0; level <= static_cast<int>(SearchLevel::complete); ++level)
        bounds.work(static_cast<SearchLevel>(level));
      CHECK(bounds.done());
      CHECK_EQ(bounds.known().lower, range.lower);
      CHECK_EQ(bounds.known().upper, range.upper);
      for (std::size_t i = 0; i < sample.system.n_cells(); ++i) CHECK(bounds.is_sharp(i));
    }
  }
  CHECK(networks > 100 && tableaus > 100);
}

TEST(nothing_is_sought_of_unknowns_that_nobody_asks_for) {
  small_tables::Dice dice(41);
  const small_releases::Sample sample = small_releases::sample_of(dice, 1);
  const PresolvedPart part = part_of(sample.system);
  const BoundsLimits limits;
  WorkClock watch(1e6, kNoTick);
  PartBounds bounds(part, {}, {}, limits, watch);
  CHECK(!bounds.is_asked());
  bounds.work(SearchLevel::walks);
  CHECK(bounds.done() && bounds.known().n_witnesses > 0);
}
