// Small maps of hexagons, and the best redistribution of each by trying all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_moves.hpp"

namespace small_maps {

using namespace sdclattice;
using hex_cases::random_map;
using hex_cases::sum;
using hex_cases::Values;

const Tick kQuiet;

inline HexMap line(const Values& q, const Values& count) {
  return {q, Values(q.size(), 0), count};
}

// A map of at most 16 in up to 7 cells, and a threshold.
struct Task {
  HexMap map;
  std::int64_t t;
};
inline Task random_task(PublicRandom& random) {
  for (;;) {
    const std::int64_t t = 2 + static_cast<std::int64_t>(random.below(4));
    const std::int64_t most = 2 + static_cast<std::int64_t>(random.below(5));
    HexMap map = random_map(random, 1 + random.below(7), 6, most);
    if (sum(map.count) <= 16) return {std::move(map), t};
  }
}

// The least total distance from one map to another with the same sum, by trying all assignments of
// the first surplus unit in turn.
inline std::int64_t brute_distance(const HexMap& map, Values change,
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

inline std::int64_t brute_best(const HexMap& map, std::int64_t t, bool empty, double cost) {
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
inline std::int64_t checked(const HexMap& before, const HexMap& after,
                            const std::vector<HexMove>& moves, std::int64_t t, bool empty = false) {
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

}  // namespace small_maps
