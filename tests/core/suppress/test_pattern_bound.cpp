// Bounds from relations: below the least cost of all patterns, and cuts that each pattern hits.
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/pattern_bound.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

struct Random {
  SmallTable table;
  SmallProblem problem;
  std::vector<small_tables::Whole> all;
};

Random random_case(Dice& dice, int round) {
  const std::vector<Variable> variables =
      round % 3 == 0
          ? std::vector<Variable>{flat(2), flat(2), flat(2)}
          : std::vector<Variable>{flat(2), round % 3 == 1 ? flat(3) : Variable{{-1, 0, 0, 1, 1}}};
  Random out{random_table(dice, variables, 4, 1), {}, {}};
  out.problem =
      problem_of(out.table, 2, {dice.below(2), variables.size() == 2 ? 2 : 1}, random_demand(dice));
  for (std::int64_t& cost : out.problem.cost) cost = dice.between(1, 4);
  limit_candidates(out.problem, dice, 9);
  add_knowers(out.problem, dice, 2);
  out.all = differences(out.table, out.problem);
  return out;
}

// Whoever hides none of the cut leaves some demand open that could be met.
bool is_needed(const Random& of, const CellCut& cut, const Least& least) {
  std::vector<char> hidden;
  for (std::size_t i = 0; i < of.problem.n_cells(); ++i) {
    const bool hides = of.problem.role[i] == CellRole::primary ||
                       (of.problem.role[i] == CellRole::candidate &&
                        std::find(cut.begin(), cut.end(), i) == cut.end());
    hidden.push_back(hides ? 1 : 0);
  }
  const std::vector<Question> asked = questions(of.problem);
  for (std::size_t q = 0; q < asked.size(); ++q)
    if (least.is_impossible[q] == 0 && !is_met(of.problem, asked[q], hidden, of.all)) return true;
  return false;
}

}  // namespace

TEST(below_the_least_cost_of_all_patterns) {
  Dice dice(1);
  int n_sharp = 0, n_cuts = 0;
  for (int round = 0; round < 60; ++round) {
    Random of = random_case(dice, round);
    const Judge judge = [&](const Question& q, const std::vector<char>& hidden) {
      return is_met(of.problem, q, hidden, of.all);
    };
    const Least least = least_cost(of.problem, judge);
    const std::vector<OpenDemand> lacking = impossible(of.problem, least);
    const PatternBound bound = pattern_bound(of.problem, lacking, 10, {});
    CHECK(bound.cost <= least.cost);
    n_sharp += least.cost > 0 && bound.cost == least.cost ? 1 : 0;
    for (const CellCut& cut : row_cuts(of.problem, lacking)) {
      CHECK(is_needed(of, cut, least));
      ++n_cuts;
    }
    of.problem.cost.assign(of.problem.n_cells(), 1);
    CHECK(bound.n_cells <= least_cost(of.problem, judge).cost);
  }
  CHECK(n_sharp > 10 && n_cuts > 100);
}

// A diagonal of ones: each needs another cell in its row and in its column, so that four of the
// others make the bound.
TEST(rows_and_columns_with_one_hidden_cell) {
  SmallTable table{{flat(4), flat(4)}, {{1, 1}}, {}};
  for (int a = 1; a <= 4; ++a)
    for (int b = 1; b <= 4; ++b) table.inner[{a, b}] = a == b ? 1 : 5;
  const SmallProblem problem = problem_of(table, 1, {0, kNoLimit});
  CHECK_EQ(row_cuts(problem, {}).size(), 8u);
  const PatternBound bound = pattern_bound(problem, {}, 10, {});
  CHECK_EQ(bound.cost, 4);
  CHECK_EQ(bound.n_cells, 4);
  // What is not to be met needs nothing.
  std::vector<OpenDemand> lacking;
  for (std::uint32_t d = 0; d < 4; ++d) lacking.push_back({d, OpenDemand::kNobody, false});
  CHECK(row_cuts(problem, lacking).empty());
}

// Two ones in a row: that they may change against each other is no use where both are known to be
// at least 1.
TEST(known_limits_count) {
  SmallTable table{{flat(3)}, {{1}}, {}};
  table.inner = {{{1}, 1}, {{2}, 1}, {{3}, 5}};
  CHECK(row_cuts(problem_of(table, 1, {0, kNoLimit}), {}).empty());
  const std::vector<CellCut> cuts = row_cuts(problem_of(table, 1, {1, kNoLimit}), {});
  CHECK_EQ(cuts.size(), 1u);
  CHECK_EQ(cuts[0].size(), 2u);
}
