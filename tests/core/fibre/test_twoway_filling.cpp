// The numbers of ways to fill the first lines against enumeration.
#include "check.hpp"
#include "fibre/twoway_filling.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

TEST(each_state_has_its_number_of_fillings) {
  Dice dice(21);
  int n_states = 0;
  for (int round = 0; round < 600; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    Filling<std::uint64_t> filling(lines);
    CHECK(!filling.empty());  // the sums are those of a table
    filling.reach(lines.n_lines(), true, {});
    for (std::size_t i = 0; i <= lines.n_lines(); ++i) {
      const LineWays listed = fillings(lines, 0, i);
      const Box& box = filling.box(i);
      each_state(box, [&](const Values& v) {
        CHECK_EQ(filling.states(i)[box.index(v.data())], number(listed, with_rest(lines, v, i)));
        ++n_states;
      });
    }
  }
  CHECK(n_states > 2000);
}

TEST(states_are_dropped_unless_they_are_kept) {
  Dice dice(22);
  for (int round = 0; round < 50; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    Filling<std::uint64_t> dropping(lines), keeping(lines);
    dropping.reach(lines.n_lines(), false, {});
    keeping.reach(lines.n_lines(), true, {});
    CHECK_EQ(dropping.states(lines.n_lines()), keeping.states(lines.n_lines()));
    for (std::size_t i = 1; i < lines.n_lines(); ++i) CHECK(dropping.states(i).empty());
  }
}

TEST(sums_beyond_the_limits_leave_nothing) {
  TwoWayTable table{{3, 1}, {2, 2}, {{0, 0, 1}, {0, 1, 1}, {1, 0, 2}, {1, 1, 2}}};
  const OrderedLines lines = arrange(table, sdclattice::plan_two_way(table));
  CHECK(Filling<std::uint64_t>(lines).empty());
}
