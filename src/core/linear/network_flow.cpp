#include "linear/network_flow.hpp"

#include <algorithm>
#include <numeric>

#include "linear/network_form.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kArcsInTurn = 8;

}  // namespace

std::optional<FlowNetwork> FlowNetwork::from(const LinearSystem& system) {
  const std::optional<NetworkForm> form = find_network_form(system);
  if (!form) return {};
  FlowNetwork out;
  const auto ground = static_cast<std::uint32_t>(system.n_rows());
  out.n_nodes_ = system.n_rows() + 1;
  out.n_cells_ = system.n_cells();
  out.arcs_.reserve(system.n_cells());
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    const CellEntries& cell = form->cells[i];
    Arc arc{ground, ground, system.lower[i], system.upper[i], 0};
    for (std::size_t k = 0; k < cell.n; ++k)
      (cell.sign[k] * form->sign[cell.row[k]] > 0 ? arc.head : arc.tail) = cell.row[k];
    out.arcs_.push_back(arc);
  }
  out.demand_.assign(out.n_nodes_, 0);
  for (std::uint32_t r = 0; r < ground; ++r) {
    if (form->aside[r]) continue;
    const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
    if (low == high) {
      out.demand_[r] = form->sign[r] * low;
      continue;
    }
    // What the row holds goes on to the ground; with a sign of -1 it comes from there.
    const bool away = form->sign[r] > 0;
    out.arcs_.push_back({away ? r : ground, away ? ground : r, low, high, 0});
  }
  const std::int64_t sum = std::accumulate(out.demand_.begin(), out.demand_.end(), std::int64_t{0});
  out.demand_[ground] = -sum;
  out.index();
  return out;
}

void FlowNetwork::index() {
  at_.assign(n_nodes_ + 1, 0);
  for (const Arc& arc : arcs_) {
    ++at_[arc.tail + 1];
    ++at_[arc.head + 1];
  }
  std::partial_sum(at_.begin(), at_.end(), at_.begin());
  around_.resize(at_.back());
  std::vector<std::size_t> next(at_.begin(), at_.end() - 1);
  for (std::uint32_t a = 0; a < arcs_.size(); ++a) {
    around_[next[arcs_[a].tail]++] = a;
    around_[next[arcs_[a].head]++] = a;
  }
  mark_.assign(n_nodes_, 0);
  way_.assign(n_nodes_, 0);
}

void FlowNetwork::add(std::uint32_t arc, bool forward, std::int64_t by) {
  arcs_[arc].flow += forward ? by : -by;
  if (arc < n_cells_) changed_.push_back(arc);
}

// ---- paths -------------------------------------------------------------------------------------

void FlowNetwork::reach(Side& side, std::uint32_t node, std::uint32_t by) {
  mark_[node] = side.mark;
  way_[node] = by;
  side.nodes.push_back(node);
}

// Marks of earlier searches count no more.
void FlowNetwork::renew_marks() {
  if (round_ < UINT32_MAX - 2) return;
  std::fill(mark_.begin(), mark_.end(), 0);
  round_ = 0;
}

void FlowNetwork::start(Side& side, std::uint32_t node) {
  side.mark = ++round_;
  side.nodes.clear();
  side.next = 0;
  side.arc = at_[node];
  reach(side, node, 0);
}

// Searches from both ends, some arcs on one side and some on the other. The arcs of nodes are in
// one order, so that two long lists meet early: a table with a thousand rows has a path by one of
// the first of them. A side that comes to an end proves that there is no path.
bool FlowNetwork::find_path(std::uint32_t from, std::uint32_t to, std::size_t without) {
  renew_marks();
  start(source_, from);
  start(target_, to);
  for (bool ahead = true;; ahead = !ahead) {
    Side& side = ahead ? source_ : target_;
    const bool meets = expand(side, ahead ? target_ : source_, ahead, without);
    if (meets) return true;
    if (side.next == side.nodes.size()) return false;
  }
}

// Some more arcs of one side; whether it meets the other. Then way_ leads all the way.
bool FlowNetwork::expand(Side& side, const Side& other, bool from_source, std::size_t without) {
  for (std::size_t n = 0; n < kArcsInTurn; ++n, ++side.arc) {
    while (side.arc == at_[side.nodes[side.next] + 1]) {
      if (++side.next == side.nodes.size()) return false;
      side.arc = at_[side.nodes[side.next]];
    }
    const std::uint32_t node = side.nodes[side.next], a = around_[side.arc];
    const Arc& arc = arcs_[a];
    const bool leaves = arc.tail == node;
    const std::uint32_t next = leaves ? arc.head : arc.tail;
    if (mark_[next] == side.mark || a == without || arc.room(leaves == from_source) <= 0) continue;
    if (mark_[next] == other.mark) {
      join_ways(from_source ? next : node, a);
      return true;
    }
    reach(side, next, a);
  }
  return false;
}

// The ways by which the target's side came to a node are turned round; `by` leads to the node.
void FlowNetwork::join_ways(std::uint32_t node, std::uint32_t by) {
  for (;;) {
    const std::uint32_t on = way_[node];
    way_[node] = by;
    if (node == target_.nodes[0]) return;
    by = on;
    node = arcs_[on].tail == node ? arcs_[on].head : arcs_[on].tail;
  }
}

std::int64_t FlowNetwork::send_along(std::uint32_t from, std::uint32_t to, std::int64_t most) {
  std::int64_t by = most;
  const auto walk = [&](const auto& visit) {
    for (std::uint32_t node = to; node != from;) {
      const std::uint32_t a = way_[node];
      const bool forward = arcs_[a].head == node;
      visit(a, forward);
      node = forward ? arcs_[a].tail : arcs_[a].head;
    }
  };
  walk([&](std::uint32_t a, bool forward) { by = std::min(by, arcs_[a].room(forward)); });
  if (by >= kNoLimit / 2) {
    endless_ = true;
    return 0;
  }
  walk([&](std::uint32_t a, bool forward) { add(a, forward, by); });
  return by;
}

std::int64_t FlowNetwork::send(std::uint32_t from, std::uint32_t to, std::int64_t most,
                               std::size_t without, const std::function<void()>& check) {
  std::int64_t sent = 0;
  endless_ = false;
  while (sent < most && !endless_) {
    check();
    if (!find_path(from, to, without)) break;
    sent += send_along(from, to, most - sent);
  }
  return sent;
}

// More through a cell's arc must come back from its head to its tail another way.
bool FlowNetwork::push(std::size_t cell, int sign, const std::function<void()>& check) {
  const auto a = static_cast<std::uint32_t>(cell);
  const std::uint32_t tail = arcs_[a].tail, head = arcs_[a].head;
  const bool up = sign > 0;
  const std::int64_t most = arcs_[a].room(up);
  changed_.clear();
  if (most <= 0) return true;
  if (head == tail) {
    if (most >= kNoLimit) return false;
    add(a, up, most);
    return true;
  }
  const std::int64_t sent = send(up ? head : tail, up ? tail : head, most, cell, check);
  add(a, up, sent);
  return !endless_;
}

// ---- the first solution ------------------------------------------------------------------------

// An arc from a node with too much to one that lacks is filled first.
void FlowNetwork::fill_direct_arcs(std::vector<std::int64_t>& excess) {
  for (Arc& arc : arcs_) {
    std::int64_t& from = excess[arc.tail];
    std::int64_t& to = excess[arc.head];
    const std::int64_t by = std::min({from, -to, arc.room(true)});
    if (by <= 0) continue;
    arc.flow += by;
    from -= by;
    to += by;
  }
}

std::uint32_t FlowNetwork::find_lack(std::uint32_t from, const std::vector<std::int64_t>& excess) {
  renew_marks();
  start(source_, from);
  for (; source_.next < source_.nodes.size(); ++source_.next) {
    const std::uint32_t node = source_.nodes[source_.next];
    if (excess[node] < 0) return node;
    for (std::size_t k = at_[node]; k < at_[node + 1]; ++k) {
      const Arc& arc = arcs_[around_[k]];
      const bool forward = arc.tail == node;
      const std::uint32_t next = forward ? arc.head : arc.tail;
      if (mark_[next] != source_.mark && arc.room(forward) > 0) reach(source_, next, around_[k]);
    }
  }
  return static_cast<std::uint32_t>(n_nodes_);
}

// Starts with every arc at the limit nearest to 0 and sends what the nodes have too much to those
// that lack it. A node that can reach none of these proves that there is no solution.
bool FlowNetwork::solve(const std::function<void()>& check) {
  std::vector<std::int64_t> excess(n_nodes_);
  for (std::size_t v = 0; v < n_nodes_; ++v) excess[v] = -demand_[v];
  for (Arc& arc : arcs_) {
    arc.flow = std::clamp<std::int64_t>(0, arc.lower, arc.upper);
    excess[arc.head] += arc.flow;
    excess[arc.tail] -= arc.flow;
  }
  fill_direct_arcs(excess);
  std::uint32_t first = 0;  // that lacks something
  for (std::uint32_t from = 0; from < n_nodes_; ++from)
    while (excess[from] > 0) {
      check();
      while (first < n_nodes_ && excess[first] >= 0) ++first;
      if (first == n_nodes_) return false;
      const bool leads = find_path(from, first, arcs_.size());
      const std::uint32_t to = leads ? first : find_lack(from, excess);
      if (to == n_nodes_) return false;
      const std::int64_t by = send_along(from, to, std::min(excess[from], -excess[to]));
      excess[from] -= by;
      excess[to] += by;
    }
  changed_.clear();
  return std::all_of(excess.begin(), excess.end(), [](std::int64_t x) { return x == 0; });
}

}  // namespace sdclattice
