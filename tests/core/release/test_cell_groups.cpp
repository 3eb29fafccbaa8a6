// Groups of stored cells along a path of variables: against the margins of the dense table.
#include <algorithm>

#include "cases.hpp"
#include "check.hpp"
#include "release/cell_groups.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

TEST(the_first_cell_at_risk_with_a_small_count_is_that_of_the_margin) {
  PublicRandom random(1);
  int wrong = 0, some = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(5);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 9, random.below(4));
    const Stored stored(x, 3, round % 4 == 0 ? Levels(n, 70000) : Levels());
    const RiskCells risk = stored.risk();
    CellGroups groups(risk);
    // twice, so that later splits of a depth take the place of earlier ones
    for (int path = 0; path < 2; ++path) {
      Mask set = 0;
      for (std::size_t depth = 0; depth < n; ++depth) {
        std::size_t v = random.below(n);
        while ((set >> v & 1) != 0) v = (v + 1) % n;
        set |= Mask{1} << v;
        groups.split(depth, v);
        const auto beta = static_cast<std::int64_t>(random.below(30));
        const std::vector<std::int64_t> counts = risk.margin(set);
        const auto small = std::find_if(counts.begin(), counts.end(),
                                        [beta](std::int64_t count) { return count < beta; });
        const auto expected = static_cast<std::size_t>(small - counts.begin());
        wrong += groups.first_small(beta) != expected;
        some += expected > 0 && expected < risk.size();
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(some > 20);
}
