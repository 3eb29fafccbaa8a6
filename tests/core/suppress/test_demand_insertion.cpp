// Demands that are met one by one, against open_demands() of the certificates.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/demand_insertion.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

Open open_of(const SuppressionProblem& problem, const PatternState& state, std::uint32_t demand) {
  Open out;
  for (const auto& open : open_set(open_demands(problem, state.certificates())))
    if (open.first == demand) out.insert(open);
  return out;
}

}  // namespace

TEST(a_demand_that_is_met_is_certified) {
  Dice dice(13);
  PublicRandom random(1);
  int n_met = 0, n_failed = 0;
  for (int i = 0; i < 200; ++i) {
    const PatternCase c = random_pattern_case(dice, 24, false);
    const StoredCells cells = c.table.stored();
    PatternState state(c.problem);
    DemandInsertion insertion(cells, c.problem, state);
    for (std::uint32_t demand = 0; demand < c.problem.demands.size(); ++demand) {
      const std::int64_t before = state.cost(), budget = dice.below(2) ? INT64_MAX : dice.below(6);
      if (insertion.meet(demand, budget, {}, random)) {
        ++n_met;
        CHECK(open_of(c.problem, state, demand).empty());
        CHECK(budget == INT64_MAX || state.cost() <= before + budget);
      } else {
        ++n_failed;
        CHECK(!open_of(c.problem, state, demand).empty() || state.cost() > before + budget);
      }
    }
  }
  CHECK(n_met > 300);
  CHECK(n_failed > 20);
}

TEST(what_is_given_up_is_open_until_something_meets_it) {
  Dice dice(14);
  PublicRandom random(1);
  std::size_t n_open = 0;
  for (int i = 0; i < 200; ++i) {
    const PatternCase c = random_pattern_case(dice, 24, false);
    const StoredCells cells = c.table.stored();
    PatternState state(c.problem);
    DemandInsertion insertion(cells, c.problem, state);
    for (std::uint32_t demand = 0; demand < c.problem.demands.size(); ++demand)
      insertion.meet_or_give_up(demand, {}, random);
    std::set<std::uint32_t> expected;
    for (const auto& open : open_set(open_demands(c.problem, state.certificates())))
      expected.insert(open.first);
    const auto found = insertion.review(false);
    CHECK(std::set<std::uint32_t>(found.begin(), found.end()) == expected);
    // what is given up is asked no more
    for (const std::uint32_t demand : found) CHECK(insertion.meet(demand, 0, {}, random));
    CHECK_EQ(insertion.review(true), found);
    CHECK(insertion.review(false).empty());
    n_open += found.size();
  }
  CHECK(n_open > 20);
}
