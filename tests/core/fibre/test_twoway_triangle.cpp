// One step of the programme, by triangles, against the sum over all fillings of the line.
#include "base/fixed_uint.hpp"
#include "check.hpp"
#include "fibre/twoway_triangle.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

namespace {

// As random_table(), without cells that share a place, with larger sums, and three columns at most.
TwoWayTable random_narrow_table(Dice& dice) {
  const int m = 1 + dice.below(4), n = 1 + dice.below(3), most = 1 + dice.below(6);
  TwoWayTable out;
  out.row.assign(m, 0);
  out.column.assign(n, 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      if (dice.below(7) == 0) continue;
      const std::int64_t x = dice.below(most);
      const bool open = dice.below(2) == 0;
      out.cell.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                          open ? std::int64_t{1} << 40 : x + dice.below(2)});
      out.row[i] += x;
      out.column[j] += x;
    }
  return out;
}

TwoWayPlan upright_plan(const TwoWayTable& table, Dice& dice) {
  TwoWayPlan plan = random_plan(table, dice);
  while (plan.transposed) plan = random_plan(table, dice);
  return plan;
}

}  // namespace

TEST(a_step_counts_the_fillings_of_its_line) {
  Dice dice(31);
  int n_steps = 0, n_limited = 0;
  for (int round = 0; round < 500; ++round) {
    const TwoWayTable table = random_narrow_table(dice);
    const OrderedLines lines = arrange(table, upright_plan(table, dice));
    for (std::size_t i = 0; i < lines.n_lines(); ++i) {
      const Box from = box_after(lines, i), to = box_after(lines, i + 1);
      if (from.empty || to.empty) continue;
      // States that cannot be, outside of the range of |v|, must not matter.
      std::vector<std::uint64_t> before(static_cast<std::size_t>(from.n_states()), 12345);
      each_state(from, [&](const Values& v) { before[from.index(v.data())] = dice.below(9); });
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(to.n_states()), 0);
      const LineWays line = line_ways(lines, i);
      each_state(from, [&](const Values& v) {
        for (const auto& [held, ways] : line) {
          Values end = v;
          bool inside = true;
          for (std::size_t j = 0; j < v.size(); ++j)
            inside = inside && to.holds(j, end[j] += held[j]);
          if (inside) expected[to.index(end.data())] += before[from.index(v.data())] * ways;
        }
      });
      CHECK(is_triangular(lines, i));
      std::vector<std::uint64_t> after(expected.size(), 0);
      TriangleStep<std::uint64_t>(from, to, lines, i).run(before.data(), after.data());
      each_state(to, [&](const Values& v) {
        CHECK_EQ(after[to.index(v.data())], expected[to.index(v.data())]);
      });
      ++n_steps;
      n_limited += exclusion_terms(from, to, lines, i).size() > 1;
    }
  }
  CHECK(n_steps > 800);
  CHECK(n_limited > 100);
}

TEST(cells_that_share_a_place_and_many_columns_take_layers) {
  const TwoWayTable shared{{2, 2}, {2, 2}, {{0, 0, 1}, {0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 2}}};
  TwoWayPlan plan;
  plan.line = {0, 1};
  plan.axis = {0};
  plan.rest = 1;
  const OrderedLines lines = arrange(shared, plan);
  CHECK(!is_triangular(lines, 0));
  CHECK(is_triangular(lines, 1));
  CHECK(std::isinf(triangle_cost(box_after(lines, 0), box_after(lines, 1), lines, 0)));
}
