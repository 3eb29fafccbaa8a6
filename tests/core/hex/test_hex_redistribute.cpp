// Redistribution on hexagons: flows against transports against brute force, the three ways to fill.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_moves.hpp"
#include "hex/hex_redistribute.hpp"
#include "hex/small_maps.hpp"

using namespace sdclattice;
using namespace small_maps;

namespace {

constexpr double kGrid = 1e6, kNoGrid = 0;

std::int64_t filled(const HexMap& map, std::int64_t t, int method, double most_nodes = kGrid) {
  HexMap after = map;
  const std::vector<HexMove> moves = method == 0
                                         ? fill_locally(after, t, HexOrder::smallest, kQuiet)
                                     : method == 1 ? fill_globally(after, t, most_nodes, kQuiet)
                                                   : fill_optimally(after, t, most_nodes, kQuiet);
  return checked(map, after, moves, t);
}

}  // namespace

// A thousand maps of up to 7 data cells and more.
TEST(filling_agrees_with_exhaustive_search) {
  PublicRandom random(2);
  int feasible = 0;
  for (int round = 0; round < 1100; ++round) {
    const auto [map, t] = random_task(random);
    const std::int64_t best = brute_best(map, t, false, 0);
    if (best < 0) {
      for (int method = 0; method < 3; ++method)
        CHECK_THROWS(InfeasibleError, filled(map, t, method));
      continue;
    }
    ++feasible;
    CHECK_EQ(filled(map, t, 2), best);
    CHECK_EQ(filled(map, t, 2, kNoGrid), best);
    CHECK(filled(map, t, 0) >= best);
    CHECK(filled(map, t, 1) >= best);
    CHECK_EQ(filled(map, t, 1), filled(map, t, 1, kNoGrid));
  }
  CHECK(feasible > 200);
}

TEST(flow_on_the_grid_is_the_transport) {
  PublicRandom random(5);
  for (int i = 0; i < 60; ++i) {
    const HexMap map = random_map(random, 20 + random.below(60), 18, 9);
    const std::int64_t t = 3 + static_cast<std::int64_t>(random.below(2));
    if (sum(map.count) < t * static_cast<std::int64_t>(map.size())) continue;
    CHECK_EQ(filled(map, t, 2), filled(map, t, 2, kNoGrid));
    CHECK_EQ(filled(map, t, 1), filled(map, t, 1, kNoGrid));
    CHECK(filled(map, t, 2) <= std::min(filled(map, t, 0), filled(map, t, 1)));
  }
}

TEST(local_may_be_worse_than_global) {
  const HexMap map = line({0, 1, 3, 6}, {2, 4, 1, 5});
  CHECK_EQ(filled(map, 3, 0), 11);
  CHECK_EQ(filled(map, 3, 1), 7);
  CHECK_EQ(filled(map, 3, 2), 7);
}

TEST(large_counts_and_far_cells) {
  const std::int64_t far = 1000000000, many = 4000000000;
  const HexMap map = line({0, 1, far}, {many, 1, 3 * many});
  const std::int64_t t = many - 10;
  for (int method = 0; method < 3; ++method)
    CHECK(filled(line({0, 1, 5}, {many, 1, 3 * many}), t, method) >= 10 + 4 * (many - 21));
  CHECK_EQ(filled(line({0, 1, far}, {5, 1, 1000}), 3, 2), 2);
  CHECK_EQ(filled(line({0, 1, far}, {4, 1, 1000}), 3, 2), far);
  CHECK_THROWS(TooLargeError, filled(map, t, 2));
}
