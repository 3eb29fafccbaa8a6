#include "linear/network_flow.hpp"

#include <algorithm>
#include <numeric>

namespace sdclattice {

namespace {

struct CellEntries {
  std::size_t n = 0;
  std::uint32_t row[2] = {0, 0};
  std::int64_t sign[2] = {0, 0};
};

// The entries of each cell, when none has more than two, all 1 or -1, in different rows.
bool collect_entries(const LinearSystem& system, const std::vector<bool>& aside,
                     std::vector<CellEntries>& cells) {
  cells.assign(system.n_cells(), {});
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    for (std::size_t e = system.start[r]; e < system.start[r + 1] && !aside[r]; ++e) {
      CellEntries& cell = cells[system.cell[e]];
      const std::int64_t a = system.coefficient[e];
      if (cell.n == 2 || (a != 1 && a != -1) || (cell.n == 1 && cell.row[0] == r)) return false;
      cell.row[cell.n] = static_cast<std::uint32_t>(r);
      cell.sign[cell.n++] = a;
    }
  return true;
}

// Rows to set aside so that no cell stands in more than two others: the longest first.
std::vector<bool> crowding_rows(const LinearSystem& system) {
  const auto length = [&](std::size_t r) { return system.start[r + 1] - system.start[r]; };
  std::vector<std::size_t> order(system.n_rows()), n_left(system.n_cells(), 0);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  for (std::uint32_t i : system.cell) ++n_left[i];
  std::vector<bool> aside(system.n_rows(), false);
  for (std::size_t r : order) {
    const auto from = system.cell.begin() + static_cast<std::ptrdiff_t>(system.start[r]);
    const auto to = system.cell.begin() + static_cast<std::ptrdiff_t>(system.start[r + 1]);
    aside[r] = std::any_of(from, to, [&](std::uint32_t i) { return n_left[i] > 2; });
    if (aside[r]) std::for_each(from, to, [&](std::uint32_t i) { --n_left[i]; });
  }
  return aside;
}

// Whether a row that was set aside follows from the others, as the grand total of a two-way table
// does: multipliers of the equations that add up to it. A cell in one row gives that row's, a cell
// in two rows the one from the other; a walk over the rows finds them.
class Multipliers {
 public:
  Multipliers(const LinearSystem& system, const std::vector<CellEntries>& cells,
              const std::vector<bool>& aside)
      : system_(system), cells_(cells), aside_(aside), touching_(system.n_rows()) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (std::size_t k = 0; k < cells[i].n; ++k) touching_[cells[i].row[k]].push_back(i);
  }

  bool imply(std::size_t r) {
    wanted_.assign(cells_.size(), 0);
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      wanted_[system_.cell[e]] = system_.coefficient[e];
    stack_.clear();
    known_.assign(system_.n_rows(), false);
    by_.assign(system_.n_rows(), 0);
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (!aside_[k] && system_.row_lower[k] != system_.row_upper[k] && !set(k, 0)) return false;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].n == 0 && wanted_[i] != 0) return false;
      if (cells_[i].n == 1 && !set(cells_[i].row[0], cells_[i].sign[0] * wanted_[i])) return false;
    }
    if (!walk()) return false;
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (!aside_[k] && !known_[k] && !(set(k, 0) && walk())) return false;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (by_[k] != 0) sum += by_[k] * system_.row_lower[k];
    return sum >= system_.row_lower[r] && sum <= system_.row_upper[r];
  }

 private:
  bool set(std::size_t row, std::int64_t by) {
    if (known_[row]) return by_[row] == by;
    known_[row] = true;
    by_[row] = by;
    stack_.push_back(row);
    return true;
  }
  bool walk() {
    while (!stack_.empty()) {
      const std::size_t row = stack_.back();
      stack_.pop_back();
      for (std::size_t i : touching_[row]) {
        const CellEntries& cell = cells_[i];
        if (cell.n != 2) continue;
        const std::size_t mine = cell.row[0] == row ? 0 : 1;
        const std::int64_t rest = wanted_[i] - cell.sign[mine] * by_[row];
        if (!set(cell.row[1 - mine], cell.sign[1 - mine] * rest)) return false;
      }
    }
    return true;
  }

  const LinearSystem& system_;
  const std::vector<CellEntries>& cells_;
  const std::vector<bool>& aside_;
  std::vector<std::vector<std::size_t>> touching_;
  std::vector<std::int64_t> wanted_, by_;
  std::vector<bool> known_;
  std::vector<std::size_t> stack_;
};

bool all_implied(const LinearSystem& system, const std::vector<CellEntries>& cells,
                 const std::vector<bool>& aside) {
  Multipliers multipliers(system, cells, aside);
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    if (aside[r] && !multipliers.imply(r)) return false;
  return true;
}

// Signs of the rows such that the two entries of each cell are opposite; a walk over the rows.
bool sign_rows(std::size_t n_rows, const std::vector<CellEntries>& cells,
               std::vector<std::int64_t>& sign) {
  std::vector<std::vector<std::size_t>> touching(n_rows);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].n == 2)
      for (std::uint32_t r : cells[i].row) touching[r].push_back(i);
  sign.assign(n_rows, 0);
  std::vector<std::size_t> stack;
  for (std::size_t first = 0; first < n_rows; ++first) {
    if (sign[first] != 0) continue;
    sign[first] = 1;
    stack.assign(1, first);
    while (!stack.empty()) {
      const std::size_t r = stack.back();
      stack.pop_back();
      for (std::size_t i : touching[r]) {
        const CellEntries& cell = cells[i];
        const std::size_t mine = cell.row[0] == r ? 0 : 1;
        const std::size_t other = cell.row[1 - mine];
        const std::int64_t needed = -sign[r] * cell.sign[mine] * cell.sign[1 - mine];
        if (sign[other] == 0) {
          sign[other] = needed;
          stack.push_back(other);
        } else if (sign[other] != needed) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

std::optional<FlowNetwork> FlowNetwork::from(const LinearSystem& system) {
  std::vector<CellEntries> cells;
  std::vector<std::int64_t> sign;
  const std::vector<bool> aside = crowding_rows(system);
  if (!collect_entries(system, aside, cells) || !sign_rows(system.n_rows(), cells, sign) ||
      !all_implied(system, cells, aside))
    return {};
  FlowNetwork out;
  const auto ground = static_cast<std::uint32_t>(system.n_rows());
  out.n_nodes_ = system.n_rows() + 1;
  out.n_cells_ = system.n_cells();
  out.lower_ = system.lower;
  out.upper_ = system.upper;
  for (const CellEntries& cell : cells) {
    Arc arc{ground, ground};
    for (std::size_t k = 0; k < cell.n; ++k)
      (cell.sign[k] * sign[cell.row[k]] > 0 ? arc.head : arc.tail) = cell.row[k];
    out.arcs_.push_back(arc);
  }
  out.demand_.assign(out.n_nodes_, 0);
  for (std::uint32_t r = 0; r < ground; ++r) {
    if (aside[r]) continue;
    const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
    if (low == high) {
      out.demand_[r] = sign[r] * low;
      continue;
    }
    // What the row holds goes on to the ground; with a sign of -1 it comes from there.
    out.arcs_.push_back(sign[r] > 0 ? Arc{r, ground} : Arc{ground, r});
    out.lower_.push_back(low);
    out.upper_.push_back(high);
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
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    around_[next[arcs_[a].tail]++] = a;
    around_[next[arcs_[a].head]++] = a;
  }
  mark_.assign(n_nodes_, 0);
  reached_by_.assign(n_nodes_, 0);
}

std::int64_t FlowNetwork::room(std::size_t arc, bool forward) const {
  if (forward) return upper_[arc] >= kNoLimit ? kNoLimit : upper_[arc] - flow_[arc];
  return lower_[arc] <= -kNoLimit ? kNoLimit : flow_[arc] - lower_[arc];
}

void FlowNetwork::add(std::size_t arc, bool forward, std::int64_t by) {
  flow_[arc] += forward ? by : -by;
}

bool FlowNetwork::find_path(std::size_t from, std::size_t to, std::size_t without) {
  ++round_;
  queue_.assign(1, static_cast<std::uint32_t>(from));
  mark_[from] = round_;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t node = queue_[i];
    for (std::size_t k = at_[node]; k < at_[node + 1]; ++k) {
      const std::size_t a = around_[k];
      if (a == without) continue;
      const bool forward = arcs_[a].tail == node;
      const std::uint32_t next = forward ? arcs_[a].head : arcs_[a].tail;
      if (mark_[next] == round_ || room(a, forward) <= 0) continue;
      mark_[next] = round_;
      reached_by_[next] = a;
      if (next == to) return true;
      queue_.push_back(next);
    }
  }
  return false;
}

std::int64_t FlowNetwork::send(std::size_t from, std::size_t to, std::int64_t most,
                               std::size_t without, const std::function<void()>& check) {
  std::int64_t sent = 0;
  endless_ = false;
  while (sent < most) {
    check();
    if (!find_path(from, to, without)) break;
    std::int64_t by = most - sent;
    const auto walk = [&](const auto& visit) {
      for (std::size_t node = to; node != from;) {
        const std::size_t a = reached_by_[node];
        const bool forward = arcs_[a].head == node;
        visit(a, forward);
        node = forward ? arcs_[a].tail : arcs_[a].head;
      }
    };
    walk([&](std::size_t a, bool forward) { by = std::min(by, room(a, forward)); });
    if (by >= kNoLimit / 2) {
      endless_ = true;
      break;
    }
    walk([&](std::size_t a, bool forward) { add(a, forward, by); });
    sent += by;
  }
  return sent;
}

// Starts with every arc at the limit nearest to 0 and sends what the nodes have too much to those
// that lack it. An arc from a node with too much to one that lacks is filled first.
bool FlowNetwork::solve(const std::function<void()>& check) {
  flow_.resize(arcs_.size());
  std::vector<std::int64_t> excess(n_nodes_);
  for (std::size_t v = 0; v < n_nodes_; ++v) excess[v] = -demand_[v];
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    flow_[a] = std::clamp<std::int64_t>(0, lower_[a], upper_[a]);
    excess[arcs_[a].head] += flow_[a];
    excess[arcs_[a].tail] -= flow_[a];
  }
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    std::int64_t& from = excess[arcs_[a].tail];
    std::int64_t& to = excess[arcs_[a].head];
    const std::int64_t by = std::min({from, -to, room(a, true)});
    if (by <= 0) continue;
    flow_[a] += by;
    from -= by;
    to += by;
  }
  for (std::size_t from = 0; from < n_nodes_; ++from)
    for (std::size_t to = 0; to < n_nodes_ && excess[from] > 0; ++to) {
      if (excess[to] >= 0) continue;
      const std::int64_t by =
          send(from, to, std::min(excess[from], -excess[to]), arcs_.size(), check);
      excess[from] -= by;
      excess[to] += by;
    }
  return std::all_of(excess.begin(), excess.end(), [](std::int64_t x) { return x == 0; });
}

// More through a cell's arc must come back from its head to its tail another way.
bool FlowNetwork::push(std::size_t cell, int sign, const std::function<void()>& check) {
  const Arc arc = arcs_[cell];
  const bool up = sign > 0;
  const std::int64_t most = room(cell, up);
  if (most <= 0) return true;
  if (arc.head == arc.tail) {
    if (most >= kNoLimit) return false;
    add(cell, up, most);
    return true;
  }
  const std::int64_t sent =
      send(up ? arc.head : arc.tail, up ? arc.tail : arc.head, most, cell, check);
  add(cell, up, sent);
  return !endless_;
}

}  // namespace sdclattice
