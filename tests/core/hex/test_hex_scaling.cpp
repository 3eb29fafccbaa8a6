// Balanced flow on the grid of hexagons against the flow by shortest paths, the linear programme
// of moves, and exhaustive search.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"
#include "hex/hex_emptying.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_moves.hpp"
#include "hex/hex_outliers.hpp"
#include "hex/hex_redistribute.hpp"
#include "hex/hex_scaling.hpp"

using namespace sdclattice;
using Values = std::vector<std::int64_t>;

namespace {

const Tick kQuiet;

struct Instance {
  HexMap map;
  Values have, need;
};

std::int64_t draw(PublicRandom& random, std::int64_t below) {
  return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(below)));
}

std::int64_t sum(const Values& x) {
  return std::accumulate(x.begin(), x.end(), std::int64_t{0});
}

// Cells of a rectangle or a parallelogram, most of them or few; a third with, a third without.
Instance draw_instance(PublicRandom& random, std::int64_t wide, std::int64_t high,
                       std::int64_t most, bool slanted) {
  Instance out;
  const std::int64_t share = 1 + draw(random, 5);
  const std::int64_t first = draw(random, 7) - 3;
  for (std::int64_t r = first; r < first + high; ++r)
    for (std::int64_t x = 0; x < wide; ++x) {
      if (draw(random, 5) >= share) continue;
      const std::int64_t half = r >= 0 ? r / 2 : -((1 - r) / 2);
      out.map.q.push_back(slanted ? x - 2 : x - half);
      out.map.r.push_back(r);
      out.map.count.push_back(1);
      const std::int64_t kind = draw(random, 3), amount = 1 + draw(random, most);
      out.have.push_back(kind == 0 ? amount : 0);
      out.need.push_back(kind == 1 ? amount : 0);
    }
  return out;
}

// Takes from the larger side, from the last cells on, until the sums are equal.
void balance(Instance& x) {
  std::int64_t more = sum(x.have) - sum(x.need);
  Values& larger = more > 0 ? x.have : x.need;
  more = std::abs(more);
  for (std::size_t i = larger.size(); i-- > 0;) {
    const std::int64_t by = std::min(more, larger[i]);
    larger[i] -= by;
    more -= by;
  }
}

// Checks that everybody gets what is needed and gives no more than is there; the total distance.
std::int64_t checked(const Instance& x, const std::vector<HexMove>& moves) {
  Values given(x.have.size(), 0), taken(x.have.size(), 0);
  bool positive = true;
  for (const HexMove& m : moves) {
    positive = positive && m.amount > 0;
    given[m.from] += m.amount;
    taken[m.to] += m.amount;
  }
  CHECK(positive);
  CHECK_EQ(taken, x.need);
  bool enough = true;
  for (std::size_t i = 0; i < given.size(); ++i) enough = enough && given[i] <= x.have[i];
  CHECK(enough);
  return total_distance(x.map, moves);
}

std::int64_t by_scaling(const Instance& x) {
  return checked(x, balanced_moves(HexGrid(x.map), x.map, x.have, x.need, kQuiet));
}

std::int64_t by_paths(const Instance& x) {
  return checked(x, moves_by_shortest_paths(HexGrid(x.map), x.map, x.have, x.need, kQuiet));
}

std::int64_t by_choice(const Instance& x, double most_nodes) {
  return checked(x, cheapest_moves(x.map, x.have, x.need, most_nodes, kQuiet));
}

// The least total distance, each unit of the first donor in turn to every receiver.
std::int64_t by_trying(const Instance& x, const Values& have, const Values& need,
                       std::map<std::pair<Values, Values>, std::int64_t>& known) {
  const auto at = known.find({have, need});
  if (at != known.end()) return at->second;
  std::size_t from = 0;
  while (from < have.size() && have[from] == 0) ++from;
  if (from == have.size()) return 0;
  std::int64_t best = INT64_MAX;
  Values less = have, rest = need;
  --less[from];
  for (std::size_t to = 0; to < need.size(); ++to) {
    if (need[to] == 0) continue;
    --rest[to];
    best = std::min(best, x.map.distance(from, to) + by_trying(x, less, rest, known));
    ++rest[to];
  }
  return known[{have, need}] = best;
}

}  // namespace

TEST(balanced_flow_of_small_maps_is_that_of_exhaustive_search) {
  PublicRandom random(11);
  int tried = 0;
  while (tried < 400) {
    Instance x = draw_instance(random, 1 + draw(random, 7), 1 + draw(random, 6), 3, tried % 2 == 0);
    balance(x);
    if (sum(x.have) == 0 || sum(x.have) > 7) continue;
    ++tried;
    std::map<std::pair<Values, Values>, std::int64_t> known;
    const std::int64_t best = by_trying(x, x.have, x.need, known);
    CHECK_EQ(by_scaling(x), best);
    CHECK_EQ(by_paths(x), best);
    CHECK_EQ(by_choice(x, 1e6), best);
  }
}

TEST(balanced_flow_is_that_by_shortest_paths_and_by_transport) {
  PublicRandom random(12);
  for (int i = 0; i < 300; ++i) {
    Instance x = draw_instance(random, 1 + draw(random, 25), 1 + draw(random, i % 5 == 0 ? 1 : 20),
                               i % 3 == 0 ? 1000000 : 9, i % 2 == 0);
    balance(x);
    if (x.map.size() == 0) continue;
    const std::int64_t best = by_paths(x);
    CHECK_EQ(by_scaling(x), best);
    CHECK_EQ(by_choice(x, 0), best);
  }
}

// Supplies at one end, needs at the other: every path is long, and no price is right at first.
TEST(balanced_flow_of_long_paths) {
  PublicRandom random(13);
  for (int i = 0; i < 12; ++i) {
    Instance x = draw_instance(random, 30 + draw(random, 40), 1 + draw(random, 40), 5, i % 2 == 0);
    std::vector<std::size_t> order(x.map.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return x.map.q[a] < x.map.q[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::int64_t amount = x.have[order[k]] + x.need[order[k]];
      x.have[order[k]] = 2 * k < order.size() ? amount : 0;
      x.need[order[k]] = 2 * k < order.size() ? 0 : amount;
    }
    balance(x);
    CHECK_EQ(by_scaling(x), by_paths(x));
  }
}

TEST(the_choice_of_the_flow_shows_in_nothing) {
  PublicRandom random(14);
  int unbalanced = 0, infeasible = 0;
  for (int i = 0; i < 200; ++i) {
    const Instance x = draw_instance(random, 1 + draw(random, 12), 1 + draw(random, 12), 9, i % 2);
    if (x.map.size() == 0) continue;
    if (sum(x.have) < sum(x.need)) {
      ++infeasible;
      CHECK_THROWS(InfeasibleError, by_choice(x, 1e6));
      CHECK_THROWS(InfeasibleError, by_choice(x, 0));
      continue;
    }
    if (sum(x.have) > sum(x.need)) ++unbalanced;
    CHECK_EQ(by_choice(x, 1e6), by_choice(x, 0));
  }
  CHECK(unbalanced > 20 && infeasible > 20);
}

TEST(balanced_flow_is_the_same_each_time) {
  PublicRandom random(15);
  Instance x = draw_instance(random, 40, 40, 9, false);
  balance(x);
  const HexGrid grid(x.map);
  const std::vector<HexMove> one = balanced_moves(grid, x.map, x.have, x.need, kQuiet);
  const std::vector<HexMove> two = balanced_moves(grid, x.map, x.have, x.need, kQuiet);
  CHECK(!one.empty() && std::equal(one.begin(), one.end(), two.begin(), two.end(),
                                   [](const HexMove& a, const HexMove& b) {
                                     return a.from == b.from && a.to == b.to &&
                                            a.amount == b.amount;
                                   }));
}

TEST(large_amounts_are_carried_or_refused) {
  const std::int64_t many = std::int64_t{1} << 50;
  const HexMap map{{0, 1, 2, 9}, {0, 0, 0, 0}, {1, 1, 1, 1}};
  const Instance x{map, {many, 0, many, 0}, {0, many, 0, many}};
  CHECK_EQ(by_scaling(x), 8 * many);
  // beyond what the scaling may carry, and beyond every sum
  const std::int64_t most = INT64_MAX / 2;
  const Instance larger{HexMap{{0, 1}, {0, 0}, {1, 1}}, {most, 0}, {0, most}};
  const std::vector<HexMove> moves =
      cheapest_moves(larger.map, larger.have, larger.need, 1e6, kQuiet);
  CHECK(moves.size() == 1 && moves[0].amount == most);
  CHECK_THROWS(TooLargeError,
               cheapest_moves(map, {most, most, most, 0}, {0, 0, 0, 1}, 1e6, kQuiet));
}

// What the tick throws gets through, whenever it comes.
TEST(balanced_flow_can_be_stopped) {
  PublicRandom random(16);
  Instance x = draw_instance(random, 40, 40, 9, true);
  balance(x);
  const HexGrid grid(x.map);
  int ticks = 0;
  double last = 0;
  bool in_order = true;
  balanced_moves(grid, x.map, x.have, x.need, [&](double done) {
    ++ticks;
    in_order = in_order && done >= last && done <= 1;
    last = done;
  });
  CHECK(in_order && ticks > 2);
  for (int stop = 1; stop <= ticks; ++stop) {
    int left = stop;
    CHECK_THROWS(WorkTimeUp, balanced_moves(grid, x.map, x.have, x.need, [&](double) {
                   if (--left == 0) throw WorkTimeUp();
                 }));
  }
}

// The distances by which the last round goes: one search of the grid, or a search for each cell.
TEST(rounds_are_the_same_with_and_without_a_grid) {
  PublicRandom random(17);
  for (int i = 0; i < 60; ++i) {
    HexMap map = draw_instance(random, 14, 12, 9, i % 2 == 0).map;
    for (std::int64_t& c : map.count) c = 1 + draw(random, 8);
    if (sum(map.count) < 3 * static_cast<std::int64_t>(map.size())) continue;
    HexMap one = map, two = map;
    fill_globally(one, 3, 1e6, kQuiet);
    fill_globally(two, 3, 0, kQuiet);
    CHECK_EQ(one.count, two.count);
  }
}
