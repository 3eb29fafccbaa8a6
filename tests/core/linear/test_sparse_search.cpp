// The sparse engine on its own: ends and questions against enumeration, with and without a table to
// begin with, and work that is cut short.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/sparse_search.hpp"
#include "small_releases.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;
}  // namespace
using small_releases::Range;
using small_releases::Sample;

namespace {

LinearSystem no_rows(const LinearSystem& system) {
  LinearSystem out;
  out.lower = system.lower;
  out.upper = system.upper;
  return out;
}

struct Fixture {
  explicit Fixture(const LinearSystem& part)
      : system(part),
        none(no_rows(part)),
        known(system),
        watch(1e6, kNoTick),
        search(system, none, known, effort, watch) {}

  const LinearSystem& system;
  LinearSystem none;
  Knowledge known;
  Effort effort;
  WorkClock watch;
  SparseSearch search;
};

}  // namespace

TEST(ends_equal_enumeration_with_and_without_the_truth) {
  small_tables::Dice dice(36);
  int done = 0;
  const int n = check::cases(350, 1500);
  for (int k = 0; done < n; ++k) {
    const Sample sample = small_releases::sample_of(dice, k % 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    ++done;
    Fixture work(sample.system);
    CHECK(work.search.start(k % 2 == 0 ? sample.truth : small_tables::Whole{},
                            SearchLevel::complete));
    for (std::uint32_t i = 0; i < sample.system.n_cells(); ++i)
      for (const int sign : {1, -1}) {
        work.search.close(i, sign, SearchLevel::walks);
        work.search.close(i, sign, SearchLevel::complete);
      }
    CHECK_EQ(work.known.lower, range.lower);
    CHECK_EQ(work.known.upper, range.upper);
    CHECK_EQ(work.known.least, range.lower);
    CHECK_EQ(work.known.most, range.upper);
  }
}

TEST(rounds_of_the_last_level_close_every_end) {
  small_tables::Dice dice(40);
  for (int k = 0; k < 500; ++k) {
    const Sample sample = small_releases::sample_of(dice, k % 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    Fixture work(sample.system);
    CHECK(work.search.start(sample.truth, SearchLevel::walks));
    for (std::size_t round = 0; round < 4; ++round)
      for (std::uint32_t i = 0; i < sample.system.n_cells(); ++i)
        for (const int sign : {1, -1}) work.search.close_in_round(i, sign, round);
    CHECK_EQ(work.known.least, range.lower);
    CHECK_EQ(work.known.most, range.upper);
    CHECK_EQ(work.known.lower, range.lower);
    CHECK_EQ(work.known.upper, range.upper);
  }
}

TEST(a_value_is_reached_or_it_is_proved_that_it_is_not) {
  small_tables::Dice dice(37);
  int reached = 0, excluded = 0;
  const int n = check::cases(350, 1500);
  for (int k = 0; k < n; ++k) {
    const Sample sample = small_releases::sample_of(dice, k % 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    Fixture work(sample.system);
    CHECK(work.search.start(sample.truth, SearchLevel::walks));
    const auto i =
        static_cast<std::uint32_t>(dice.below(static_cast<int>(sample.system.n_cells())));
    const std::int64_t target = sample.truth[i] + dice.between(-3, 3);
    for (const int sign : {1, -1}) {
      const bool can = sign > 0 ? range.upper[i] >= target : range.lower[i] <= target;
      ++(can ? reached : excluded);
      CHECK_EQ(static_cast<int>(work.search.reaches(i, sign, target, SearchLevel::complete)),
               static_cast<int>(can ? Reach::yes : Reach::no));
    }
  }
  CHECK(3 * reached > n && 3 * excluded > n);
}

TEST(levels_below_the_last_leave_valid_bounds) {
  small_tables::Dice dice(38);
  for (int k = 0; k < check::cases(400, 800); ++k) {
    const Sample sample = small_releases::sample_of(dice, k % 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    Fixture work(sample.system);
    work.search.start(sample.truth, SearchLevel::walks);
    const auto level = static_cast<SearchLevel>(dice.below(4));
    for (std::uint32_t i = 0; i < sample.system.n_cells(); ++i)
      for (const int sign : {1, -1}) work.search.close(i, sign, level);
    for (std::size_t i = 0; i < sample.system.n_cells(); ++i) {
      CHECK(work.known.lower[i] <= range.lower[i] && range.upper[i] <= work.known.upper[i]);
      CHECK(range.lower[i] <= work.known.least[i] && work.known.most[i] <= range.upper[i]);
    }
  }
}

TEST(a_contradiction_is_proved) {
  small_tables::Dice dice(39);
  int contradictions = 0;
  const int n = check::cases(700, 1500);
  for (int k = 0; k < n; ++k) {
    const Sample sample = small_releases::sample_of(dice, 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    Fixture work(sample.system);
    if (range.feasible) {
      CHECK(work.search.start({}, SearchLevel::complete));
    } else {
      ++contradictions;
      CHECK_THROWS(InfeasibleError, work.search.start({}, SearchLevel::complete));
    }
  }
  CHECK(8 * contradictions > n);
}
