#include "magnitude/magnitude_redistribute.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <functional>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

struct Holding {
  std::int64_t value;
  std::int32_t holder;
};

// One cell, holdings by value, largest first.
struct HeldCell {
  std::vector<Holding> held;
  std::int64_t total = 0;
  std::int64_t positive = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(held.size()); }

  void refresh() {
    std::stable_sort(held.begin(), held.end(),
                     [](const Holding& a, const Holding& b) { return a.value > b.value; });
    total = positive = 0;
    for (const Holding& h : held) {
      total += h.value;
      positive += h.value > 0;
    }
  }
};

std::vector<std::int64_t> values_of(const HeldCell& cell) {
  std::vector<std::int64_t> out;
  out.reserve(cell.held.size());
  for (const Holding& h : cell.held) out.push_back(h.value);
  return out;
}

class MagnitudeMover {
 public:
  MagnitudeMover(const Contributors& x, const std::vector<SensitivityRule>& rules,
                 const CellMap& map, std::int64_t max_distance)
      : numbers_(x.cell), search_(map, x.cell.size()), max_distance_(max_distance) {
    for (const SensitivityRule& rule : rules) {
      if (rule.kind == RuleKind::threshold) {
        min_count_ = std::max(min_count_, rule.n);
      } else {
        dominance_.push_back(rule);
        min_positive_ = std::max(min_positive_, contributors_needed(rule));
      }
    }
    cells_.resize(x.cell.size());
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      for (std::size_t i = x.start[c]; i < x.start[c + 1]; ++i) {
        if (x.value[i] < 0) throw InputError("Values must not be negative.");
        cells_[c].held.push_back({x.value[i], x.holder[i]});
      }
      cells_[c].refresh();
    }
  }

  // Cells with the fewest contributors first, then the smallest total, then position.
  void move_contributors(const Tick& tick) {
    std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> order;
    for (std::uint32_t c = 0; c < cells_.size(); ++c)
      if (lacks_any(c) || lacks_positive(c))
        order.emplace_back(cells_[c].count(), cells_[c].total, c);
    std::sort(order.begin(), order.end());
    for (const auto& entry : order) {
      report(tick, 0);
      while ((lacks_any(std::get<2>(entry)) || lacks_positive(std::get<2>(entry))) &&
             fetch_contributor(std::get<2>(entry))) {
      }
    }
  }

  // Returns whether it came to an end by itself.
  bool move_values(bool cap, std::int64_t max_steps, const Tick& tick) {
    std::deque<std::uint32_t> queue;
    std::vector<std::uint8_t> waits(cells_.size(), 0);
    const auto wait = [&](std::uint32_t c) {
      if (waits[c] || !mendable(c) || !dominated(values_of(cells_[c]))) return;
      waits[c] = 1;
      queue.push_back(c);
    };
    for (std::uint32_t c = 0; c < cells_.size(); ++c) wait(c);
    for (std::int64_t step = 0; !queue.empty(); ++step) {
      if (step == max_steps) return false;
      report(tick, static_cast<double>(step) / static_cast<double>(max_steps));
      const std::uint32_t c = queue.front();
      queue.pop_front();
      waits[c] = 0;
      // what it was given while it waited may have mended it
      if (!dominated(values_of(cells_[c]))) continue;
      CellSearch::Found to{};
      const bool there = search_.nearest(
          c, max_distance_, [&](std::uint32_t d) { return mendable(d); },
          [&](std::uint32_t d) { return smallest_positive(d); }, to);
      if (!there) continue;
      const std::int64_t excess = cap ? lower_to_cap(c) : scale_by_rule(c);
      spread(to.cell, excess);
      moves_.push_back({false, c, to.cell, excess, to.distance});
      wait(c);
      wait(to.cell);
    }
    return true;
  }

  Contributors contributors() const {
    Contributors out;
    out.cell = numbers_;
    for (const HeldCell& cell : cells_) {
      for (const Holding& h : cell.held) {
        out.value.push_back(h.value);
        out.holder.push_back(h.holder);
      }
      out.start.push_back(out.value.size());
    }
    return out;
  }

  std::vector<MagnitudeMove> take_moves() { return std::move(moves_); }

 private:
  bool lacks_any(std::uint32_t c) const { return cells_[c].count() < min_count_; }
  bool lacks_positive(std::uint32_t c) const {
    return cells_[c].total > 0 && cells_[c].positive < min_positive_;
  }
  // Its values can be changed so that no rule of dominance fires, and it can take more.
  bool mendable(std::uint32_t c) const { return cells_[c].total > 0 && !lacks_positive(c); }

  bool dominated(const std::vector<std::int64_t>& values) const {
    const CellView view = view_cell(values.data(), values.size());
    return std::any_of(dominance_.begin(), dominance_.end(),
                       [&](const SensitivityRule& rule) { return fires(rule, view); });
  }

  std::int64_t smallest_positive(std::uint32_t c) const {
    return cells_[c].held[static_cast<std::size_t>(cells_[c].positive - 1)].value;
  }

  // The holding that a cell would give: its smallest, or smallest above 0.
  std::size_t spare_holding(std::uint32_t c, bool positive) const {
    return static_cast<std::size_t>(positive ? cells_[c].positive : cells_[c].count()) - 1;
  }

  bool can_spare(std::uint32_t c, bool positive) const {
    const HeldCell& cell = cells_[c];
    if (cell.count() <= min_count_ || cell.count() < 2) return false;
    if (positive && cell.positive == 0) return false;
    const bool gives_positive = cell.held[spare_holding(c, positive)].value > 0;
    return !gives_positive || (cell.positive > min_positive_ && cell.positive > 1);
  }

  bool fetch_contributor(std::uint32_t c) {
    const bool positive = lacks_positive(c);
    CellSearch::Found from{};
    const bool there = search_.nearest(
        c, max_distance_, [&](std::uint32_t d) { return can_spare(d, positive); },
        [&](std::uint32_t d) { return cells_[d].held[spare_holding(d, positive)].value; }, from);
    if (!there) return false;
    HeldCell& donor = cells_[from.cell];
    const auto which =
        donor.held.begin() + static_cast<std::ptrdiff_t>(spare_holding(from.cell, positive));
    const Holding moved = *which;
    donor.held.erase(which);
    donor.refresh();
    cells_[c].held.push_back(moved);
    cells_[c].refresh();
    moves_.push_back({true, from.cell, c, moved.value, from.distance});
    return true;
  }

  // The largest level L such that no rule of dominance fires when all values are at most L. The
  // rules are monotone in L: shares of the largest fall with it, and the rest over L grows. L is at
  // least 1, as the cell has contributors enough. Returns what was cut off.
  std::int64_t lower_to_cap(std::uint32_t c) {
    const std::vector<std::int64_t> values = values_of(cells_[c]);
    const auto holds = [&](std::int64_t level) {
      std::vector<std::int64_t> capped(values);
      for (std::int64_t& v : capped) v = std::min(v, level);
      return !dominated(capped);
    };
    std::int64_t low = 1, high = values[0];
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (holds(middle) ? low : high) = middle;
    }
    const std::int64_t before = cells_[c].total;
    for (Holding& h : cells_[c].held) h.value = std::min(h.value, low);
    cells_[c].refresh();
    return before - cells_[c].total;
  }

  // The source's step for the first rule that fires: its largest values are scaled, all by one
  // ratio, until the rule just does not fire.
  std::int64_t scale_by_rule(std::uint32_t c) {
    const std::vector<std::int64_t> values = values_of(cells_[c]);
    const CellView view = view_cell(values.data(), values.size());
    const auto rule = std::find_if(dominance_.begin(), dominance_.end(),
                                   [&](const SensitivityRule& r) { return fires(r, view); });
    const bool share = rule->kind == RuleKind::nk;
    const std::size_t n = share ? static_cast<std::size_t>(rule->n) : 1;
    std::int64_t top = 0;
    for (std::size_t i = 0; i < n && i < values.size(); ++i) top += values[i];
    const std::int64_t second = !share && values.size() > 1 ? values[1] : 0;
    const WideInt rest = cells_[c].total - top - second;
    const WideInt target = share ? rest * rule->percent / (kWholePercent - rule->percent)
                                 : rest * kWholePercent / rule->percent;
    const std::int64_t before = cells_[c].total;
    for (std::size_t i = 0; i < n && i < values.size(); ++i)
      cells_[c].held[i].value = static_cast<std::int64_t>(values[i] * target / top);
    cells_[c].refresh();
    return before - cells_[c].total;
  }

  // In proportion, rounded down; the units that are left over go to the smallest, one by one.
  void spread(std::uint32_t c, std::int64_t excess) {
    HeldCell& cell = cells_[c];
    const std::int64_t total = cell.total;
    std::int64_t left = excess;
    using Entry = std::pair<std::int64_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> smallest;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cell.positive); ++i) {
      Holding& h = cell.held[i];
      const auto more = static_cast<std::int64_t>(wide_product(excess, h.value) / total);
      h.value += more;
      left -= more;
      smallest.emplace(h.value, i);
    }
    for (; left > 0; --left) {
      const Entry first = smallest.top();
      smallest.pop();
      ++cell.held[first.second].value;
      smallest.emplace(first.first + 1, first.second);
    }
    cell.refresh();
    assert(cell.total == total + excess);
  }

  std::vector<std::int64_t> numbers_;
  CellSearch search_;
  std::int64_t max_distance_;
  std::int64_t min_count_ = 0;
  std::int64_t min_positive_ = 0;
  std::vector<SensitivityRule> dominance_;
  std::vector<HeldCell> cells_;
  std::vector<MagnitudeMove> moves_;
};

}  // namespace

RedistributedMagnitude redistribute_magnitude(const Contributors& x,
                                              const std::vector<SensitivityRule>& rules,
                                              const CellMap& map, bool cap,
                                              std::int64_t max_distance, std::int64_t max_steps,
                                              const Tick& tick) {
  MagnitudeMover mover(x, rules, map, max_distance);
  RedistributedMagnitude out;
  mover.move_contributors(tick);
  out.settled = mover.move_values(cap, max_steps, tick);
  out.contributors = mover.contributors();
  out.moves = mover.take_moves();
  return out;
}

}  // namespace sdclattice
