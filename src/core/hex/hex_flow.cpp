#include "hex/hex_flow.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/wide_int.hpp"
#include "hex/hex_scaling.hpp"

namespace sdclattice {
namespace {

constexpr double kMostAmount = 4611686018427387904.0;  // 2^62
constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

class HexFlow {
 public:
  HexFlow(const HexGrid& grid, const HexMap& map, const std::vector<std::int64_t>& have,
          const std::vector<std::int64_t>& need);
  void solve(const Tick& tick);
  std::vector<HexMove> moves();

 private:
  // The cost of pulling one more unit from the neighbour: less is sent there, or more is taken.
  std::int32_t reduced(std::size_t node, int d, std::size_t other) const {
    return (net_.flow(node, d, other) > 0 ? -1 : 1) + potential_[node] - potential_[other];
  }

  void find_open_receivers();
  bool update_potentials();
  bool find_levels();
  void pull_all();
  bool advance();
  void pull_along(std::size_t root);

  HexNet net_;
  std::vector<std::int64_t> have_, need_;
  std::vector<std::int32_t> potential_, distance_, level_;
  std::vector<std::uint8_t> next_;  // of a node: the direction that comes next
  std::vector<std::size_t> open_;   // receivers that need something
  std::vector<std::size_t> seen_;   // nodes with a level
  std::vector<std::size_t> path_;
  std::vector<std::int64_t> given_, taken_;
};

HexFlow::HexFlow(const HexGrid& grid, const HexMap& map, const std::vector<std::int64_t>& have,
                 const std::vector<std::int64_t>& need)
    : net_(grid, map) {
  const std::size_t n = net_.size();
  have_.assign(n, 0);
  need_.assign(n, 0);
  potential_.assign(n, 0);
  distance_.assign(n, kFar);
  level_.assign(n, -1);
  next_.assign(n, 0);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::size_t v = net_.node_of(i);
    have_[v] = have[i];
    need_[v] = need[i];
    if (need[i] > 0) open_.push_back(v);
  }
  given_ = have_;
  taken_ = need_;
}

void HexFlow::find_open_receivers() {
  open_.erase(
      std::remove_if(open_.begin(), open_.end(), [&](std::size_t v) { return need_[v] == 0; }),
      open_.end());
}

// Moves the potentials so that the nearest donors are reached at no cost; false without a donor.
bool HexFlow::update_potentials() {
  std::vector<std::size_t> bucket[3];
  std::vector<std::size_t> seen = open_;
  for (std::size_t v : open_) distance_[v] = 0;
  bucket[0] = open_;
  std::size_t waiting = open_.size();
  std::int32_t reach = kFar;
  for (std::int32_t d = 0; waiting > 0 && reach == kFar; ++d) {
    std::vector<std::size_t>& here = bucket[d % 3];
    for (std::size_t k = 0; k < here.size() && reach == kFar; ++k) {
      const std::size_t v = here[k];
      if (distance_[v] != d) continue;
      if (have_[v] > 0) reach = d;
      for (int step = 0; step < 6; ++step) {
        const std::size_t w = net_.beside(v, step);
        if (!net_.inside(w)) continue;
        const std::int32_t through = d + reduced(v, step, w);
        assert(through >= d && through <= d + 2);
        if (through >= distance_[w]) continue;
        if (distance_[w] == kFar) seen.push_back(w);
        distance_[w] = through;
        bucket[through % 3].push_back(w);
        ++waiting;
      }
    }
    waiting -= std::min(waiting, here.size());
    here.clear();
  }
  for (std::size_t v : seen) {
    if (reach != kFar && distance_[v] < reach) potential_[v] += distance_[v] - reach;
    distance_[v] = kFar;
  }
  return reach != kFar;
}

// Numbers of steps from the open receivers along arcs that cost nothing, as far as the nearest
// donor.
bool HexFlow::find_levels() {
  for (std::size_t v : seen_) {
    level_[v] = -1;
    next_[v] = 0;
  }
  find_open_receivers();
  seen_ = open_;
  for (std::size_t v : open_) level_[v] = 0;
  bool found = false;
  std::size_t end = seen_.size();
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    if (k == end) {
      if (found) break;
      end = seen_.size();
    }
    const std::size_t v = seen_[k];
    found = found || have_[v] > 0;
    if (found) continue;
    for (int step = 0; step < 6; ++step) {
      const std::size_t w = net_.beside(v, step);
      if (!net_.inside(w) || level_[w] >= 0 || reduced(v, step, w) != 0) continue;
      level_[w] = level_[v] + 1;
      seen_.push_back(w);
    }
  }
  return found;
}

// One step further from the end of the path, or back when there is none; false at a donor.
bool HexFlow::advance() {
  const std::size_t v = path_.back();
  if (have_[v] > 0) return false;
  for (; next_[v] < 6; ++next_[v]) {
    const std::size_t w = net_.beside(v, next_[v]);
    if (!net_.inside(w) || level_[w] != level_[v] + 1 || reduced(v, next_[v], w) != 0) continue;
    path_.push_back(w);
    return true;
  }
  path_.pop_back();
  if (!path_.empty()) ++next_[path_.back()];
  return true;
}

void HexFlow::pull_along(std::size_t root) {
  const std::size_t donor = path_.back();
  std::int64_t by = std::min(need_[root], have_[donor]);
  for (std::size_t k = 0; k + 1 < path_.size(); ++k) {
    const std::int64_t sent = net_.flow(path_[k], next_[path_[k]], path_[k + 1]);
    if (sent > 0) by = std::min(by, sent);
  }
  assert(by > 0);
  for (std::size_t k = 0; k + 1 < path_.size(); ++k)
    net_.add_flow(path_[k], next_[path_[k]], path_[k + 1], -by);
  need_[root] -= by;
  have_[donor] -= by;
}

void HexFlow::pull_all() {
  for (std::size_t root : open_)
    while (need_[root] > 0) {
      path_.assign(1, root);
      while (!path_.empty() && advance()) continue;
      if (path_.empty()) break;
      pull_along(root);
    }
}

void HexFlow::solve(const Tick& tick) {
  std::int64_t asked = 0, left = 0;
  for (std::size_t v : open_) asked += need_[v];
  left = asked;
  while (left > 0) {
    report(tick, 1 - static_cast<double>(left) / static_cast<double>(asked));
    if (!update_potentials()) throw InfeasibleError("The counts that may be given are too few.");
    while (find_levels()) pull_all();
    find_open_receivers();
    left = 0;
    for (std::size_t v : open_) left += need_[v];
  }
}

std::vector<HexMove> HexFlow::moves() {
  for (std::size_t v = 0; v < given_.size(); ++v) given_[v] -= have_[v];
  return net_.moves(std::move(given_), std::move(taken_));
}

std::int64_t sum_of(const std::vector<std::int64_t>& x) {
  std::int64_t out = 0;
  for (std::int64_t v : x) out = checked_sum(out, v, "The sum of counts must be below 2^63.");
  return out;
}

}  // namespace

std::vector<HexMove> moves_by_shortest_paths(const HexGrid& grid, const HexMap& map,
                                             const std::vector<std::int64_t>& have,
                                             const std::vector<std::int64_t>& need,
                                             const Tick& tick) {
  HexFlow flow(grid, map, have, need);
  flow.solve(tick);
  return flow.moves();
}

std::vector<HexMove> cheapest_moves(const HexMap& map, const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, double most_nodes,
                                    const Tick& tick) {
  const HexGrid grid(map);
  if (fits(grid, most_nodes)) {
    const std::int64_t asked = sum_of(need);
    if (sum_of(have) == asked && static_cast<double>(asked) * grid.size() <= kMostAmount)
      return balanced_moves(grid, map, have, need, tick);
    return moves_by_shortest_paths(grid, map, have, need, tick);
  }
  std::vector<HexDonor> donors;
  std::vector<HexReceiver> receivers;
  for (std::uint32_t i = 0; i < map.size(); ++i) {
    if (have[i] > 0) donors.push_back({i, have[i], 0, 0});
    if (need[i] > 0) receivers.push_back({i, need[i]});
  }
  return transport(map, donors, receivers, tick);
}

}  // namespace sdclattice
