// Teams of searches: against enumeration, the same for any number of threads, and cut short.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/sparse_team.hpp"
#include "small_releases.hpp"
#include "sparse_cases.hpp"

using namespace sdclattice;
using small_releases::Range;
using small_releases::Sample;

namespace {

const Tick kNoTick;
constexpr SearchLevel kFirst = SearchLevel::walks;

LinearSystem no_rows(const LinearSystem& system) {
  LinearSystem out;
  out.lower = system.lower;
  out.upper = system.upper;
  return out;
}

struct Fixture {
  Fixture(const LinearSystem& part, std::size_t n_searches, WorkerPool& pool, double seconds = 1e6)
      : none(no_rows(part)),
        known(part),
        watch(seconds, kNoTick),
        team(part, none, n_searches, known, effort, watch, {&pool, &end}) {
    for (std::uint32_t i = 0; i < part.n_cells(); ++i)
      for (const int sign : {1, -1}) ends.push_back({i, sign});
  }

  LinearSystem none;
  Knowledge known;
  Effort effort;
  WorkClock watch;
  SharedEnd end;
  SparseTeam team;
  std::vector<CellEnd> ends;
};

bool same(const IntegerBounds& a, const IntegerBounds& b) {
  return a.lower == b.lower && a.upper == b.upper && a.least == b.least && a.most == b.most &&
         a.sharp == b.sharp && a.n_programmes == b.n_programmes && a.n_branches == b.n_branches &&
         a.n_witnesses == b.n_witnesses && a.n_sparse == b.n_sparse;
}

IntegerBounds bounds(const LinearSystem& system, std::size_t threads, const Tick& tick = {}) {
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < system.n_cells(); ++i) asked.push_back(i);
  BoundsLimits limits;
  limits.threads = threads;
  limits.engine = BoundsEngine::sparse;
  return integer_bounds(system, asked, limits, tick);
}

// One large part.
LinearSystem large_system() {
  small_tables::Dice dice(6);
  small_tables::Whole truth;
  return sparse_cases::margins(dice, 8, 7, 7, 2, 5, truth);
}

// Parts side by side.
LinearSystem many_parts() {
  small_tables::Dice dice(7);
  LinearSystem out;
  small_tables::Whole truth;
  for (int k = 0; k < 20; ++k) {
    const LinearSystem part = sparse_cases::margins(dice, 4, 4, 3, 2, 5, truth);
    const auto shift = static_cast<std::uint32_t>(out.n_cells());
    const std::size_t entries = out.cell.size();
    out.lower.insert(out.lower.end(), part.lower.begin(), part.lower.end());
    out.upper.insert(out.upper.end(), part.upper.begin(), part.upper.end());
    for (const std::uint32_t i : part.cell) out.cell.push_back(i + shift);
    out.coefficient.insert(out.coefficient.end(), part.coefficient.begin(), part.coefficient.end());
    for (std::size_t r = 1; r < part.start.size(); ++r)
      out.start.push_back(part.start[r] + entries);
    out.row_lower.insert(out.row_lower.end(), part.row_lower.begin(), part.row_lower.end());
    out.row_upper.insert(out.row_upper.end(), part.row_upper.begin(), part.row_upper.end());
  }
  return out;
}

}  // namespace

TEST(ends_of_a_team_equal_enumeration) {
  small_tables::Dice dice(41);
  WorkerPool one(1), three(3);
  int done = 0;
  for (int k = 0; done < 120; ++k) {
    const Sample sample = small_releases::sample_of(dice, k % 7);
    const Range range = small_releases::enumerate(sample.system);
    if (!range.complete) continue;
    ++done;
    Fixture work(sample.system, 1 + static_cast<std::size_t>(k % 4), k % 2 == 0 ? one : three);
    CHECK(
        work.team.start(k % 3 == 0 ? sample.truth : small_tables::Whole{}, SearchLevel::complete));
    work.team.close(work.ends, kNoLimit, kFirst, 0);
    for (std::size_t round = 0; round < 4; ++round)
      work.team.close(work.ends, kNoLimit, SearchLevel::complete, round);
    CHECK_EQ(work.known.lower, range.lower);
    CHECK_EQ(work.known.upper, range.upper);
    CHECK_EQ(work.known.least, range.lower);
    CHECK_EQ(work.known.most, range.upper);
  }
}

TEST(one_large_part_is_the_same_with_any_number_of_threads) {
  const LinearSystem system = large_system();
  const IntegerBounds one = bounds(system, 1), alone = bounds(system, 0);
  CHECK(!one.stopped);
  for (const std::size_t threads : {2, 3, 7}) CHECK(same(one, bounds(system, threads)));
  CHECK(one.lower == alone.lower && one.upper == alone.upper && one.least == alone.least);
  CHECK(one.most == alone.most && one.sharp == alone.sharp);
}

TEST(many_parts_are_the_same_with_any_number_of_threads) {
  const LinearSystem system = many_parts();
  const IntegerBounds one = bounds(system, 1), alone = bounds(system, 0);
  CHECK(!one.stopped && one.n_sparse > 10);
  for (const std::size_t threads : {2, 3, 7}) CHECK(same(one, bounds(system, threads)));
  CHECK(same(one, alone));
}

TEST(intervals_that_are_known_well_enough_are_left) {
  const LinearSystem system = large_system();
  WorkerPool pool(2);
  Fixture work(system, 3, pool);
  CHECK(work.team.start({}, SearchLevel::complete));
  work.team.close(work.ends, 2, kFirst, 0);
  for (const CellEnd& end : work.ends)
    if (work.known.most[end.cell] - work.known.least[end.cell] >= 2)
      CHECK(!wants(work.known, end, 2));
}

// What was found before the time was up stays, and is valid.
TEST(no_time_is_an_end_for_all) {
  const LinearSystem system = large_system();
  const IntegerBounds whole = bounds(system, 1);
  for (const std::size_t threads : {1, 3}) {
    WorkerPool pool(threads);
    Fixture late(system, 4, pool, 0);
    bool is_late = false;
    try {
      late.team.start({}, SearchLevel::complete);
      late.team.close(late.ends, kNoLimit, SearchLevel::near, 0);
    } catch (const WorkTimeUp&) {
      is_late = true;
    }
    CHECK(is_late);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      CHECK(late.known.lower[i] <= whole.lower[i] && whole.upper[i] <= late.known.upper[i]);
  }
}

TEST(an_interrupt_keeps_what_is_found) {
  const LinearSystem system = large_system();
  const IntegerBounds whole = bounds(system, 1);
  for (const std::size_t threads : {1, 2, 3}) {
    int left = 8;
    const IntegerBounds cut = bounds(system, threads, [&left](double) {
      if (--left < 0) throw WorkInterrupted();
    });
    CHECK(cut.interrupted && cut.stopped && !cut.late);
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      CHECK(cut.lower[i] <= whole.lower[i] && whole.upper[i] <= cut.upper[i]);
      if (cut.proved_feasible)
        CHECK(whole.least[i] <= cut.least[i] && cut.most[i] <= whole.most[i]);
    }
  }
}

TEST(a_contradiction_is_found_by_a_team) {
  LinearSystem system = large_system();
  system.row_lower[0] = system.row_upper[0] = system.row_upper[0] + 1;
  for (const std::size_t threads : {0, 1, 2})
    CHECK_THROWS(InfeasibleError, bounds(system, threads));
}
