// Bounds of networks: an end of every cell is that of enumeration, also where others have none.
#include "check.hpp"
#include "linear/flow_search.hpp"
#include "small_releases.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;

// The flows of a square of nodes, two cells of which have no limit.
LinearSystem square(small_tables::Dice& dice, bool endless) {
  LinearSystem out;
  for (int i = 0; i < 5; ++i) {
    out.lower.push_back(dice.below(2));
    out.upper.push_back(out.lower.back() + dice.below(4));
  }
  if (endless) out.upper[0] = out.upper[1] = kNoLimit;
  small_tables::add_row(out, {1, -1, 1, 0, 0}, 0, dice.below(3));
  small_tables::add_row(out, {0, 0, -1, 1, 1}, dice.below(3), 4);
  return out;
}

}  // namespace

TEST(ends_of_flows_equal_enumeration) {
  small_tables::Dice dice(33);
  int infeasible = 0, without_end = 0;
  for (int k = 0; k < check::cases(300, 1500); ++k) {
    const LinearSystem system = square(dice, k % 2 == 0);
    const small_releases::Range range = small_releases::enumerate_unlimited(system);
    std::optional<FlowNetwork> network = FlowNetwork::from(system);
    CHECK(network.has_value());
    Knowledge known(system);
    Effort effort;
    WorkClock watch(1e6, kNoTick);
    FlowSearch search(*network, known, effort, watch);
    if (!range.feasible) {
      ++infeasible;
      CHECK_THROWS(InfeasibleError, search.start());
      continue;
    }
    search.start();
    for (const int sign : {1, -1})
      for (std::size_t i = 0; i < system.n_cells(); ++i) search.close(i, sign);
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      CHECK_EQ(known.least[i], range.lower[i]);
      without_end += range.upper[i] >= kNoLimit;
      CHECK_EQ(known.endless[i] != 0, range.upper[i] >= kNoLimit);
      if (range.upper[i] < kNoLimit) CHECK_EQ(known.most[i], range.upper[i]);
    }
  }
  CHECK(infeasible > 20 && without_end > 200);
}
