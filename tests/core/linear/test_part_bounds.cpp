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
  const int n = check::cases(250, 900);
  for (int k = 0; k < n; ++k) {
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
  CHECK(networks > n / 9 && tableaus > n / 9);
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

TEST(no_more_is_asked_than_whether_intervals_are_so_wide) {
  small_tables::Dice dice(42);
  int wide = 0, narrow = 0, left_open = 0;
  const int n = check::cases(300, 600);
  for (int k = 0; k < n; ++k) {
    const small_releases::Sample sample = small_releases::sample_of(dice, k % 7);
    const small_releases::Range range = small_releases::enumerate(sample.system);
    if (!range.complete || !range.feasible) continue;
    const PresolvedPart part = part_of(sample.system);
    BoundsLimits limits;
    limits.engine = BoundsEngine::sparse;
    limits.enough = 1 + k % 5;
    WorkClock watch(1e6, kNoTick);
    PartBounds bounds(part, all_of(sample.system), {}, limits, watch);
    for (int level = 0; level <= static_cast<int>(SearchLevel::complete); ++level)
      bounds.work(static_cast<SearchLevel>(level));
    CHECK(bounds.done());
    const Knowledge& known = bounds.known();
    for (std::size_t i = 0; i < sample.system.n_cells(); ++i) {
      const bool is_wide = range.upper[i] - range.lower[i] >= limits.enough;
      ++(is_wide ? wide : narrow);
      left_open += known.open(i, 1) || known.open(i, -1);
      CHECK(known.lower[i] <= range.lower[i] && known.upper[i] >= range.upper[i]);
      CHECK(known.least[i] >= range.lower[i] && known.most[i] <= range.upper[i]);
      if (is_wide)
        CHECK(known.most[i] - known.least[i] >= limits.enough);
      else
        CHECK(known.upper[i] - known.lower[i] < limits.enough);
    }
  }
  CHECK(6 * wide > n && 6 * narrow > n && 6 * left_open > n);
}

TEST(a_solution_counts_before_any_work_and_another_table_does_not) {
  small_tables::Dice dice(43);
  int used = 0, refused = 0;
  for (int k = 0; k < 300; ++k) {
    const small_releases::Sample sample = small_releases::sample_of(dice, k % 7);
    const small_releases::Range range = small_releases::enumerate(sample.system);
    if (!range.complete || !range.feasible) continue;
    const PresolvedPart part = part_of(sample.system);
    const BoundsLimits limits;
    WorkClock watch(1e6, kNoTick);
    for (const small_tables::Whole& x : {range.lower, range.upper}) {
      PartBounds bounds(part, all_of(sample.system), x, limits, watch);
      const bool is_solution = satisfies(sample.system, x);
      ++(is_solution ? used : refused);
      CHECK_EQ(bounds.known().n_witnesses, is_solution ? 1u : 0u);
      if (is_solution) CHECK_EQ(bounds.known().least, x);
      for (int level = 0; level <= static_cast<int>(SearchLevel::complete); ++level)
        bounds.work(static_cast<SearchLevel>(level));
      CHECK_EQ(bounds.known().lower, range.lower);
      CHECK_EQ(bounds.known().upper, range.upper);
    }
  }
  CHECK(used > 20 && refused > 100);
}
