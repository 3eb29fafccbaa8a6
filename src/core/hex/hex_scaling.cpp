#include "hex/hex_scaling.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <utility>

namespace sdclattice {
namespace {

constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kFirstCost = 8, kScaleFactor = 16;

// A queue of keys of which none is below the last that was taken: they are kept by the highest
// binary digit in which they differ from it.
class RadixQueue {
 public:
  using Entry = std::pair<std::int64_t, std::size_t>;

  bool empty() const { return size_ == 0; }
  void push(const Entry& entry) {
    parts_[part(entry.first)].push_back(entry);
    ++size_;
  }
  Entry pop() {
    if (parts_[0].empty()) refill();
    const Entry out = parts_[0].back();
    parts_[0].pop_back();
    --size_;
    return out;
  }

 private:
  std::size_t part(std::int64_t key) const {
    std::size_t out = 0;
    for (std::int64_t x = key ^ last_; x > 0; x >>= 1) ++out;
    return out;
  }
  void refill() {
    std::size_t k = 1;
    while (parts_[k].empty()) ++k;
    last_ = std::min_element(parts_[k].begin(), parts_[k].end())->first;
    for (const Entry& x : parts_[k]) parts_[part(x.first)].push_back(x);
    parts_[k].clear();
  }

  std::vector<Entry> parts_[64];
  std::int64_t last_ = 0;
  std::size_t size_ = 0;
};

class HexScaling {
 public:
  HexScaling(const HexGrid& grid, const HexMap& map, const std::vector<std::int64_t>& have,
             const std::vector<std::int64_t>& need);
  void solve(const Tick& tick);
  std::vector<HexMove> moves();

 private:
  // By how much the price falls along a permitted push.
  std::int64_t fall(std::int64_t flow) const { return flow < 0 ? 1 - cost_ : 1 + cost_; }

  void start_scale(std::int64_t cost);
  void refine(const Tick& tick, double done);
  void raise_prices();
  std::int64_t search();
  void reach(std::size_t w, RadixQueue& queue);
  bool push(std::size_t v);
  void relabel(std::size_t v);
  void take_levels();
  bool prove() const;

  HexNet net_;
  std::vector<std::size_t> inner_;  // nodes that are not of the border
  std::vector<std::int64_t> supply_, excess_, price_, distance_;
  std::vector<std::int64_t> level_;  // prices as whole steps, from 0
  std::vector<std::uint8_t> next_;   // of a node: the direction that comes next
  std::vector<bool> settled_;
  std::deque<std::size_t> queue_;  // nodes with an excess
  std::int64_t cost_ = kFirstCost;
  std::size_t relabels_ = 0;
};

HexScaling::HexScaling(const HexGrid& grid, const HexMap& map,
                       const std::vector<std::int64_t>& have, const std::vector<std::int64_t>& need)
    : net_(grid, map),
      supply_(net_.size(), 0),
      price_(net_.size(), 0),
      distance_(net_.size(), kFarthest),
      level_(net_.size(), 0),
      next_(net_.size(), 0) {
  for (std::size_t v = 0; v < net_.size(); ++v)
    if (net_.inside(v)) inner_.push_back(v);
  for (std::size_t i = 0; i < map.size(); ++i) supply_[net_.node_of(i)] = have[i] - need[i];
}

// Starts with the levels as prices, and with what flows along them.
void HexScaling::start_scale(std::int64_t cost) {
  cost_ = cost;
  excess_ = supply_;
  for (std::size_t v : inner_) {
    price_[v] = cost * level_[v];
    for (int d = 0; d < 3; ++d) {
      const std::size_t w = net_.beside(v, d);
      if (!net_.inside(w)) continue;
      const std::int64_t flow = net_.flow(v, d, w);
      if (flow == 0) continue;
      if (level_[v] - level_[w] == (flow > 0 ? 1 : -1)) {
        excess_[v] -= flow;
        excess_[w] += flow;
      } else {
        net_.add_flow(v, d, w, -flow);
      }
    }
  }
}

void HexScaling::reach(std::size_t w, RadixQueue& queue) {
  for (int step = 0; step < 6; ++step) {
    const std::size_t v = net_.beside(w, step);
    if (!net_.inside(v) || settled_[v]) continue;
    const std::int64_t length = price_[w] + fall(net_.flow(v, (step + 3) % 6, w)) - price_[v];
    assert(length >= 0);
    if (distance_[w] + length >= distance_[v]) continue;
    distance_[v] = distance_[w] + length;
    queue.push({distance_[v], v});
  }
}

// How much prices must rise until excess can be pushed all the way to a deficit; returns the
// largest such rise of a node with an excess.
std::int64_t HexScaling::search() {
  RadixQueue queue;
  std::size_t active = 0;
  settled_.assign(net_.size(), false);
  std::fill(distance_.begin(), distance_.end(), kFarthest);
  for (std::size_t v : inner_) {
    if (excess_[v] > 0) ++active;
    if (excess_[v] >= 0) continue;
    distance_[v] = 0;
    queue.push({0, v});
  }
  std::int64_t last = 0;
  while (active > 0 && !queue.empty()) {
    const std::size_t w = queue.pop().second;
    if (settled_[w]) continue;
    settled_[w] = true;
    last = distance_[w];
    if (excess_[w] > 0) --active;
    reach(w, queue);
  }
  return last;
}

void HexScaling::raise_prices() {
  const std::int64_t last = search();
  for (std::size_t v : inner_) {
    price_[v] += std::min(distance_[v], last);
    next_[v] = 0;
  }
  relabels_ = 0;
}

// Pushes what the node has in excess; false when some is left.
bool HexScaling::push(std::size_t v) {
  for (; next_[v] < 6; ++next_[v]) {
    const int d = next_[v];
    const std::size_t w = net_.beside(v, d);
    if (!net_.inside(w)) continue;
    const std::int64_t flow = net_.flow(v, d, w);
    if (price_[v] - price_[w] != fall(flow)) continue;
    const std::int64_t by = flow < 0 ? std::min(-flow, excess_[v]) : excess_[v];
    net_.add_flow(v, d, w, by);
    excess_[v] -= by;
    if (excess_[w] <= 0 && excess_[w] + by > 0) queue_.push_back(w);
    excess_[w] += by;
    if (excess_[v] == 0) return true;
  }
  return false;
}

void HexScaling::relabel(std::size_t v) {
  std::int64_t least = kFarthest;
  for (int d = 0; d < 6; ++d) {
    const std::size_t w = net_.beside(v, d);
    if (!net_.inside(w)) continue;
    const std::int64_t price = price_[w] + fall(net_.flow(v, d, w));
    if (price >= least) continue;
    least = price;
    next_[v] = static_cast<std::uint8_t>(d);
  }
  assert(least > price_[v] && least != kFarthest);
  price_[v] = least;
  ++relabels_;
}

void HexScaling::refine(const Tick& tick, double done) {
  report(tick, done);
  raise_prices();
  for (std::size_t v : inner_)
    if (excess_[v] > 0) queue_.push_back(v);
  while (!queue_.empty()) {
    const std::size_t v = queue_.front();
    queue_.pop_front();
    while (!push(v)) relabel(v);
    if (2 * relabels_ <= inner_.size()) continue;
    report(tick, done);
    raise_prices();
  }
}

void HexScaling::take_levels() {
  std::int64_t least = kFarthest;
  for (std::size_t v : inner_) least = std::min(least, price_[v]);
  for (std::size_t v : inner_) level_[v] = (price_[v] - least) / (cost_ + 1);
}

// Lowers the levels until they fall by 1 wherever something flows; false when that takes long.
bool HexScaling::prove() const {
  std::vector<std::int64_t> level = level_;
  std::deque<std::size_t> queue(inner_.begin(), inner_.end());
  std::vector<bool> waits(net_.size(), true);
  for (std::size_t patience = 8 * inner_.size(); !queue.empty();) {
    const std::size_t v = queue.front();
    queue.pop_front();
    waits[v] = false;
    std::int64_t low = level[v];
    for (int d = 0; d < 6; ++d) {
      const std::size_t w = net_.beside(v, d);
      if (net_.inside(w)) low = std::min(low, level[w] + (net_.flow(v, d, w) < 0 ? -1 : 1));
    }
    if (low == level[v]) continue;
    if (patience-- == 0) return false;
    level[v] = low;
    for (int d = 0; d < 6; ++d) {
      const std::size_t w = net_.beside(v, d);
      if (!net_.inside(w) || waits[w]) continue;
      waits[w] = true;
      queue.push_back(w);
    }
  }
  return true;
}

void HexScaling::solve(const Tick& tick) {
  double left = 1;
  for (std::int64_t cost = kFirstCost;; cost *= kScaleFactor) {
    start_scale(cost);
    refine(tick, 1 - left);
    if (cost > static_cast<std::int64_t>(inner_.size())) return;
    take_levels();
    if (prove()) return;
    left /= 2;
  }
}

std::vector<HexMove> HexScaling::moves() {
  std::vector<std::int64_t> given(net_.size()), taken(net_.size());
  for (std::size_t v : inner_) {
    given[v] = std::max<std::int64_t>(0, supply_[v]);
    taken[v] = std::max<std::int64_t>(0, -supply_[v]);
  }
  return net_.moves(std::move(given), std::move(taken));
}

}  // namespace

std::vector<HexMove> balanced_moves(const HexGrid& grid, const HexMap& map,
                                    const std::vector<std::int64_t>& have,
                                    const std::vector<std::int64_t>& need, const Tick& tick) {
  HexScaling problem(grid, map, have, need);
  problem.solve(tick);
  return problem.moves();
}

}  // namespace sdclattice
