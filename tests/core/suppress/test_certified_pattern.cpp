// The methods in a row: what they return is certified, not worse than the first of them, and proved
// where it says so.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/certified_pattern.hpp"
#include "suppress/hitting_pattern.hpp"
#include "suppress/move_pattern.hpp"
#include "suppress/programme_pattern.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

std::size_t n_possible(const SuppressionPattern& pattern) {
  std::size_t out = 0;
  for (const OpenDemand& open : pattern.lacking) out += open.impossible ? 0 : 1;
  return out;
}

void check_certified(const PatternCase& c, const SuppressionPattern& pattern) {
  std::int64_t cost = 0;
  for (std::uint32_t cell = 0; cell < c.problem.n_cells(); ++cell) {
    const CellRole role = c.problem.role[cell];
    if (role == CellRole::primary) CHECK(pattern.hidden[cell] != 0);
    if (role == CellRole::open || role == CellRole::unseen) CHECK(pattern.hidden[cell] == 0);
    cost += role == CellRole::candidate && pattern.hidden[cell] ? c.problem.cost[cell] : 0;
  }
  CHECK_EQ(pattern.cost, cost);
  CHECK(pattern.bound <= pattern.cost);
  for (const Certificate& certificate : pattern.certificates)
    CHECK(certifies(c.problem, pattern.hidden, certificate));
  CHECK(open_set(pattern.lacking) == open_set(open_demands(c.problem, pattern.certificates)));
}

}  // namespace

TEST(small_tables_are_solved_and_proved) {
  Dice dice(41);
  int n_proved = 0, n_dear = 0;
  const int n = check::cases(30, 60);
  for (int i = 0; i < n; ++i) {
    const PatternCase c = random_pattern_case(dice, 12, false);
    const StoredCells cells = c.table.stored();
    const SuppressionPattern pattern = certified_pattern(cells, c.problem, {}, nullptr);
    check_certified(c, pattern);
    MovePatternLimits first;
    first.idle_sweeps = 1;
    const SuppressionPattern moves = move_pattern(cells, c.problem, {}, first, nullptr);
    CHECK(n_possible(pattern) < n_possible(moves) || pattern.cost <= moves.cost);
    if (!pattern.optimal) continue;
    ++n_proved;
    const SuppressionPattern alone = hitting_pattern(c.problem, {}, nullptr);
    CHECK(alone.optimal);
    CHECK_EQ(pattern.cost, alone.cost);
    n_dear += moves.cost > pattern.cost ? 1 : 0;
  }
  CHECK_EQ(n_proved, n);
  CHECK(n_dear > 0);
}

TEST(without_rows_there_are_product_moves_alone) {
  Dice dice(42);
  for (int i = 0; i < 5; ++i) {
    PatternCase c = random_pattern_case(dice, 20, false);
    const StoredCells cells = c.table.stored();
    SuppressionProblem bare = c.problem;
    bare.system = table_problem(cells, c.floor, false).system;
    const SuppressionPattern pattern = certified_pattern(cells, bare, {}, nullptr);
    check_certified(c, pattern);
    CHECK_EQ(pattern.bound, std::int64_t{0});
  }
}

TEST(an_interrupt_keeps_what_there_is) {
  Dice dice(43);
  std::size_t n_stopped = 0;
  for (int i = 0; i < 40; ++i) {
    const PatternCase c = random_pattern_case(dice, 40, false);
    const StoredCells cells = c.table.stored();
    int calls = i % 7;
    const SuppressionPattern pattern = certified_pattern(cells, c.problem, {}, [&calls](double) {
      if (--calls < 0) throw WorkInterrupted();
    });
    check_certified(c, pattern);
    n_stopped += pattern.stopped ? 1 : 0;
  }
  CHECK(n_stopped > 0);
}

TEST(no_time_leaves_what_is_open) {
  Dice dice(44);
  for (int i = 0; i < 20; ++i) {
    const PatternCase c = random_pattern_case(dice, 30, false);
    const StoredCells cells = c.table.stored();
    PatternLimits limits;
    limits.seconds = 0;
    check_certified(c, certified_pattern(cells, c.problem, limits, nullptr));
  }
}

TEST(a_start_never_makes_it_dearer) {
  Dice dice(45);
  for (int i = 0; i < 20; ++i) {
    const PatternCase c = random_pattern_case(dice, 20, false);
    const StoredCells cells = c.table.stored();
    PatternLimits limits;
    limits.seed = static_cast<std::uint64_t>(i);
    const SuppressionPattern without = certified_pattern(cells, c.problem, limits, nullptr);
    // cells that may not be hidden are left out
    std::vector<char> start;
    for (std::size_t cell = 0; cell < c.problem.n_cells(); ++cell) start.push_back(dice.below(2));
    const SuppressionPattern with = certified_pattern(cells, c.problem, limits, nullptr, start);
    check_certified(c, with);
    CHECK(n_possible(with) < n_possible(without) || with.cost <= without.cost);
    const SuppressionPattern bare = certified_pattern(c.problem, limits, nullptr, start);
    check_certified(c, bare);
    limits.seconds = 0;
    check_certified(c, certified_pattern(cells, c.problem, limits, nullptr, start));
  }
}

TEST(a_pattern_holds_certificates_within_its_cells) {
  Dice dice(46);
  for (int i = 0; i < check::cases(6, 20); ++i) {
    const PatternCase c = random_pattern_case(dice, 30, false);
    const SuppressionPattern best = certified_pattern(c.problem, {}, nullptr);
    const SuppressionPattern again = pattern_within(c.problem, best.hidden, {}, nullptr);
    check_certified(c, again);
    CHECK(again.cost <= best.cost);
    CHECK_EQ(n_possible(again), n_possible(best));
    for (std::size_t cell = 0; cell < best.hidden.size(); ++cell)
      CHECK(again.hidden[cell] <= best.hidden[cell]);
  }
}
