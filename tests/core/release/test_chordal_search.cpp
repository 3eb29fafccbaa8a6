// The search for the best decomposable release against the enumeration of all chordal graphs.
#include "cases.hpp"
#include "check.hpp"
#include "release/chordal_search.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

TEST(search_and_enumeration_find_the_same_value) {
  const Tick quiet = [](double) {};
  int wrong = 0, feasible = 0;
  for (std::uint64_t seed = 101; seed <= 160; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::int64_t beta = 1 + static_cast<std::int64_t>(seed % 23);
    const AdditiveUtility utility = some_utility(seed);
    WorkClock clock(1000, quiet);
    const auto all = enumerate_decomposable(cells, beta, utility, clock);
    const auto found = search_decomposable(cells, beta, utility, {}, clock);
    wrong += found.stopped || (all.value < 0) != (found.value < 0);
    if (all.value < 0) continue;
    ++feasible;
    wrong += found.value != all.value || !found.optimal || found.upper != all.value;
  }
  CHECK_EQ(wrong, 0);
  CHECK(feasible > 10);
}

// Where not even the one-way tables together are safe there is no graph, and the search ends.
TEST(searches_without_any_safe_graph_end) {
  const Tick quiet = [](double) {};
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 4);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::int64_t beta = width_of(cells, DecomposableGraph(4)) + 1;
    WorkClock clock(1e8, quiet);
    const auto found = search_decomposable(cells, beta, tables(4), {}, clock);
    CHECK(found.value < 0 && !found.optimal && !found.stopped);
    ++none;
  }
  CHECK(none > 40);
}
