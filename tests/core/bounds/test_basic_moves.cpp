// Walks of basic moves: every table they end at has the margins, and they reach what all tables
// with the margins reach where there is one move only.
#include <set>

#include "base/deadline.hpp"
#include "bounds/basic_moves.hpp"
#include "cases.hpp"
#include "check.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

// The change of the cell asked about; adds to `wrong` whatever breaks a promise.
std::int64_t judged(const cases::Dense& x, const std::vector<Mask>& sets, std::size_t cell,
                    int sign, std::int64_t enough, const std::vector<CountChange>& changes,
                    int& wrong) {
  cases::Dense after = x;
  std::set<std::size_t> seen;
  for (const CountChange& change : changes) {
    wrong += !seen.insert(change.cell).second || change.by == 0;
    after.counts[change.cell] += change.by;
  }
  for (std::int64_t count : after.counts) wrong += count < 0;
  for (Mask set : sets) wrong += after.margin(set) != x.margin(set);
  const std::int64_t by = after.counts[cell] - x.counts[cell];
  wrong += by * sign < 0 || by * sign > enough;
  return by * sign;
}

}  // namespace

TEST(tables_at_the_end_of_a_walk_have_the_margins) {
  PublicRandom random(1);
  int wrong = 0, moved = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = 2 + random.below(3);
    const cases::Dense x =
        cases::random_dense(random, cases::random_levels(random, n, 2, 3), 5, random.below(4));
    const cases::Stored stored(x, 100);
    const RiskCells risk = stored.risk();
    const PartTable table(risk, x.all(), 1000);
    const auto sets = cases::random_frontier(random, n, 4);
    BasicMoves moves(table, cases::minimal_outside(n, sets), 1 + random.below(40));
    for (int i = 0; i < 12; ++i) {
      const std::size_t cell = random.below(x.counts.size());
      const int sign = random.below(2) == 0 ? 1 : -1;
      const auto enough = static_cast<std::int64_t>(random.below(9));
      const auto changes = moves.walk(cell, sign, enough, random.below(2) == 0);
      moved += judged(x, sets, cell, sign, enough, changes, wrong) > 0;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(moved > 300);
}

// Every fourth of the 2 x 2 tables up to 4: one move, whose room is the least count that falls.
TEST(one_move_is_made_as_often_as_there_is_room) {
  int wrong = 0;
  for (std::size_t code = 0; code < 625; code += 4) {
    cases::Dense x{{2, 2}, {}};
    for (std::size_t c = 0, rest = code; c < 4; ++c, rest /= 5)
      x.counts.push_back(static_cast<std::int64_t>(rest % 5));
    const cases::Stored stored(x, 100);
    const RiskCells risk = stored.risk();
    const PartTable table(risk, 3, 4);
    BasicMoves moves(table, {3}, 1);
    const auto exact = cases::sharp_bounds(x, {1, 2});
    for (std::size_t c = 0; c < 4; ++c)
      for (const bool debts : {false, true}) {
        const auto up = moves.walk(c, 1, 6, debts), down = moves.walk(c, -1, 6, debts);
        wrong += judged(x, {1, 2}, c, 1, 6, up, wrong) != exact[c].upper - x.counts[c];
        wrong += judged(x, {1, 2}, c, -1, 6, down, wrong) != x.counts[c] - exact[c].lower;
      }
  }
  CHECK_EQ(wrong, 0);
}

// What is reached is attained, so within the sharp bounds; debts lead further, mostly to the end.
TEST(walks_stay_within_the_sharp_bounds_and_debts_reach_most_of_them) {
  PublicRandom random(2);
  int wrong = 0, n = 0, ends = 0, ends_by_debts = 0;
  for (int round = 0; round < 24; ++round) {
    const cases::Dense x = cases::random_dense(random, {2, 3, 2}, 3, 1);
    const cases::Stored stored(x, 100);
    const RiskCells risk = stored.risk();
    const PartTable table(risk, 7, 12);
    const auto sets = cases::random_frontier(random, 3, 3);
    const auto exact = cases::sharp_bounds(x, sets);
    if (exact.empty()) continue;
    BasicMoves moves(table, cases::minimal_outside(3, sets), 100);
    for (std::size_t c = 0; c < 12; ++c)
      for (const int sign : {1, -1}) {
        const std::int64_t most =
            sign > 0 ? exact[c].upper - x.counts[c] : x.counts[c] - exact[c].lower;
        const auto plain =
            judged(x, sets, c, sign, most + 1, moves.walk(c, sign, most + 1, false), wrong);
        const auto debts =
            judged(x, sets, c, sign, most + 1, moves.walk(c, sign, most + 1, true), wrong);
        wrong += plain > most || debts > most;
        ends += plain == most;
        ends_by_debts += debts == most;
        ++n;
      }
  }
  CHECK_EQ(wrong, 0);
  CHECK(ends_by_debts >= ends);
  CHECK(ends_by_debts > n * 9 / 10);
}

TEST(walks_without_debts_start_from_the_table_each_time) {
  PublicRandom random(3);
  for (int round = 0; round < 24; ++round) {
    const cases::Dense x = cases::random_dense(random, {3, 3, 2}, 6, 1);
    const cases::Stored stored(x, 100);
    const RiskCells risk = stored.risk();
    const PartTable table(risk, 7, 18);
    BasicMoves moves(table, {3, 4}, 16), fresh(table, {3, 4}, 16);
    const std::size_t cell = random.below(18);
    const auto first = fresh.walk(cell, 1, 5, false);
    moves.walk(random.below(18), -1, 3, true);
    moves.walk(random.below(18), 1, 9, false);
    const auto again = moves.walk(cell, 1, 5, false);
    CHECK_EQ(first.size(), again.size());
    for (std::size_t i = 0; i < first.size() && i < again.size(); ++i)
      CHECK(first[i].cell == again[i].cell && first[i].by == again[i].by);
  }
}

TEST(nothing_moves_without_sets_choices_or_need) {
  const cases::Dense x{{2, 2}, {3, 3, 3, 3}};
  const cases::Stored stored(x, 100);
  const RiskCells risk = stored.risk();
  const PartTable table(risk, 3, 4);
  for (const bool debts : {false, true}) {
    CHECK(BasicMoves(table, {}, 10).walk(0, 1, 5, debts).empty());
    CHECK(BasicMoves(table, {3}, 0).walk(0, 1, 5, debts).empty());
    CHECK(BasicMoves(table, {3}, 10).walk(0, 1, 0, debts).empty());
    CHECK_EQ(BasicMoves(table, {3}, 10).walk(0, 1, 2, debts).size(), 4u);
  }
}

TEST(variables_of_one_level_cannot_be_changed) {
  const cases::Dense x{{1, 3}, {2, 2, 2}};
  const cases::Stored stored(x, 100);
  const RiskCells risk = stored.risk();
  const PartTable table(risk, 3, 3);
  CHECK(BasicMoves(table, {3}, 10).walk(0, 1, 2, true).empty());
  CHECK_EQ(BasicMoves(table, {2}, 10).walk(0, 1, 4, true).size(), 3u);
}

TEST(walks_can_be_stopped) {
  const cases::Dense x{{2, 2}, {3, 3, 3, 3}};
  const cases::Stored stored(x, 100);
  const RiskCells risk = stored.risk();
  const PartTable table(risk, 3, 4);
  BasicMoves moves(table, {3}, 10);
  const Deadline over([] { return true; });
  CHECK_THROWS(WorkTimeUp, moves.walk(0, 1, 2, false));
}
