// Emptying of sensitive hexagons against all maps that can be reached, and the pairs it needs.
#include "base/error.hpp"
#include "check.hpp"
#include "hex/hex_emptying.hpp"
#include "hex/small_maps.hpp"

using namespace sdclattice;
using namespace small_maps;

namespace {

void check_emptying(const HexMap& map, std::int64_t t, double cost) {
  const std::int64_t best = brute_best(map, t, true, cost);
  std::vector<bool> emptied;
  const bool any = best_emptying(map, t, cost, emptied, kQuiet);
  CHECK_EQ(any, best >= 0);
  if (!any) return;
  HexMap after = map;
  const std::vector<HexMove> moves = empty_and_fill(after, t, emptied, kQuiet);
  const auto lost = static_cast<double>(std::count(emptied.begin(), emptied.end(), true));
  CHECK_EQ(checked(map, after, moves, t, true) + static_cast<std::int64_t>(cost * lost), best);
}

}  // namespace

// A thousand maps of up to 7 data cells and more.
TEST(emptying_agrees_with_exhaustive_search) {
  PublicRandom random(2);
  int cheaper = 0;
  for (int round = 0; round < 1100; ++round) {
    const auto [map, t] = random_task(random);
    check_emptying(map, t, static_cast<double>(random.below(3)));
    // emptying may always fill instead
    const std::int64_t fill = brute_best(map, t, false, 0), empty = brute_best(map, t, true, 0);
    CHECK(fill < 0 || empty <= fill);
    cheaper += fill >= 0 && empty < fill;
  }
  CHECK(cheaper > 20);
}

// A best choice must need no pair that emptying_arcs() leaves out.
TEST(arcs_of_emptying_hold_a_best_solution) {
  PublicRandom random(4);
  for (int i = 0; i < 200; ++i) {
    const std::int64_t t = 2 + static_cast<std::int64_t>(random.below(3));
    const HexMap map = random_map(random, 2 + random.below(7), 9, 5);
    std::vector<bool> emptied;
    if (!best_emptying(map, t, 0, emptied, kQuiet)) continue;
    HexMap after = map;
    const std::vector<HexMove> moves = empty_and_fill(after, t, emptied, kQuiet);
    const EmptyingArcs arcs = emptying_arcs(map, t, 0, 1000, kQuiet);
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (std::size_t k = 0; k < arcs.from.size(); ++k) known.emplace(arcs.from[k], arcs.to[k]);
    for (const HexMove& m : moves) {
      const bool to_safe = map.count[m.to] >= t;
      CHECK(to_safe ? map.distance(m.from, m.to) == arcs.way[m.from]
                    : known.count({m.from, m.to}) == 1);
    }
  }
  CHECK_THROWS(TooLargeError, emptying_arcs(line({0, 1, 2, 3}, {1, 1, 1, 9}), 3, 0, 1, kQuiet));
}
