// Lines, groups of cells and boxes of states against enumeration.
#include <set>

#include "check.hpp"
#include "fibre/twoway_lines.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

TEST(shares_are_those_of_enumeration) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    CellGroup group;
    for (int c = dice.below(4); c > 0; --c) {
      group.cell.push_back(static_cast<std::uint32_t>(group.cell.size()));
      group.limit.push_back(dice.below(4));
      group.most += group.limit.back();
    }
    const std::size_t but = dice.below(2) ? kNone : group.cell.size() - (dice.below(2) == 0);
    std::vector<CellGroup> others(1);
    for (std::size_t c = 0; c < group.cell.size(); ++c) {
      if (c == but) continue;
      others[0].cell.push_back(group.cell[c]);
      others[0].limit.push_back(group.limit[c]);
    }
    const std::vector<sdclattice::BigCount> ways = shares(group, group.most, but);
    CHECK_EQ(ways.size(), static_cast<std::size_t>(group.most) + 1);
    for (std::int64_t k = 0; k <= group.most; ++k) {
      LineWays all;
      Values held(1, 0);
      fill_cells(others, 0, 0, k, held, all);
      CHECK(ways[static_cast<std::size_t>(k)] == number(all, {k}));
    }
  }
}

TEST(lines_hold_each_cell_once_in_its_place) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const TwoWayTable table = random_table(dice);
    const TwoWayPlan plan = random_plan(table, dice);
    const TwoWayTable seen = plan.transposed ? table.transposed() : table;
    const OrderedLines lines = arrange(table, plan);
    std::vector<std::uint32_t> columns = plan.axis;
    if (columns.empty()) columns.push_back(plan.rest);  // an axis without cells
    columns.push_back(plan.rest);
    std::set<std::uint32_t> met;
    for (std::size_t i = 0; i < lines.n_lines(); ++i) {
      CHECK_EQ(lines.sum[i], seen.row[plan.line[i]]);
      CHECK_EQ(lines.group[i].size(), lines.n_axes() + 1);
      for (std::size_t j = 0; j < lines.group[i].size(); ++j)
        for (std::size_t c = 0; c < lines.group[i][j].cell.size(); ++c) {
          const std::uint32_t cell = lines.group[i][j].cell[c];
          CHECK(met.insert(cell).second);
          CHECK_EQ(seen.cell[cell].row, plan.line[i]);
          CHECK_EQ(seen.cell[cell].column, columns[j]);
          CHECK_EQ(
              lines.group[i][j].limit[c],
              std::min({seen.cell[cell].limit, seen.row[plan.line[i]], seen.column[columns[j]]}));
        }
    }
    CHECK_EQ(met.size(), table.cell.size());
    const OrderedLines back = lines.reversed();
    for (std::size_t i = 0; i < lines.n_lines(); ++i)
      CHECK_EQ(back.sum[i], lines.sum[lines.n_lines() - 1 - i]);
  }
}

TEST(boxes_hold_the_states_of_every_table) {
  Dice dice(3);
  int n_states = 0;
  for (int round = 0; round < 300; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    const Values end = all_totals(lines);
    for (std::size_t i = 0; i <= lines.n_lines(); ++i) {
      const Box box = box_after(lines, i);
      std::set<std::size_t> places;
      each_state(box, [&](const Values& v) { places.insert(box.index(v.data())); });
      const LineWays after = fillings(lines, i, lines.n_lines());
      for (const auto& [held, ways] : fillings(lines, 0, i)) {
        Values left = end;
        for (std::size_t j = 0; j < end.size(); ++j) left[j] -= held[j];
        if (number(after, left) == 0) continue;
        CHECK(!box.empty);
        for (std::size_t j = 0; j < lines.n_axes(); ++j) CHECK(box.holds(j, held[j]));
        CHECK(places.count(box.index(held.data())) == 1);
        ++n_states;
      }
    }
  }
  CHECK(n_states > 1000);
}

TEST(a_hull_holds_both_boxes_and_places_differ) {
  Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    for (std::size_t i = 0; i < lines.n_lines(); ++i) {
      const Box from = box_after(lines, i), to = box_after(lines, i + 1);
      if (from.empty || to.empty) continue;
      const Box both = hull(from, to);
      CHECK(both.n_states() >= std::max(from.n_states(), to.n_states()));
      CHECK(step_cost(from, to, lines, i) > 0);
      std::set<std::size_t> places;
      std::size_t n = 0;
      for (const Box* box : {&from, &to})
        each_state(*box, [&](const Values& v) {
          for (std::size_t j = 0; j < v.size(); ++j) CHECK(both.holds(j, v[j]));
          places.insert(both.index(v.data()));
          ++n;
        });
      CHECK(places.size() <= n);
      CHECK(*places.rbegin() < static_cast<std::size_t>(both.n_states()));
    }
  }
}
