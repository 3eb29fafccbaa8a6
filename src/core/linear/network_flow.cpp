#include "linear/network_flow.hpp"

#include <algorithm>
#include <numeric>

#include "linear/network_form.hpp"

namespace sdclattice {

namespace {

// What a side does before it is the other's turn: new nodes, and links looked at.
constexpr std::size_t kNodesInTurn = 8, kLooksInTurn = 64;

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

// ---- links -------------------------------------------------------------------------------------

void FlowNetwork::index() {
  at_.assign(n_nodes_ + 1, 0);
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    if (!is_free(a)) continue;
    ++at_[arcs_[a].tail + 1];
    ++at_[arcs_[a].head + 1];
  }
  std::partial_sum(at_.begin(), at_.end(), at_.begin());
  around_.resize(at_.back());
  place_.resize(2 * arcs_.size());
  mark_.assign(n_nodes_, 0);
  way_.assign(n_nodes_, 0);
}

FlowNetwork::Use FlowNetwork::use_at(std::size_t arc, bool tail) const {
  const bool forward = arcs_[arc].room(true) > 0;
  if (forward && arcs_[arc].room(false) > 0) return kBoth;
  return forward == tail ? kLeave : kEnter;
}

// By what the flows are now.
void FlowNetwork::sort_links() {
  std::vector<std::size_t> n[3];
  for (std::vector<std::size_t>& of : n) of.assign(n_nodes_, 0);
  const auto each = [&](const auto& visit) {
    for (std::uint32_t a = 0; a < arcs_.size(); ++a) {
      if (!is_free(a)) continue;
      visit(a, true, arcs_[a].tail, arcs_[a].head);
      visit(a, false, arcs_[a].head, arcs_[a].tail);
    }
  };
  each([&](std::uint32_t a, bool tail, std::uint32_t node, std::uint32_t) {
    ++n[use_at(a, tail)][node];
  });
  both_.resize(n_nodes_);
  enter_.resize(n_nodes_);
  for (std::size_t v = 0; v < n_nodes_; ++v) {
    both_[v] = at_[v] + n[kLeave][v];
    enter_[v] = both_[v] + n[kBoth][v];
    n[kLeave][v] = at_[v];  // now the next place of each use
    n[kBoth][v] = both_[v];
    n[kEnter][v] = enter_[v];
  }
  each([&](std::uint32_t a, bool tail, std::uint32_t node, std::uint32_t other) {
    const std::size_t k = n[use_at(a, tail)][node]++;
    around_[k] = {a, other};
    place(a, tail) = k;
  });
}

void FlowNetwork::swap_links(std::size_t a, std::size_t b) {
  if (a == b) return;
  const Link& one = around_[a];
  const Link& other = around_[b];
  // An arc from a node to itself has both of its links there.
  const auto is_tail = [this](const Link& link, std::size_t k) {
    return place_[2 * link.arc] == k;
  };
  const bool tail_a = is_tail(one, a), tail_b = is_tail(other, b);
  place(one.arc, tail_a) = b;
  place(other.arc, tail_b) = a;
  std::swap(around_[a], around_[b]);
}

// Across one border, or both.
void FlowNetwork::move_link(std::uint32_t arc, bool tail, Use from, Use to) {
  const std::uint32_t node = tail ? arcs_[arc].tail : arcs_[arc].head;
  for (; from < to; from = static_cast<Use>(from + 1)) {
    std::size_t& border = from == kLeave ? both_[node] : enter_[node];
    swap_links(place(arc, tail), --border);
  }
  for (; from > to; from = static_cast<Use>(from - 1)) {
    std::size_t& border = from == kEnter ? enter_[node] : both_[node];
    swap_links(place(arc, tail), border++);
  }
}

void FlowNetwork::add(std::uint32_t arc, bool forward, std::int64_t by) {
  const Use tail = use_at(arc, true), head = use_at(arc, false);
  arcs_[arc].flow += forward ? by : -by;
  if (arc < n_cells_) changed_.push_back(arc);
  if (use_at(arc, true) == tail) return;
  move_link(arc, true, tail, use_at(arc, true));
  move_link(arc, false, head, use_at(arc, false));
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

// All: any links that the side can use, else those that flows can go along both ways.
void FlowNetwork::point(Cursor& cursor, const Side& side, std::size_t next, bool all) const {
  const std::uint32_t node = side.nodes[next];
  cursor.next = next;
  cursor.link = all && side.leaves ? at_[node] : both_[node];
  cursor.end = all && !side.leaves ? at_[node + 1] : enter_[node];
}

// False when there is no link left.
bool FlowNetwork::advance(Cursor& cursor, const Side& side, bool all) const {
  while (cursor.link == cursor.end) {
    if (cursor.next + 1 == side.nodes.size()) return false;
    point(cursor, side, cursor.next + 1, all);
  }
  return true;
}

void FlowNetwork::start(Side& side, std::uint32_t node, bool leaves) {
  side.mark = ++round_;
  side.nodes.clear();
  side.leaves = leaves;
  side.wide = side.spent = false;
  reach(side, node, 0);
  point(side.go, side, 0, false);
  point(side.look, side, 0, true);
}

// Searches from both ends by turns. Each side goes on by arcs strictly between their limits, and
// meets the other by any: then a path has one arc at a limit, and another one comes to its limit,
// so that the arcs between the limits go on to be a forest, more or less, and the flow is on few
// arcs. Only when these arcs come to an end a side goes on by all, and when these do, too, that
// proves that there is no path.
bool FlowNetwork::find_path(std::uint32_t from, std::uint32_t to, std::size_t without,
                            bool in_tree) {
  renew_marks();
  start(source_, from, true);
  start(target_, to, false);
  for (bool ahead = true;; ahead = !ahead) {
    Side& side = ahead ? source_ : target_;
    const Side& other = ahead ? target_ : source_;
    if (go_on(side, other, without)) return true;
    if (!in_tree && !side.wide && look(side, other, without)) return true;
    if (advance(side.go, side, side.wide)) continue;
    if (side.wide || in_tree) return false;
    if (!advance(side.look, side, true)) widen(side);
  }
}

void FlowNetwork::widen(Side& side) const {
  side.wide = true;
  point(side.go, side, 0, true);
}

// To some new nodes; whether the sides meet. Then way_ leads all the way.
bool FlowNetwork::go_on(Side& side, const Side& other, std::size_t without) {
  for (std::size_t n = 0; n < kNodesInTurn && advance(side.go, side, side.wide); ++side.go.link) {
    const Link link = around_[side.go.link];
    if (link.arc == without || mark_[link.node] == side.mark) continue;
    if (mark_[link.node] == other.mark) {
      join_ways(side.leaves ? link.node : side.nodes[side.go.next], link.arc);
      return true;
    }
    reach(side, link.node, link.arc);
    ++n;
  }
  return false;
}

// At some links. Nodes that the other side reaches later are found by its own looks.
bool FlowNetwork::look(Side& side, const Side& other, std::size_t without) {
  for (std::size_t n = 0; n < kLooksInTurn && advance(side.look, side, true); ++n) {
    const Link link = around_[side.look.link++];
    if (mark_[link.node] != other.mark || link.arc == without) continue;
    join_ways(side.leaves ? link.node : side.nodes[side.look.next], link.arc);
    return true;
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
  endless_ = false;
  if (most <= 0) return true;
  if (head == tail) {
    if (most >= kNoLimit) return false;
    add(a, up, most);
    return true;
  }
  const std::uint32_t from = up ? head : tail, to = up ? tail : head;
  std::int64_t sent = 0;
  if (use_at(a, true) != kBoth && find_path(from, to, cell, true))
    sent = send_along(from, to, most);
  add(a, up, sent);
  if (endless_) return false;
  sent = send(from, to, most - sent, cell, check);
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
  start(source_, from, true);
  for (std::size_t next = 0; next < source_.nodes.size(); ++next) {
    const std::uint32_t node = source_.nodes[next];
    if (excess[node] < 0) return node;
    for (std::size_t k = at_[node]; k < enter_[node]; ++k)
      if (mark_[around_[k].node] != source_.mark) reach(source_, around_[k].node, around_[k].arc);
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
  sort_links();
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
