#include "fibre/diagram.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kForgotten = std::numeric_limits<std::int64_t>::min();

struct Entry {
  std::uint32_t row;
  std::int64_t coefficient;
};

// The entries of each cell, and what each row can still get from cells that were not taken.
struct Reach {
  std::vector<std::vector<Entry>> of_cell;
  std::vector<std::int64_t> least, most;  // a row each, over the cells to come
  std::vector<std::size_t> left;          // a row each: cells to come

  explicit Reach(const LinearSystem& part)
      : of_cell(part.n_cells()),
        least(part.n_rows(), 0),
        most(part.n_rows(), 0),
        left(part.n_rows(), 0) {
    for (std::uint32_t r = 0; r < part.n_rows(); ++r)
      for (std::size_t e = part.start[r]; e < part.start[r + 1]; ++e) {
        of_cell[part.cell[e]].push_back({r, part.coefficient[e]});
        change(r, part.coefficient[e] * part.upper[part.cell[e]], 1);
        ++left[r];
      }
  }
  void take(std::uint32_t cell, const LinearSystem& part) {
    for (const Entry& e : of_cell[cell]) {
      change(e.row, e.coefficient * part.upper[cell], -1);
      --left[e.row];
    }
  }

 private:
  void change(std::uint32_t row, std::int64_t most_of_cell, int sign) {
    (most_of_cell < 0 ? least : most)[row] += sign * most_of_cell;
  }
};

// An order of the cells that keeps the product of the sums of the open rows small.
class Ordering {
 public:
  explicit Ordering(const LinearSystem& part) : part_(part), all_(part) {}

  std::vector<std::uint32_t> best() {
    const std::size_t n = part_.n_cells();
    const std::size_t n_starts = n > 2000 ? 1 : std::min<std::size_t>(n, n > 200 ? 4 : 16);
    std::vector<std::uint32_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < n_starts; ++k) {
      const double size = greedy(static_cast<std::uint32_t>(k * n / n_starts));
      if (size >= least) continue;
      least = size;
      best = order_;
    }
    return best;
  }

 private:
  // Returns the logarithm of the estimated number of nodes.
  double greedy(std::uint32_t first) {
    left_ = all_.left;
    least_.assign(part_.n_rows(), 0);
    most_.assign(part_.n_rows(), 0);
    size_.assign(part_.n_rows(), 0);
    order_.clear();
    std::vector<char> taken(part_.n_cells(), 0);
    double open = 0, nodes = 0;
    for (std::uint32_t next = first; order_.size() < part_.n_cells();) {
      open += take(next);
      taken[next] = 1;
      order_.push_back(next);
      nodes += std::exp(std::min(open, 600.0));
      double best = std::numeric_limits<double>::infinity();
      for (std::uint32_t c = 0; c < part_.n_cells(); ++c) {
        if (taken[c]) continue;
        const double change = growth(c);
        if (change < best) best = change, next = c;
      }
    }
    return std::log(nodes);
  }

  // Logarithm of the number of sums that the row can have when the cell has been taken as well.
  double row_size(const Entry& e, std::int64_t upper, std::size_t left) const {
    if (left == 0) return 0;
    const std::int64_t own = e.coefficient * upper;
    const std::int64_t least = least_[e.row] + std::min<std::int64_t>(own, 0),
                       most = most_[e.row] + std::max<std::int64_t>(own, 0);
    // What can still be reached must fit between the limits.
    const std::int64_t low = std::max(least, part_.row_lower[e.row] - (all_.most[e.row] - most)),
                       high = std::min(most, part_.row_upper[e.row] - (all_.least[e.row] - least));
    return std::log(std::max(1.0, static_cast<double>(high - low + 1)));
  }
  double growth(std::uint32_t cell) const {
    double change = 0;
    for (const Entry& e : all_.of_cell[cell])
      change += row_size(e, part_.upper[cell], left_[e.row] - 1) - size_[e.row];
    return change;
  }
  double take(std::uint32_t cell) {
    double change = 0;
    for (const Entry& e : all_.of_cell[cell]) {
      const double size = row_size(e, part_.upper[cell], --left_[e.row]);
      change += size - size_[e.row];
      size_[e.row] = size;
      const std::int64_t own = e.coefficient * part_.upper[cell];
      (own < 0 ? least_ : most_)[e.row] += own;
    }
    return change;
  }

  const LinearSystem& part_;
  Reach all_;
  std::vector<std::size_t> left_;
  std::vector<std::int64_t> least_, most_;
  std::vector<double> size_;
  std::vector<std::uint32_t> order_;
};

// What a step from one layer to the next does to the open sums.
class Step {
 public:
  // `open`: the open rows before, ascending; afterwards those after it.
  Step(const LinearSystem& part, Reach& reach, std::uint32_t cell, std::vector<std::uint32_t>& open)
      : part_(part), reach_(reach), upper_(part.upper[cell]) {
    for (const Entry& e : reach.of_cell[cell])
      if (std::find(open.begin(), open.end(), e.row) == open.end()) open.push_back(e.row);
    n_before_ = open.size();
    before_ = open;
    coefficient_.assign(open.size(), 0);
    for (const Entry& e : reach.of_cell[cell])
      coefficient_[static_cast<std::size_t>(std::find(open.begin(), open.end(), e.row) -
                                            open.begin())] = e.coefficient;
    reach.take(cell, part);
    for (std::size_t k = 0; k < open.size(); ++k)
      if (reach.left[open[k]] > 0) kept_.push_back(k);
    open.clear();
    for (std::size_t k : kept_) open.push_back(before_[k]);
    sum_.resize(n_before_);
    key_.resize(kept_.size());
  }

  std::size_t width_after() const { return kept_.size(); }

  // The values that keep every row within reach: none if first > last.
  void range(const std::uint64_t* key, std::size_t width, std::int64_t& first, std::int64_t& last) {
    assert(width <= n_before_);
    std::copy(key, key + width, sum_.begin());
    std::fill(sum_.begin() + static_cast<std::ptrdiff_t>(width), sum_.end(), 0);
    first = 0;
    last = upper_;
    for (std::size_t k = 0; k < n_before_; ++k) {
      const std::int64_t a = coefficient_[k];
      if (a == 0 || sum_[k] == kForgotten) continue;
      const std::uint32_t row = before_[k];
      const std::int64_t low = part_.row_lower[row] - reach_.most[row] - sum_[k],
                         high = part_.row_upper[row] - reach_.least[row] - sum_[k];
      first = std::max(first, a > 0 ? -floor_ratio(-low, a) : -floor_ratio(high, -a));
      last = std::min(last, a > 0 ? floor_ratio(high, a) : floor_ratio(-low, -a));
    }
  }

  // The sums after value x, for the node that range() was asked about last.
  const std::uint64_t* key(std::int64_t x) {
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const std::size_t at = kept_[k];
      const std::uint32_t row = before_[at];
      std::int64_t sum = sum_[at];
      if (sum != kForgotten) {
        sum += coefficient_[at] * x;
        if (sum + reach_.least[row] >= part_.row_lower[row] &&
            sum + reach_.most[row] <= part_.row_upper[row])
          sum = kForgotten;
      }
      key_[k] = static_cast<std::uint64_t>(sum);
    }
    return key_.data();
  }

 private:
  const LinearSystem& part_;
  const Reach& reach_;
  std::int64_t upper_;
  std::size_t n_before_;
  std::vector<std::uint32_t> before_;
  std::vector<std::int64_t> coefficient_, sum_;
  std::vector<std::uint64_t> key_;
  std::vector<std::size_t> kept_;
};

}  // namespace

Diagram::Diagram(const LinearSystem& part, const FibreLimits& limits, const Tick& tick)
    : n_cells_(part.n_cells()) {
  if (n_cells_ > 20000) throw TooLargeError("The diagram would have too many layers.");
  const std::vector<std::uint32_t> order = Ordering(part).best();
  Reach reach(part);
  std::vector<std::uint32_t> open;
  KeyNumbers<> now(0);
  now.number(nullptr);
  const double most = std::min(limits.states, 4e9);  // nodes have numbers of 32 bits
  double used = 0;
  for (std::size_t t = 0; t < order.size(); ++t) {
    const double done = static_cast<double>(t) / static_cast<double>(order.size());
    const std::size_t width = open.size();
    Step step(part, reach, order[t], open);
    KeyNumbers<> next(step.width_after());
    layer_.push_back({order[t], {0}, {}, {}, {}});
    Layer& layer = layer_.back();
    for (std::size_t i = 0; i < now.size(); ++i) {
      std::int64_t first, last;
      step.range(now.key(i), width, first, last);
      // Before anything is made: one node alone may have arcs beyond the limit.
      used += 8 + static_cast<double>(std::max<std::int64_t>(0, last - first + 1));
      if (used > most)
        throw TooLargeError("The diagram of the constraints holds more than the limit of " +
                            power_of_ten(limits.states) + " nodes and arcs.");
      layer.first_value.push_back(first);
      for (std::int64_t x = first; x <= last; ++x) {
        if (layer.child.size() % 65536 == 0) report(tick, done);
        layer.child.push_back(next.number(step.key(x)));
      }
      layer.first_arc.push_back(layer.child.size());
      if (i % 4096 == 0) report(tick, done);
    }
    now = std::move(next);
  }
  assert(open.empty() && now.size() <= 1);  // no row is left, so that all endings are alike
}

const BigCount& Diagram::endings(std::size_t t, std::uint32_t node) const {
  return t == layer_.size() ? one_ : layer_[t].endings[node];
}

BigCount Diagram::count(const Tick& tick) {
  for (std::size_t t = layer_.size(); t-- > 0;) {
    Layer& layer = layer_[t];
    if (!layer.endings.empty()) break;
    report(tick, 0);
    layer.endings.resize(layer.n_nodes());
    for (std::size_t i = 0; i < layer.n_nodes(); ++i)
      for (std::uint64_t e = layer.first_arc[i]; e < layer.first_arc[i + 1]; ++e)
        layer.endings[i] += endings(t + 1, layer.child[e]);
  }
  if (layer_.empty()) return 1;
  return layer_[0].endings.empty() ? none_ : layer_[0].endings[0];
}

std::vector<CellWays> Diagram::laws(const std::vector<std::uint32_t>& cells, const Tick& tick) {
  count(tick);
  std::vector<std::size_t> asked(n_cells_, cells.size());
  for (std::size_t q = 0; q < cells.size(); ++q) asked[cells[q]] = q;
  std::vector<CellWays> out(cells.size());
  std::vector<BigCount> now{1}, next;
  for (std::size_t t = 0; t < layer_.size(); ++t) {
    report(tick, static_cast<double>(t) / static_cast<double>(layer_.size()));
    const Layer& layer = layer_[t];
    next.assign(t + 1 < layer_.size() ? layer_[t + 1].n_nodes() : 1, 0);
    const std::size_t q = asked[layer.cell];
    for (std::size_t i = 0; i < layer.n_nodes(); ++i) {
      if (now[i] == 0 || layer.endings[i] == 0) continue;
      for (std::uint64_t e = layer.first_arc[i]; e < layer.first_arc[i + 1]; ++e) {
        const std::uint32_t to = layer.child[e];
        next[to] += now[i];
        if (q == cells.size()) continue;
        const auto x = static_cast<std::size_t>(layer.first_value[i]) + (e - layer.first_arc[i]);
        if (out[q].size() <= x) out[q].resize(x + 1);
        out[q][x] += now[i] * endings(t + 1, to);
      }
    }
    std::swap(now, next);
  }
  return out;
}

void Diagram::draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) {
  count(tick);
  std::uint32_t node = 0;
  for (std::size_t t = 0; t < layer_.size(); ++t) {
    const Layer& layer = layer_[t];
    assert(layer.endings[node] > 0);
    BigCount chosen = draw_below(layer.endings[node], random);
    std::uint64_t e = layer.first_arc[node];
    for (; chosen >= endings(t + 1, layer.child[e]); ++e) chosen -= endings(t + 1, layer.child[e]);
    assert(e < layer.first_arc[node + 1]);
    x[layer.cell] = layer.first_value[node] + static_cast<std::int64_t>(e - layer.first_arc[node]);
    node = layer.child[e];
  }
}

void Diagram::enumerate(const std::function<void(const std::vector<std::int64_t>&)>& visit) const {
  std::vector<std::int64_t> x(n_cells_);
  walk(0, 0, x, visit);
}

void Diagram::walk(std::size_t t, std::uint32_t node, std::vector<std::int64_t>& x,
                   const std::function<void(const std::vector<std::int64_t>&)>& visit) const {
  if (t == layer_.size()) return visit(x);
  const Layer& layer = layer_[t];
  assert(layer.endings.size() == layer.n_nodes());  // count() comes first
  if (layer.endings[node] == 0) return;
  for (std::uint64_t e = layer.first_arc[node]; e < layer.first_arc[node + 1]; ++e) {
    x[layer.cell] = layer.first_value[node] + static_cast<std::int64_t>(e - layer.first_arc[node]);
    walk(t + 1, layer.child[e], x, visit);
  }
}

}  // namespace sdclattice
