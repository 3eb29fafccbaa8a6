// Levels against the same on all tables that they find.
#include "check.hpp"
#include "status_cases.hpp"
#include "suppress/blind_levels.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

const Tick kNoTick;

BlindLimits quick_limits() {
  BlindLimits out;
  out.idle_sweeps = 2;
  return out;
}

}  // namespace

TEST(a_level_suffices_for_each_of_its_tables_and_none_before) {
  Dice dice(81);
  std::size_t n_tables = 0;
  for (int i = 0; i < check::cases(14, 40); ++i) {
    const StatusCase c = random_status_case(dice, 8, false);
    if (c.pattern.problem.demands.empty()) continue;
    const StoredCells cells = c.pattern.table.stored();
    const BlindLimits limits = quick_limits();
    WorkClock clock(100, kNoTick);
    BlindLevels own(cells, c.pattern.problem, c.status, limits, clock);
    const WholeTable& truth = c.pattern.problem.value;
    const std::size_t level = own.first_level(truth);
    if (level == BlindLevels::kNone) continue;
    const std::vector<WholeTable> found = own.tables(truth, level);
    for (const WholeTable& table : found) {
      // without what is kept of other tables
      BlindLevels anew(cells, c.pattern.problem, c.status, limits, clock);
      CHECK_EQ(anew.first_level(table), level);
      CHECK(anew.tables(table, level) == found);
      if (++n_tables % 3 == 0) break;
    }
  }
  CHECK(n_tables > 10);
}

TEST(levels_come_once_and_those_that_are_dear_are_left_out) {
  Dice dice(82);
  std::size_t n_levels = 0, n_dear = 0;
  for (int i = 0; i < check::cases(5, 100); ++i) {
    const StatusCase c = random_status_case(dice, 9, false);
    const StoredCells cells = c.pattern.table.stored();
    BlindLimits limits = quick_limits();
    WorkClock clock(100, kNoTick);
    BlindLevels all(cells, c.pattern.problem, c.status, limits, clock);
    for (std::size_t k = 0; all.has_level(k); ++k, ++n_levels) {
      CHECK_EQ(all.level(k).cost, cost_of_hidden(c.pattern.problem, all.level(k).hidden));
      for (std::size_t j = 0; j < k; ++j) {
        CHECK(all.level(j).ask < all.level(k).ask);
        CHECK(all.level(j).hidden != all.level(k).hidden);
      }
    }
    CHECK(all.dear() == nullptr);
    limits.most_price = 1.25;
    limits.few = 1;
    BlindLevels cheap(cells, c.pattern.problem, c.status, limits, clock);
    const std::int64_t usual = cheap.usual().cost;
    const auto fits = [&](const BlindLevel& one) {
      return one.ask <= BlindAsk::alone || one.cost <= usual + 1 || 4 * one.cost <= 5 * usual;
    };
    for (std::size_t k = 0; cheap.has_level(k); ++k) CHECK(fits(cheap.level(k)));
    if (cheap.dear() != nullptr) CHECK(!fits(*cheap.dear()));
    n_dear += cheap.dear() != nullptr;
  }
  CHECK(n_levels > 10);
  CHECK(n_dear > 0);
}

TEST(without_time_nothing_is_said_to_suffice) {
  Dice dice(83);
  StatusCase c = random_status_case(dice, 9, false);
  while (c.pattern.problem.demands.size() < 3) c = random_status_case(dice, 9, false);
  const StoredCells cells = c.pattern.table.stored();
  const BlindLimits limits;
  WorkClock clock(0, kNoTick);
  BlindLevels own(cells, c.pattern.problem, c.status, limits, clock);
  bool is_up = false;
  try {
    own.first_level(c.pattern.problem.value);
  } catch (const WorkTimeUp&) {
    is_up = true;
  }
  CHECK(is_up);
  CHECK(own.usual().stopped);
}

TEST(no_level_suffices_beyond_the_limit_of_work) {
  Dice dice(84);
  for (int i = 0; i < check::cases(8, 50); ++i) {
    const StatusCase c = random_status_case(dice, 9, false);
    if (c.pattern.problem.demands.empty()) continue;
    const StoredCells cells = c.pattern.table.stored();
    BlindLimits limits = quick_limits();
    limits.of_class.max_work = -1;
    WorkClock clock(100, kNoTick);
    BlindLevels own(cells, c.pattern.problem, c.status, limits, clock);
    CHECK_EQ(own.first_level(c.pattern.problem.value), BlindLevels::kNone);
  }
}
