// Bounds by capacity cuts: below the least cost of all patterns, and sharp in most small tables.
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/capacity_bound.hpp"
#include "suppress/pattern_bound.hpp"
#include "suppress_cases.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

// All candidates: the dearest pattern that there is.
SuppressionPattern dearest(const SuppressionProblem& problem) {
  SuppressionPattern out;
  out.hidden.assign(problem.n_cells(), 1);
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate) out.cost += problem.cost[i];
  return out;
}

std::int64_t cost_of(const SuppressionProblem& problem, const std::vector<char>& cover) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < cover.size(); ++i)
    if (cover[i] != 0) out += problem.cost[i];
  return out;
}

}  // namespace

TEST(below_the_least_cost_of_all_patterns) {
  Dice dice(72);
  int n_sharp = 0, n_above_rows = 0;
  for (int round = 0; round < 50; ++round) {
    const Variable tree{{-1, 0, 0, 1, 1}};
    const std::vector<Variable> variables =
        round % 3 == 0 ? std::vector<Variable>{flat(2), flat(2), flat(2)}
                       : std::vector<Variable>{flat(2), round % 3 == 1 ? flat(3) : tree};
    const SmallTable table = random_table(dice, variables, 4, 1);
    SmallProblem problem =
        problem_of(table, 2, {dice.below(2), variables.size() == 2 ? 2 : 1}, random_demand(dice));
    for (std::int64_t& cost : problem.cost) cost = dice.between(1, 4);
    limit_candidates(problem, dice, 9);
    add_knowers(problem, dice, 2);
    const std::vector<small_tables::Whole> all = differences(table, problem);
    const Least least =
        least_cost(problem, [&](const Question& q, const std::vector<char>& hidden) {
          return is_met(problem, q, hidden, all);
        });
    SuppressionPattern best = dearest(problem);
    best.lacking = impossible(problem, least);
    const CapacityBound bound = capacity_bound(problem, best, {}, {});
    CHECK(bound.cost <= least.cost);
    CHECK(!bound.interrupted);
    if (!bound.cover.empty()) CHECK_EQ(cost_of(problem, bound.cover), bound.cost);
    n_sharp += least.cost > 0 && bound.cost == least.cost ? 1 : 0;
    const std::int64_t rows = pattern_bound(problem, best.lacking, 10, {}).cost;
    CHECK(bound.cost >= rows);
    n_above_rows += bound.cost > rows ? 1 : 0;
    // cuts that are known are a start
    const CapacityBound again = capacity_bound(problem, best, {}, {}, bound.cuts);
    CHECK_EQ(again.cost, bound.cost);
    // a pattern of this cost ends the work
    best.cost = least.cost;
    CHECK(capacity_bound(problem, best, {}, {}).cost <= least.cost);
  }
  CHECK(n_sharp > 15 && n_above_rows > 3);
}

TEST(reference_cases) {
  std::int64_t sum = 0, least = 0;
  for (std::size_t k = 0; k < suppress_cases::all.size(); ++k) {
    const suppress_cases::ReferenceCase& of = suppress_cases::all[k];
    const std::int64_t width = k % 3 == 0 ? 3 : 1, known = k % 3 == 0 ? of.width_3 : of.width_1;
    const SmallProblem problem = problem_of(read_table(of.parents, of.tables, of.inner), of.max_n,
                                            {0, kNoLimit}, {0, 0, 0, width}, false);
    const CapacityBound bound = capacity_bound(problem, dearest(problem), {}, {});
    CHECK(bound.cost <= known);
    sum += bound.cost;
    least += known;
  }
  CHECK(20 * sum >= 19 * least);
}

// Costs that are no whole numbers arrive as large ones.
TEST(large_costs) {
  const suppress_cases::ReferenceCase& of = suppress_cases::all[1];
  SmallProblem problem = problem_of(read_table(of.parents, of.tables, of.inner), of.max_n,
                                    {0, kNoLimit}, {0, 0, 0, 1}, false);
  constexpr std::int64_t kUnit = (std::int64_t{1} << 55) - 12345;
  for (std::int64_t& cost : problem.cost) cost = kUnit;
  const CapacityBound bound = capacity_bound(problem, dearest(problem), {}, {});
  CHECK(bound.cost <= of.width_1 * kUnit);
  CHECK(bound.cost > (of.width_1 - 1) * kUnit);
}

TEST(time_that_is_up) {
  const suppress_cases::ReferenceCase& of = suppress_cases::all[7];
  const SmallProblem problem = problem_of(read_table(of.parents, of.tables, of.inner), of.max_n,
                                          {0, kNoLimit}, {0, 0, 0, 1}, false);
  CapacityLimits none;
  none.seconds = 0;
  CHECK(capacity_bound(problem, dearest(problem), none, {}).cost <= of.width_1);
  CHECK_EQ(capacity_bound(problem, {}, {}, {}).cost, 0);
}
