// Capacity cuts: they exclude the point, and no pattern that meets the demand.
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/capacity_cuts.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

struct Random {
  SmallTable table;
  SmallProblem problem;
};

Random random_case(Dice& dice, int round) {
  const std::vector<Variable> variables =
      round % 3 == 0
          ? std::vector<Variable>{flat(2), flat(2), flat(2)}
          : std::vector<Variable>{flat(2), round % 3 == 1 ? flat(3) : Variable{{-1, 0, 0, 1, 1}}};
  Random out{random_table(dice, variables, 4, 1), {}};
  out.problem = problem_of(out.table, 2, {dice.below(2), variables.size() == 2 ? 2 : 1});
  for (Demand& demand : out.problem.demands) {
    const std::uint32_t cell = demand.cell;
    demand = random_demand(dice);
    demand.cell = cell;
  }
  limit_candidates(out.problem, dice, 8);
  add_knowers(out.problem, dice, 2);
  return out;
}

// Of all sets of candidates, those that meet the demand of the reader meet the cut.
void check_cut(const SmallProblem& problem, const std::vector<small_tables::Whole>& all,
               const ReaderDemand& reader, const CapacityCut& cut) {
  std::vector<std::size_t> candidates;
  std::vector<char> hidden(problem.n_cells(), 0);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] = problem.role[i] == CellRole::primary ? 1 : 0;
    if (problem.role[i] == CellRole::candidate) candidates.push_back(i);
  }
  const Question asked{reader.demand,
                       reader.knower == OpenDemand::kNobody ? SIZE_MAX : reader.knower};
  for (std::uint32_t set = 0; set < std::uint32_t{1} << candidates.size(); ++set) {
    std::vector<double> x(problem.n_cells(), 0.0);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      hidden[candidates[c]] = static_cast<char>(set >> c & 1);
      x[candidates[c]] = static_cast<double>(set >> c & 1);
    }
    if (cut.share(x) < 1) CHECK(!is_met(problem, asked, hidden, all));
  }
}

}  // namespace

TEST(cuts_exclude_the_point_and_no_pattern) {
  Dice dice(71);
  int n_cuts = 0, n_larger = 0, n_of_knowers = 0;
  const int n = check::cases(50, 80);
  for (int round = 0; round < n; ++round) {
    const Random of = random_case(dice, round);
    const SmallProblem& problem = of.problem;
    const std::vector<small_tables::Whole> all = differences(of.table, problem);
    CapacityCuts cuts(problem, [] {});
    for (const double most : {0.0, 0.5, 1.0}) {
      std::vector<double> x(problem.n_cells(), 0.0);
      for (double& share : x) share = most * dice.below(5) / 4.0;
      cuts.move_to(x);
      for (const ReaderDemand& reader : reader_demands(problem)) {
        CapacityCut cut;
        if (!cuts.find(reader, cut)) continue;
        CHECK(cut.share(x) < 1);
        for (std::size_t k = 0; k < cut.cell.size(); ++k) {
          CHECK(cut.times[k] > 0 && cut.times[k] <= cut.least);
          CHECK(problem.role[cut.cell[k]] == CellRole::candidate);
          CHECK(k == 0 || cut.cell[k - 1] < cut.cell[k]);
        }
        check_cut(problem, all, reader, cut);
        ++n_cuts;
        n_larger += cut.least > 1 ? 1 : 0;
        n_of_knowers += reader.knower == OpenDemand::kNobody ? 0 : 1;
      }
    }
  }
  CHECK(2 * n_cuts > 5 * n && 8 * n_larger > n && 4 * n_of_knowers > n);
}

// A row 1 + 2 + 3 = 6 with a demand on the 1: where a cell has half of its room, half is missing.
TEST(a_row_by_hand) {
  SmallTable table{{flat(3)}, {{1}}, {}};
  table.inner = {{{1}, 1}, {{2}, 2}, {{3}, 3}};
  const SmallProblem problem = problem_of(table, 1, {1, kNoLimit});
  const ReaderDemand outsider = reader_demands(problem).back();
  CapacityCuts cuts(problem, [] {});
  std::vector<double> x(problem.n_cells(), 0.0);
  CapacityCut cut;
  cuts.move_to(x);
  CHECK(cuts.find(outsider, cut));
  CHECK_EQ(cut.cell.size(), 3u);
  CHECK_EQ(cut.least, 1);
  CHECK_NEAR(cut.share(x), 0, 1e-12);
  x[cut.cell[0]] = 0.5;
  CHECK_NEAR(cut.share(x), 0.5, 1e-12);
  x[cut.cell[0]] = 1;
  cuts.move_to(x);
  CHECK(!cuts.find(outsider, cut));
}
