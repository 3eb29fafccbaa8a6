// What cannot be met, against all small differences.
#include "check.hpp"
#include "suppress/demand_proof.hpp"
#include "suppress/product_tables.hpp"

using namespace product_tables;

TEST(proofs_and_differences_agree) {
  Dice dice(6);
  int n_met = 0, n_unattainable = 0;
  for (int round = 0; round < 40; ++round) {
    const Product p = random_product(dice, flat({2, 3}), 25, 3);
    if (p.inner.empty()) continue;
    Wish wish;
    wish.floor = round % 2;
    wish.with_knowers = true;
    SuppressionProblem problem = problem_of(p, wish);
    for (Demand& demand : problem.demands)
      demand = {demand.cell, dice.below(2), dice.below(2), dice.between(1, 2)};
    const auto differences = all_differences(p, problem, 2);
    std::vector<char> hidden(problem.n_cells(), 0), usable;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      hidden[i] = problem.role[i] == CellRole::primary || dice.below(2) == 0;
      usable.push_back(hidden[i] || problem.role[i] == CellRole::unseen);
    }
    const auto twin = unmet(problem, hidden, differences);
    std::vector<OpenDemand> asked;
    for (std::uint32_t d = 0; d < problem.demands.size(); ++d)
      for (std::uint32_t who = 0; who <= problem.knowers.size(); ++who) {
        const std::uint32_t reader = who < problem.knowers.size() ? who : OpenDemand::kNobody;
        const bool is_unmet = has(twin, d, reader);
        if (reader != OpenDemand::kNobody &&
            std::binary_search(problem.knowers[who].begin(), problem.knowers[who].end(),
                               problem.demands[d].cell))
          continue;
        const bool proved = is_unattainable(problem, usable, problem.demands[d], reader, 100, {});
        CHECK_EQ(proved, is_unmet);
        n_met += !is_unmet;
        n_unattainable += proved;
        asked.push_back({d, reader, false});
      }
    const std::vector<char> marks = unattainable(
        problem, usable, asked, [](std::uint32_t, std::uint32_t) { return false; }, 100, {});
    for (std::size_t k = 0; k < asked.size(); ++k)
      CHECK_EQ(marks[k] != 0, has(twin, asked[k].demand, asked[k].knower));
    const std::vector<char> none = unattainable(
        problem, usable, asked, [](std::uint32_t, std::uint32_t) { return false; }, 0, {});
    for (const char mark : none) CHECK(!mark);
  }
  CHECK(n_met > 20 && n_unattainable > 20);
}
