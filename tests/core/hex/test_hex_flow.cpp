// Flow of least cost on the grid: against sending units along cheapest ways one by one.
#include "base/error.hpp"
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_flow.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

const Tick kQuiet = [](double) {};

struct Problem {
  HexMap map;
  Values have, need;

  Problem(PublicRandom& random, std::size_t cells, std::int64_t side, bool balanced)
      : map(random_map(random, cells, side, 5)), have(map.size(), 0), need(map.size(), 0) {
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (random.below(4) == 0) continue;
      (random.below(2) == 0 ? have : need)[i] = static_cast<std::int64_t>(1 + random.below(4));
    }
    // What is missing is made up by the first cell that can.
    for (std::size_t i = 0; i < map.size() && balanced; ++i) {
      const std::int64_t apart = sum(have) - sum(need);
      if (apart > 0 && have[i] == 0) need[i] += apart;
      if (apart < 0 && need[i] == 0) have[i] -= apart;
    }
  }
  std::int64_t least() const {
    std::vector<Values> cost(map.size(), Values(map.size()));
    for (std::size_t i = 0; i < map.size(); ++i)
      for (std::size_t j = 0; j < map.size(); ++j) cost[i][j] = map.distance(i, j);
    return cheapest(have, need, cost);
  }
  std::int64_t judged(const std::vector<HexMove>& moves, int& wrong) const {
    Values gave(map.size(), 0), got(map.size(), 0);
    std::int64_t out = 0;
    for (const HexMove& m : moves) {
      wrong += m.amount <= 0;
      gave[m.from] += m.amount;
      got[m.to] += m.amount;
      out += m.amount * map.distance(m.from, m.to);
    }
    for (std::size_t i = 0; i < map.size(); ++i) wrong += gave[i] > have[i] || got[i] != need[i];
    return out;
  }
};

}  // namespace

TEST(all_ways_are_cheapest) {
  PublicRandom random(1);
  int wrong = 0, balanced = 0, loose = 0, infeasible = 0;
  for (int round = 0; round < 400; ++round) {
    const Problem p(random, 2 + random.below(12), round % 3 == 0 ? 30 : 7, round % 2 == 0);
    const std::int64_t least = p.least();
    const HexGrid grid(p.map);
    if (least < 0) {
      for (const double most : {1e9, 0.0})
        CHECK_THROWS(InfeasibleError, cheapest_moves(p.map, p.have, p.need, most, kQuiet));
      CHECK_THROWS(InfeasibleError, moves_by_shortest_paths(grid, p.map, p.have, p.need, kQuiet));
      ++infeasible;
      continue;
    }
    for (const double most : {1e9, 0.0})
      wrong += p.judged(cheapest_moves(p.map, p.have, p.need, most, kQuiet), wrong) != least;
    wrong += p.judged(moves_by_shortest_paths(grid, p.map, p.have, p.need, kQuiet), wrong) != least;
    ++(sum(p.have) == sum(p.need) ? balanced : loose);
  }
  CHECK_EQ(wrong, 0);
  CHECK(balanced > 80 && loose > 40 && infeasible > 40);
}

// Moving the whole map, or turning it by 180 degrees, changes no cost.
TEST(costs_do_not_depend_on_where_the_map_lies) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    Problem p(random, 10, 9, false);
    const std::int64_t least = p.least();
    if (least < 0) continue;
    Problem moved = p;
    for (std::size_t i = 0; i < p.map.size(); ++i) {
      moved.map.q[i] += 1000000001;
      moved.map.r[i] -= 999999999;
    }
    wrong += moved.judged(cheapest_moves(moved.map, p.have, p.need, 1e9, kQuiet), wrong) != least;
    Problem turned = p;
    for (Values* x : {&turned.map.q, &turned.map.r, &turned.have, &turned.need})
      std::reverse(x->begin(), x->end());
    for (std::size_t i = 0; i < p.map.size(); ++i) {
      turned.map.q[i] = -turned.map.q[i];
      turned.map.r[i] = -turned.map.r[i];
    }
    wrong += turned.judged(cheapest_moves(turned.map, turned.have, turned.need, 1e9, kQuiet),
                           wrong) != least;
  }
  CHECK_EQ(wrong, 0);
}

TEST(large_amounts_are_carried_and_larger_ones_refused) {
  const HexMap map{{0, 1, 4}, {0, 0, 0}, {1, 1, 1}};
  const std::int64_t many = std::int64_t{1} << 60;
  for (const double most : {1e9, 0.0}) {
    const auto moves = cheapest_moves(map, {many, 0, many}, {0, many + 7, 0}, most, kQuiet);
    CHECK_EQ(moves.size(), 2u);
    CHECK_EQ(moves[0].amount, many);
    CHECK_EQ(moves[1].amount, 7);
  }
  CHECK_THROWS(TooLargeError,
               cheapest_moves(map, {INT64_MAX, 0, INT64_MAX}, {0, 1, 0}, 1e9, kQuiet));
}

TEST(nothing_needed_moves_nothing) {
  const HexMap map{{0, 1}, {0, 0}, {1, 1}};
  CHECK(cheapest_moves(map, {5, 0}, {0, 0}, 1e9, kQuiet).empty());
  CHECK(cheapest_moves(map, {0, 0}, {0, 0}, 0, kQuiet).empty());
}

TEST(the_usual_grid_grows_with_the_map) {
  PublicRandom random(3);
  const HexMap small = random_map(random, 5, 9, 5), large = random_map(random, 50, 90, 5);
  CHECK(default_grid(HexMap{}) > 0);
  CHECK(default_grid(large) > default_grid(small));
}

TEST(work_can_be_stopped) {
  PublicRandom random(4);
  const Tick stop = [](double) { throw 1; };
  int stopped = 0;
  for (int round = 0; round < 20; ++round) {
    const Problem p(random, 60, 30, false);
    if (sum(p.have) <= sum(p.need)) continue;
    try {
      cheapest_moves(p.map, p.have, p.need, 1e9, stop);
    } catch (int) {
      ++stopped;
    }
  }
  CHECK(stopped > 0);
}
