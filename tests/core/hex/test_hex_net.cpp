// Grids around maps and what flows on them: against places and steps.
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_net.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

// Maps that lean both ways, so that both kinds of grid come up.
HexMap some_map(PublicRandom& random, int round) {
  HexMap map = random_map(random, 1 + random.below(20), 6 + static_cast<int>(random.below(9)), 5);
  if (round % 3 == 0) return map;
  std::vector<std::pair<Place, std::int64_t>> cells;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::int64_t half = map.r[i] >= 0 ? map.r[i] / 2 : -((1 - map.r[i]) / 2);
    cells.push_back({{map.r[i] + round, map.q[i] - (round % 3 == 1 ? half : 0)}, map.count[i]});
  }
  std::sort(cells.begin(), cells.end());
  HexMap out;
  for (const auto& [place, count] : cells) {
    out.r.push_back(place.first);
    out.q.push_back(place.second);
    out.count.push_back(count);
  }
  return out;
}

}  // namespace

TEST(steps_on_the_grid_are_steps_between_places) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const HexMap map = some_map(random, round);
    const HexGrid grid(map);
    const HexNet net(grid, map);
    wrong += grid.size() != static_cast<double>(grid.width() * grid.height());
    wrong += net.size() != grid.width() * grid.height();
    std::set<std::size_t> nodes;
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::size_t node = net.node_of(i);
      wrong += node != grid.node(map.q[i], map.r[i]) || !net.inside(node);
      wrong += !nodes.insert(node).second;
      for (int d = 0; d < 6; ++d) {
        const std::size_t next = grid.node(map.q[i] + kHexStep[d][0], map.r[i] + kHexStep[d][1]);
        wrong += net.beside(node, d) != next;
        if (net.inside(next)) wrong += net.beside(next, (d + 3) % 6) != node;
      }
    }
    // One hexagon of border on all sides.
    std::size_t n_inside = 0;
    for (std::size_t v = 0; v < net.size(); ++v) n_inside += net.inside(v);
    wrong += n_inside != (grid.width() - 2) * (grid.height() - 2);
  }
  CHECK_EQ(wrong, 0);
}

// The grid holds a shortest path between any two cells: a search in it finds all distances.
TEST(searches_of_the_grid_find_distances) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const HexMap map = some_map(random, round);
    const HexGrid grid(map);
    const HexNet net(grid, map);
    std::vector<bool> marked(map.size());
    Values need(map.size(), 0);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < map.size(); ++i) {
      marked[i] = random.below(4) == 0 || i == 0;
      need[i] = marked[i] ? 3 : 0;
      if (!marked[i]) all.push_back(i);
    }
    const Values found = net.steps_to(marked);
    for (std::size_t i = 0; i < map.size(); ++i) {
      std::int64_t least = INT64_MAX;
      for (std::size_t j = 0; j < map.size(); ++j)
        if (marked[j]) least = std::min(least, map.distance(i, j));
      wrong += found[i] != least;
    }
    for (const double most : {1e9, 0.0}) {
      const Values nearest = distances_to_need(map, all, need, most);
      wrong += nearest.size() != all.size();
      for (std::size_t k = 0; k < all.size(); ++k) wrong += nearest[k] != found[all[k]];
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(flow_is_what_goes_less_what_comes_back) {
  PublicRandom random(3);
  int wrong = 0;
  const HexMap map = random_map(random, 12, 6, 5);
  const HexGrid grid(map);
  HexNet net(grid, map);
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> twin;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t node = net.node_of(random.below(12));
    const int d = static_cast<int>(random.below(6));
    const std::size_t other = net.beside(node, d);
    const auto by = static_cast<std::int64_t>(random.below(9)) - 4;
    net.add_flow(node, d, other, by);
    twin[{node, other}] += by;
    twin[{other, node}] -= by;
    wrong += net.flow(node, d, other) != twin[{node, other}];
    wrong += net.flow(other, (d + 3) % 6, node) != twin[{other, node}];
  }
  CHECK_EQ(wrong, 0);
}

// Units sent straight along shortest paths: the moves take all of them, over as many steps.
TEST(flow_is_taken_apart_into_moves) {
  PublicRandom random(4);
  int wrong = 0, n = 0;
  for (int round = 0; round < 100; ++round) {
    const HexMap map = some_map(random, round);
    if (map.size() < 2) continue;
    const HexGrid grid(map);
    HexNet net(grid, map);
    Values given(net.size(), 0), taken(net.size(), 0);
    std::int64_t length = 0;
    // All from one cell, so that there are no circles.
    const std::size_t from = random.below(map.size());
    for (std::size_t to = 0; to < map.size(); ++to) {
      const auto amount = static_cast<std::int64_t>(random.below(4));
      if (to == from || amount == 0) continue;
      std::size_t at = net.node_of(from);
      Place place{map.q[from], map.r[from]};
      while (at != net.node_of(to)) {
        int step = 0;
        Place next = place;
        for (int d = 0; d < 6; ++d) {
          const Place other{place.first + kHexStep[d][0], place.second + kHexStep[d][1]};
          const auto left = [&](Place p) {
            return hex_distance(map.q[to] - p.first, map.r[to] - p.second);
          };
          if (left(other) < left(place) && net.inside(net.beside(at, d))) step = d, next = other;
        }
        net.add_flow(at, step, net.beside(at, step), amount);
        at = net.beside(at, step);
        place = next;
        length += amount;
      }
      given[net.node_of(from)] += amount;
      taken[net.node_of(to)] += amount;
    }
    const std::vector<HexMove> moves = net.moves(given, taken);
    std::int64_t total = 0;
    for (const HexMove& m : moves) {
      wrong += m.amount <= 0;
      given[net.node_of(m.from)] -= m.amount;
      taken[net.node_of(m.to)] -= m.amount;
      total += m.amount * map.distance(m.from, m.to);
    }
    wrong += std::any_of(given.begin(), given.end(), [](auto x) { return x != 0; });
    wrong += std::any_of(taken.begin(), taken.end(), [](auto x) { return x != 0; });
    wrong += total != length;
    n += moves.size() > 2;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 30);
}

TEST(grids_are_worth_it_up_to_a_size) {
  const HexMap small{{0, 3}, {0, 2}, {1, 1}}, far{{0, 0}, {0, kHexReach}, {1, 1}};
  const HexGrid grid(small), huge(far);
  CHECK(fits(grid, grid.size()));
  CHECK(!fits(grid, grid.size() - 1));
  CHECK(!fits(huge, 1e300));
  CHECK(HexGrid(HexMap{}).size() > 0);
}
