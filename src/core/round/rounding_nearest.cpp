#include "round/rounding_nearest.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

#include "base/ranked_cost.hpp"

namespace sdclattice {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;

// A flow of 0 or 1 on every edge with a residue. An edge without flow can be used forwards, one
// with flow backwards.
class RoundingFlow {
 public:
  RoundingFlow(const Circulation& circulation, std::int64_t base, RoundingAim aim);
  void balance(const Tick& tick);
  void settle_ties();
  std::vector<std::int64_t> rounded() const;

 private:
  bool usable(std::uint32_t half) const { return up_[half / 2] == (half % 2 == 1); }
  std::uint32_t here(std::uint32_t half) const {
    return half % 2 == 0 ? circulation_.from[half / 2] : circulation_.to[half / 2];
  }
  RankedCost reduced(std::uint32_t half) const {
    const RankedCost cost = half % 2 == 0 ? cost_[half / 2] : RankedCost{} - cost_[half / 2];
    return cost + potential_[here(half)] - potential_[lists_.across(half)];
  }
  bool is_tight(std::uint32_t half) const { return usable(half) && reduced(half) == RankedCost{}; }

  void update_potentials();
  bool find_levels();
  bool send_one(std::uint32_t from);
  bool search(std::uint32_t from, std::uint32_t to);
  void take_down(std::uint32_t edge);
  void split_off();

  const Circulation& circulation_;
  std::int64_t base_;
  std::vector<RankedCost> cost_;  // of going up
  EdgeLists lists_;
  std::vector<bool> up_;
  std::vector<std::int64_t> excess_;  // of a node: how much must still leave it
  std::vector<RankedCost> potential_;
  std::vector<std::uint32_t> level_, current_;             // of a node, for blocking flows
  std::vector<std::uint32_t> came_by_, last_hop_, found_;  // of a search
};

std::vector<bool> has_residue(const Circulation& circulation, std::int64_t base) {
  std::vector<bool> out(circulation.n_edges());
  for (std::size_t e = 0; e < out.size(); ++e) out[e] = circulation.value[e] % base != 0;
  return out;
}

// Every edge at its nearer multiple: then every use of an edge costs nothing less than 0.
RoundingFlow::RoundingFlow(const Circulation& circulation, std::int64_t base, RoundingAim aim)
    : circulation_(circulation),
      base_(base),
      cost_(circulation.n_edges()),
      lists_(circulation, has_residue(circulation, base)),
      up_(circulation.n_edges()),
      excess_(circulation.n_nodes, 0),
      potential_(circulation.n_nodes),
      came_by_(circulation.n_nodes, kNowhere),
      last_hop_(circulation.n_nodes, kNowhere) {
  for (std::uint32_t e = 0; e < circulation.n_edges(); ++e) {
    const std::int64_t residue = circulation.value[e] % base, cost = base - 2 * residue;
    const bool is_cell = e < circulation.n_cells;
    const bool counts = is_cell || aim == RoundingAim::all;
    cost_[e].first = counts ? cost : 0;
    cost_[e].second = is_cell == (aim == RoundingAim::all) ? cost : 0;
    up_[e] = cost_[e] < RankedCost{} && residue != 0;
    const std::int64_t multiples = circulation.value[e] / base + (up_[e] ? 1 : 0);
    excess_[circulation.to[e]] += multiples;
    excess_[circulation.from[e]] -= multiples;
  }
}

// Shortest paths from all nodes with excess, by reduced costs.
void RoundingFlow::update_potentials() {
  using Entry = std::pair<RankedCost, std::uint32_t>;
  const auto later = [](const Entry& a, const Entry& b) { return b.first < a.first; };
  std::priority_queue<Entry, std::vector<Entry>, decltype(later)> open(later);
  std::vector<RankedCost> distance(excess_.size());
  std::vector<bool> reached(excess_.size(), false), done(excess_.size(), false);
  const auto reach = [&](std::uint32_t node, const RankedCost& at) {
    if (reached[node] && !(at < distance[node])) return;
    reached[node] = true;
    distance[node] = at;
    open.push({at, node});
  };
  for (std::uint32_t v = 0; v < excess_.size(); ++v)
    if (excess_[v] > 0) reach(v, {});
  RankedCost last;
  while (!open.empty()) {
    const auto [at, node] = open.top();
    open.pop();
    if (done[node]) continue;
    done[node] = true;
    last = at;
    for (std::uint32_t h = lists_.first(node); !lists_.at_end(h); h = lists_.next(h))
      if (usable(h)) reach(lists_.across(h), at + reduced(h));
  }
  for (std::uint32_t v = 0; v < excess_.size(); ++v)
    potential_[v] = potential_[v] + (done[v] ? distance[v] : last);
}

// Breadth first from all nodes with excess along tight edges; false when no lack is reached.
bool RoundingFlow::find_levels() {
  level_.assign(excess_.size(), kNowhere);
  current_.assign(excess_.size(), kNowhere);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t v = 0; v < excess_.size(); ++v) {
    if (excess_[v] <= 0) continue;
    level_[v] = 0;
    queue.push_back(v);
  }
  bool found = false;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t node = queue[i];
    current_[node] = lists_.first(node);
    found = found || excess_[node] < 0;
    for (std::uint32_t h = lists_.first(node); !lists_.at_end(h); h = lists_.next(h)) {
      const std::uint32_t to = lists_.across(h);
      if (level_[to] != kNowhere || !is_tight(h)) continue;
      level_[to] = level_[node] + 1;
      queue.push_back(to);
    }
  }
  return found;
}

// One unit from a node with excess along rising levels to a node that lacks one.
bool RoundingFlow::send_one(std::uint32_t from) {
  std::vector<std::uint32_t> path;
  std::uint32_t node = from;
  while (excess_[node] >= 0) {
    std::uint32_t& h = current_[node];
    while (!lists_.at_end(h) && !(level_[lists_.across(h)] == level_[node] + 1 && is_tight(h)))
      h = lists_.next(h);
    if (!lists_.at_end(h)) {
      path.push_back(h);
      node = lists_.across(h);
    } else if (path.empty()) {
      return false;
    } else {
      node = here(path.back());
      path.pop_back();
      current_[node] = lists_.next(current_[node]);
    }
  }
  for (const std::uint32_t half : path) up_[half / 2] = !up_[half / 2];
  --excess_[from];
  ++excess_[node];
  return true;
}

void RoundingFlow::balance(const Tick& tick) {
  const auto lacking = [](std::int64_t x) { return x > 0; };
  while (std::any_of(excess_.begin(), excess_.end(), lacking)) {
    report(tick, 0);
    update_potentials();
    while (find_levels())
      for (std::uint32_t v = 0; v < excess_.size(); ++v)
        while (excess_[v] > 0 && send_one(v)) continue;
  }
}

// A path of tight edges; afterwards found_ holds the nodes that were reached. The nodes one step
// before the goal are marked first, as the search is then short in dense tables.
bool RoundingFlow::search(std::uint32_t from, std::uint32_t to) {
  for (const std::uint32_t node : found_) came_by_[node] = kNowhere;
  found_.assign(1, from);
  came_by_[from] = 0;
  for (std::uint32_t h = lists_.first(to); !lists_.at_end(h); h = lists_.next(h))
    if (is_tight(h ^ 1U)) last_hop_[lists_.across(h)] = h ^ 1U;
  std::uint32_t before = last_hop_[from] != kNowhere ? from : kNowhere;
  for (std::size_t i = 0; i < found_.size() && before == kNowhere; ++i) {
    for (std::uint32_t h = lists_.first(found_[i]); !lists_.at_end(h); h = lists_.next(h)) {
      const std::uint32_t next = lists_.across(h);
      if (came_by_[next] != kNowhere || !is_tight(h)) continue;
      came_by_[next] = h;
      found_.push_back(next);
      if (last_hop_[next] == kNowhere) continue;
      before = next;
      break;
    }
  }
  if (before != kNowhere) came_by_[to] = last_hop_[before];
  for (std::uint32_t h = lists_.first(to); !lists_.at_end(h); h = lists_.next(h))
    last_hop_[lists_.across(h)] = kNowhere;
  return before != kNowhere;
}

// The edge's unit goes another way, from the edge's start to its end.
void RoundingFlow::take_down(std::uint32_t edge) {
  up_[edge] = false;
  for (std::uint32_t node = circulation_.to[edge]; node != circulation_.from[edge];) {
    const std::uint32_t half = came_by_[node];
    up_[half / 2] = !up_[half / 2];
    node = here(half);
  }
  found_.push_back(circulation_.to[edge]);
}

// No tight edge leaves the nodes found, so none that enters them lies on a cycle.
void RoundingFlow::split_off() {
  for (const std::uint32_t node : found_)
    for (std::uint32_t h = lists_.first(node); !lists_.at_end(h); h = lists_.next(h))
      if (came_by_[lists_.across(h)] == kNowhere) lists_.remove(h / 2);
}

void RoundingFlow::settle_ties() {
  for (std::uint32_t e = 0; e < circulation_.n_cells; ++e) {
    if (!lists_.holds(e)) continue;
    const bool might_fall = is_tight(2 * e + 1);
    lists_.remove(e);
    if (!might_fall) continue;
    if (search(circulation_.from[e], circulation_.to[e]))
      take_down(e);
    else
      split_off();
  }
}

std::vector<std::int64_t> RoundingFlow::rounded() const {
  std::vector<std::int64_t> out = circulation_.value;
  for (std::size_t e = 0; e < out.size(); ++e) out[e] += (up_[e] ? base_ : 0) - out[e] % base_;
  return out;
}

}  // namespace

std::vector<std::int64_t> round_nearest(const Circulation& circulation, std::int64_t base,
                                        RoundingAim aim, const Tick& tick) {
  RoundingFlow flow(circulation, base, aim);
  flow.balance(tick);
  flow.settle_ties();
  return flow.rounded();
}

}  // namespace sdclattice
