#include "core/hex_flow.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/error.hpp"

namespace sdclattice {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

std::int64_t floor_half(std::int64_t x) {
  return x >= 0 ? x / 2 : -((1 - x) / 2);
}

class HexFlow {
 public:
  HexFlow(const HexGrid& grid, const HexMap& map, const std::vector<std::int64_t>& have,
          const std::vector<std::int64_t>& need);
  void solve(const Tick& tick);
  std::vector<HexMove> moves();

 private:
  std::size_t beside(std::size_t node, int direction) const {
    return static_cast<std::size_t>(static_cast<std::int64_t>(node) +
                                    grid_.step(row_[node], direction));
  }
  // What flows from a node to its neighbour, less what flows back.
  std::int64_t flow(std::size_t node, int d, std::size_t other) const {
    return d < 3 ? flow_[3 * node + static_cast<std::size_t>(d)]
                 : -flow_[3 * other + static_cast<std::size_t>(d - 3)];
  }
  void add_flow(std::size_t node, int d, std::size_t other, std::int64_t by) {
    if (d < 3) {
      flow_[3 * node + static_cast<std::size_t>(d)] += by;
    } else {
      flow_[3 * other + static_cast<std::size_t>(d - 3)] -= by;
    }
  }
  // The cost of pulling one more unit from the neighbour: less is sent there, or more is taken.
  std::int32_t reduced(std::size_t node, int d, std::size_t other) const {
    return (flow(node, d, other) > 0 ? -1 : 1) + potential_[node] - potential_[other];
  }
  bool inside(std::size_t node) const { return row_[node] != kBorder; }

  void find_open_receivers();
  bool update_potentials();
  bool find_levels();
  void pull_all();
  bool advance();
  void pull_along(std::size_t root);
  void take_apart(std::size_t from, std::vector<HexMove>& out);

  static constexpr std::uint8_t kBorder = 2;

  const HexGrid& grid_;
  const HexMap& map_;
  std::vector<std::uint8_t> row_;   // of a node: even or odd, or the border
  std::vector<std::int64_t> flow_;  // three directions of each node
  std::vector<std::int64_t> have_, need_;
  std::vector<std::size_t> node_of_;  // of a cell
  std::vector<std::int32_t> potential_, distance_, level_;
  std::vector<std::uint8_t> next_;  // of a node: the direction that comes next
  std::vector<std::size_t> open_;   // receivers that need something
  std::vector<std::size_t> seen_;   // nodes with a level
  std::vector<std::size_t> path_;
  std::vector<std::int64_t> given_, taken_;
};

HexFlow::HexFlow(const HexGrid& grid, const HexMap& map, const std::vector<std::int64_t>& have,
                 const std::vector<std::int64_t>& need)
    : grid_(grid), map_(map) {
  const std::size_t n = grid.width() * grid.height();
  row_.assign(n, kBorder);
  for (std::size_t y = 1; y + 1 < grid.height(); ++y)
    for (std::size_t x = 1; x + 1 < grid.width(); ++x)
      row_[y * grid.width() + x] = static_cast<std::uint8_t>(y % 2);
  flow_.assign(3 * n, 0);
  have_.assign(n, 0);
  need_.assign(n, 0);
  potential_.assign(n, 0);
  distance_.assign(n, kFar);
  level_.assign(n, -1);
  next_.assign(n, 0);
  for (std::size_t i = 0; i < map.size(); ++i) {
    node_of_.push_back(grid.node(map.q[i], map.r[i]));
    have_[node_of_[i]] = have[i];
    need_[node_of_[i]] = need[i];
    if (need[i] > 0) open_.push_back(node_of_[i]);
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
        const std::size_t w = beside(v, step);
        if (!inside(w)) continue;
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
      const std::size_t w = beside(v, step);
      if (!inside(w) || level_[w] >= 0 || reduced(v, step, w) != 0) continue;
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
    const std::size_t w = beside(v, next_[v]);
    if (!inside(w) || level_[w] != level_[v] + 1 || reduced(v, next_[v], w) != 0) continue;
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
    const std::int64_t sent = flow(path_[k], next_[path_[k]], path_[k + 1]);
    if (sent > 0) by = std::min(by, sent);
  }
  for (std::size_t k = 0; k + 1 < path_.size(); ++k)
    add_flow(path_[k], next_[path_[k]], path_[k + 1], -by);
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

// Follows what flows from a donor until it ends.
void HexFlow::take_apart(std::size_t from, std::vector<HexMove>& out) {
  for (std::size_t i = from; given_[node_of_[i]] > 0;) {
    path_.assign(1, node_of_[i]);
    std::int64_t by = given_[node_of_[i]];
    std::vector<int> steps;
    while (taken_[path_.back()] == 0) {
      const std::size_t v = path_.back();
      int step = 0;
      while (!inside(beside(v, step)) || flow(v, step, beside(v, step)) <= 0) ++step;
      assert(step < 6);
      by = std::min(by, flow(v, step, beside(v, step)));
      steps.push_back(step);
      path_.push_back(beside(v, step));
    }
    by = std::min(by, taken_[path_.back()]);
    for (std::size_t k = 0; k < steps.size(); ++k) add_flow(path_[k], steps[k], path_[k + 1], -by);
    given_[path_.front()] -= by;
    taken_[path_.back()] -= by;
    // have_ now holds the number of the cell at a node
    out.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(have_[path_.back()]), by});
  }
}

std::vector<HexMove> HexFlow::moves() {
  for (std::size_t v = 0; v < given_.size(); ++v) given_[v] -= have_[v];
  for (std::size_t i = 0; i < map_.size(); ++i) have_[node_of_[i]] = static_cast<std::int64_t>(i);
  std::vector<HexMove> out;
  for (std::size_t i = 0; i < map_.size(); ++i) take_apart(i, out);
  tidy_moves(out);
  return out;
}

}  // namespace

HexGrid::HexGrid(const HexMap& map) {
  if (map.size() == 0) return;
  std::int64_t low[2] = {kNoEnd, kNoEnd}, high[2] = {-kNoEnd, -kNoEnd};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::int64_t column[2] = {map.q[i], map.q[i] + floor_half(map.r[i])};
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], column[k]);
      high[k] = std::max(high[k], column[k]);
    }
  }
  slanted_ = high[0] - low[0] <= high[1] - low[1];
  const int k = slanted_ ? 0 : 1;
  // a margin of one hexagon: the border
  r0_ = map.r.front() - 1;
  column0_ = low[k] - 1;
  width_ = high[k] - low[k] + 3;
  height_ = map.r.back() - map.r.front() + 3;
  odd_start_ = static_cast<std::size_t>(r0_ - 2 * floor_half(r0_));
  for (std::int64_t odd = 0; odd < 2; ++odd)
    for (int d = 0; d < 6; ++d) {
      const std::int64_t dr = kHexStep[d][1];
      steps_[odd][d] = dr * width_ + kHexStep[d][0] + shift(odd + dr) - shift(odd);
    }
}

std::int64_t HexGrid::shift(std::int64_t r) const {
  return slanted_ ? 0 : floor_half(r);
}

std::size_t HexGrid::node(std::int64_t q, std::int64_t r) const {
  return static_cast<std::size_t>((r - r0_) * width_ + q + shift(r) - column0_);
}

std::vector<HexMove> cheapest_moves(const HexMap& map, const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, double most_nodes,
                                    const Tick& tick) {
  const HexGrid grid(map);
  if (grid.size() <= std::min(most_nodes, 1e9)) {
    HexFlow flow(grid, map, have, need);
    flow.solve(tick);
    return flow.moves();
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
