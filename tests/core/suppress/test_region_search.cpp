// Neighbourhoods of patterns: what was met is met, and nothing becomes dearer.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/region_search.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

Open all_gaps(const SuppressionProblem& problem, const PatternState& state) {
  Open out;
  for (std::uint32_t demand = 0; demand < problem.demands.size(); ++demand) {
    const DemandGap gap = state.gap(demand);
    if (gap.is_open && gap.knowers.empty()) out.insert({demand, OpenDemand::kNobody});
    for (const std::uint32_t knower : gap.knowers) out.insert({demand, knower});
  }
  return out;
}

}  // namespace

TEST(neighbourhoods_keep_what_is_met_and_never_cost_more) {
  Dice dice(41);
  PublicRandom random(1);
  std::size_t n_gains = 0, n_refused = 0;
  for (int i = 0; i < 200; ++i) {
    const PatternCase c = random_pattern_case(dice, 40, false);
    const StoredCells cells = c.table.stored();
    PatternState state(c.problem);
    DemandInsertion insertion(cells, c.problem, state);
    InsertionEffort poor;
    poor.move = {3, 2, 1000, 0.5};
    for (std::uint32_t d = 0; d < c.problem.demands.size(); ++d)
      insertion.meet_or_give_up(d, poor, random);
    RegionSearch search(c.problem, state, insertion);
    const bool ends = i % 5 == 0;
    for (const std::uint32_t cell : state.secondary()) {
      if (!state.is_hidden(cell)) continue;
      const Open before = all_gaps(c.problem, state);
      const auto secondary = state.secondary();
      const std::int64_t cost = state.cost();
      const std::vector<std::int64_t> prices = state.table().price;
      std::size_t calls = 0;
      const bool good = search.improve(cell, random, [&] { return ends && ++calls > 1; });
      const Open after = all_gaps(c.problem, state);
      CHECK(std::includes(before.begin(), before.end(), after.begin(), after.end()));
      CHECK(state.cost() <= cost);
      n_gains += state.cost() < cost;
      n_refused += !good;
      if (good) continue;
      CHECK_EQ(state.secondary(), secondary);
      CHECK_EQ(state.table().price, prices);
    }
    const auto certificates = state.certificates();
    CHECK(open_set(open_demands(c.problem, certificates)) == all_gaps(c.problem, state));
  }
  CHECK(n_gains > 20);
  CHECK(n_refused > 20);
}
