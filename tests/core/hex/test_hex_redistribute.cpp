// Redistribution on hexagons: flows against transports against brute force, the three ways to fill,
// and emptying.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "hex/hex_emptying.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_moves.hpp"
#include "hex/hex_redistribute.hpp"

using namespace sdclattice;
using Values = std::vector<std::int64_t>;

namespace {

constexpr double kGrid = 1e6, kNoGrid = 0;
const Tick kQuiet;

HexMap line(const Values& q, const Values& count) {
  return {q, Values(q.size(), 0), count};
}

HexMap random_map(PublicRandom& random, std::size_t cells, std::int64_t side, std::int64_t most) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  while (places.size() < cells) {
    const auto coordinate = [&] {
      return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(side))) - side / 2;
    };
    const std::int64_t r = coordinate();
    places.emplace(r, coordinate());
  }
  HexMap out;
  for (const auto& place : places) {
    out.q.push_back(place.second);
    out.r.push_back(place.first);
    out.count.push_back(1 +
                        static_cast<std::int64_t>(random.below(static_cast<std::size_t>(most))));
  }
  return out;
}

std::int64_t sum(const Values& x) {
  return std::accumulate(x.begin(), x.end(), std::int64_t{0});
}

// The least total distance from one map to another with the same sum, by trying all assignments of
// the first surplus unit in turn.
std::int64_t brute_distance(const HexMap& map, Values change,
                            std::map<Values, std::int64_t>& known) {
  const auto at = known.find(change);
  if (at != known.end()) return at->second;
  std::size_t from = 0;
  while (from < change.size() && change[from] >= 0) ++from;
  if (from == change.size()) return 0;
  std::int64_t best = INT64_MAX;
  Values next = change;
  ++next[from];
  for (std::size_t to = 0; to < change.size(); ++to) {
    if (change[to] <= 0) continue;
    --next[to];
    best = std::min(best, map.distance(from, to) + brute_distance(map, next, known));
    ++next[to];
  }
  return known[change] = best;
}

// All maps with the same sum in which every cell is 0 or at least t; `allowed` says which may be 0.
template <class Act>
void each_target(const Values& count, std::int64_t t, bool empty, Act&& act) {
  Values target(count.size());
  const auto go = [&](auto&& self, std::size_t i, std::int64_t left) -> void {
    if (i == count.size()) {
      if (left == 0) act(target);
      return;
    }
    if (empty && count[i] < t) {
      target[i] = 0;
      self(self, i + 1, left);
    }
    for (std::int64_t c = t; c <= left; ++c) {
      target[i] = c;
      self(self, i + 1, left - c);
    }
  };
  go(go, 0, sum(count));
}

std::int64_t brute_best(const HexMap& map, std::int64_t t, bool empty, double cost) {
  std::map<Values, std::int64_t> known;
  double best = 1e18;
  each_target(map.count, t, empty, [&](const Values& target) {
    Values change(target.size());
    double lost = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
      change[i] = target[i] - map.count[i];
      if (target[i] == 0) lost += cost;
    }
    best = std::min(best, static_cast<double>(brute_distance(map, change, known)) + lost);
  });
  return best > 1e17 ? -1 : static_cast<std::int64_t>(best);
}

// Checks that the moves lead from one map to the other, and returns their total distance.
std::int64_t checked(const HexMap& before, const HexMap& after, const std::vector<HexMove>& moves,
                     std::int64_t t, bool empty = false) {
  Values count = before.count;
  bool positive = true;
  for (const HexMove& m : moves) {
    positive = positive && m.amount > 0 && m.from != m.to;
    count[m.from] -= m.amount;
    count[m.to] += m.amount;
  }
  CHECK(positive);
  CHECK_EQ(count, after.count);
  CHECK(std::all_of(count.begin(), count.end(),
                    [&](std::int64_t c) { return c >= t || (empty && c == 0); }));
  return total_distance(before, moves);
}

std::int64_t filled(const HexMap& map, std::int64_t t, int method, double most_nodes = kGrid) {
  HexMap after = map;
  const std::vector<HexMove> moves = method == 0
                                         ? fill_locally(after, t, HexOrder::smallest, kQuiet)
                                     : method == 1 ? fill_globally(after, t, most_nodes, kQuiet)
                                                   : fill_optimally(after, t, most_nodes, kQuiet);
  return checked(map, after, moves, t);
}

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

// A thousand maps of up to 7 data cells and more, filling and emptying.
TEST(filling_and_emptying_agree_with_exhaustive_search) {
  PublicRandom random(2);
  int tried = 0, feasible = 0;
  while (tried < 1100) {
    const std::int64_t t = 2 + static_cast<std::int64_t>(random.below(4));
    const std::int64_t most = 2 + static_cast<std::int64_t>(random.below(5));
    const HexMap map = random_map(random, 1 + random.below(7), 6, most);
    if (sum(map.count) > 16) continue;
    ++tried;
    const double cost = static_cast<double>(random.below(3));
    check_emptying(map, t, cost);
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
