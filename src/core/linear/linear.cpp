#include "linear/linear.hpp"

#include <algorithm>
#include <numeric>

#include "base/deadline.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// The least and the largest sum of a row's entries; entries without a limit are counted apart.
struct Activity {
  WideInt least = 0, most = 0;
  std::size_t open_below = 0, open_above = 0;

  void add(std::int64_t coefficient, std::int64_t lower, std::int64_t upper) {
    const bool up = coefficient > 0;
    const bool open = upper >= kNoLimit;
    add_end(least, open_below, coefficient, up ? lower : upper, open && !up);
    add_end(most, open_above, coefficient, up ? upper : lower, open && up);
  }

 private:
  static void add_end(WideInt& sum, std::size_t& n_open, std::int64_t coefficient,
                      std::int64_t limit, bool open) {
    if (open)
      ++n_open;
    else
      sum += wide_product(coefficient, limit);
  }
};

// What one row says about its cells.
class Narrowing {
 public:
  Narrowing(const LinearSystem& system, std::size_t row) : system_(system), row_(row) {
    for (std::size_t e = system.start[row]; e < system.start[row + 1]; ++e)
      activity_.add(system.coefficient[e], system.lower[system.cell[e]],
                    system.upper[system.cell[e]]);
  }

  bool impossible() const {
    return (activity_.open_above == 0 && activity_.most < system_.row_lower[row_]) ||
           (activity_.open_below == 0 && activity_.least > system_.row_upper[row_]);
  }

  // The limits of the cell of an entry, which may cross.
  void apply(std::size_t entry, std::int64_t& lower, std::int64_t& upper) const {
    const std::int64_t coefficient = system_.coefficient[entry];
    const std::size_t i = system_.cell[entry];
    const WideInt a = coefficient;
    const bool up = coefficient > 0, open = system_.upper[i] >= kNoLimit;
    if (system_.row_upper[row_] < kNoLimit && activity_.open_below == ((open && !up) ? 1u : 0u)) {
      const WideInt own = open && !up ? 0 : a * (up ? system_.lower[i] : system_.upper[i]);
      const WideInt room = system_.row_upper[row_] - (activity_.least - own);
      if (up)
        cap(upper, floor_ratio(room, a));
      else
        raise(lower, ceil_ratio(room, a));
    }
    if (system_.row_lower[row_] > -kNoLimit && activity_.open_above == ((open && up) ? 1u : 0u)) {
      const WideInt own = open && up ? 0 : a * (up ? system_.upper[i] : system_.lower[i]);
      const WideInt need = system_.row_lower[row_] - (activity_.most - own);
      if (up)
        raise(lower, ceil_ratio(need, a));
      else
        cap(upper, floor_ratio(need, a));
    }
  }

 private:
  static void cap(std::int64_t& upper, WideInt limit) {
    if (limit < upper) upper = static_cast<std::int64_t>(std::max<WideInt>(limit, -kNoLimit));
  }
  // Two rows may raise each other's cells without end where there is no upper limit. Beyond the
  // range of limits the cell keeps the limit that it has, so that it never seems fixed.
  static void raise(std::int64_t& lower, WideInt limit) {
    if (limit > lower && limit < kNoLimit / 256) lower = static_cast<std::int64_t>(limit);
  }

  const LinearSystem& system_;
  std::size_t row_;
  Activity activity_;
};

// Rows that wait for a visit, each once.
class Waiting {
 public:
  explicit Waiting(std::size_t n) : queue_(n), waits_(n, true) {
    std::iota(queue_.begin(), queue_.end(), 0u);
  }
  bool empty() const { return at_ == queue_.size(); }
  std::uint32_t take() {
    const std::uint32_t row = queue_[at_++];
    waits_[row] = false;
    if (at_ > 4096 && 2 * at_ > queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(at_));
      at_ = 0;
    }
    return row;
  }
  void add(std::uint32_t row) {
    if (waits_[row]) return;
    waits_[row] = true;
    queue_.push_back(row);
  }

 private:
  std::vector<std::uint32_t> queue_;
  std::vector<bool> waits_;
  std::size_t at_ = 0;
};

bool crossed(const LinearSystem& system) {
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (system.lower[i] > system.upper[i]) return true;
  return false;
}

// Group leaders with path halving.
class CellGroups {
 public:
  explicit CellGroups(std::size_t n) : leader_(n) { std::iota(leader_.begin(), leader_.end(), 0u); }
  std::uint32_t find(std::uint32_t i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { leader_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> leader_;
};

}  // namespace

RowsByCell::RowsByCell(const LinearSystem& system)
    : at(system.n_cells() + 1, 0), row(system.cell.size()) {
  for (std::uint32_t i : system.cell) ++at[i + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  std::vector<std::size_t> next(at.begin(), at.end() - 1);
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      row[next[system.cell[e]]++] = static_cast<std::uint32_t>(r);
}

bool tighten_from(LinearSystem& system, const RowsByCell& rows, std::vector<std::uint32_t>& changed,
                  std::size_t max_visits) {
  std::vector<std::uint32_t> waiting;
  const auto add_rows = [&](std::uint32_t i) {
    for (std::size_t k = rows.at[i]; k < rows.at[i + 1]; ++k) waiting.push_back(rows.row[k]);
  };
  for (std::uint32_t i : changed) add_rows(i);
  for (std::size_t at = 0; at < waiting.size() && at < max_visits; ++at) {
    const std::uint32_t r = waiting[at];
    const Narrowing says(system, r);
    if (says.impossible()) return false;
    const std::size_t before = changed.size();
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      std::int64_t lower = system.lower[i], upper = system.upper[i];
      says.apply(e, lower, upper);
      if (lower > upper) return false;
      if (lower == system.lower[i] && upper == system.upper[i]) continue;
      system.lower[i] = lower;
      system.upper[i] = upper;
      changed.push_back(i);
    }
    for (std::size_t k = before; k < changed.size(); ++k) add_rows(changed[k]);
  }
  return true;
}

bool tighten(LinearSystem& system, const Tick& tick, std::size_t max_visits) {
  if (crossed(system)) return false;
  if (max_visits == 0) max_visits = 1000 * (system.n_rows() + 100);
  const RowsByCell rows(system);
  Waiting waiting(system.n_rows());
  std::vector<std::uint32_t> narrowed;
  for (std::size_t visits = 0; !waiting.empty() && visits < max_visits; ++visits) {
    if (visits % 4096 == 0) report(tick, 0);
    poll_at(64 * visits);
    const std::uint32_t r = waiting.take();
    const Narrowing says(system, r);
    if (says.impossible()) return false;
    narrowed.clear();
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      std::int64_t lower = system.lower[i], upper = system.upper[i];
      says.apply(e, lower, upper);
      if (lower > upper) return false;
      if (lower == system.lower[i] && upper == system.upper[i]) continue;
      system.lower[i] = lower;
      system.upper[i] = upper;
      narrowed.push_back(i);
    }
    for (std::uint32_t i : narrowed)
      for (std::size_t k = rows.at[i]; k < rows.at[i + 1]; ++k) waiting.add(rows.row[k]);
  }
  return true;
}

bool tighten_once(LinearSystem& system) {
  std::vector<std::int64_t> lower = system.lower, upper = system.upper;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    const Narrowing says(system, r);
    if (says.impossible()) return false;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      says.apply(e, lower[system.cell[e]], upper[system.cell[e]]);
  }
  system.lower = std::move(lower);
  system.upper = std::move(upper);
  return !crossed(system);
}

std::vector<Reason> find_reasons(const LinearSystem& system,
                                 const std::vector<std::uint32_t>& cells) {
  std::vector<Reason> out(cells.size());
  std::vector<std::size_t> place(system.n_cells(), SIZE_MAX);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    place[cells[k]] = k;
    out[k].upper = kNoLimit;
  }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    const Narrowing says(system, r);
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::size_t k = place[system.cell[e]];
      if (k == SIZE_MAX) continue;
      std::int64_t lower = 0, upper = kNoLimit;
      says.apply(e, lower, upper);
      if (lower > out[k].lower) {
        out[k].lower = lower;
        out[k].lower_row = r;
      }
      if (upper < out[k].upper) {
        out[k].upper = upper;
        out[k].upper_row = r;
      }
    }
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> components(const LinearSystem& system) {
  const std::size_t n = system.n_cells();
  CellGroups groups(n);
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    std::size_t first = n;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (system.is_fixed(i)) continue;
      if (first == n) first = i;
      groups.join(i, static_cast<std::uint32_t>(first));
    }
  }
  std::vector<std::vector<std::uint32_t>> out;
  std::vector<std::size_t> number(n, n);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (system.is_fixed(i)) continue;
    std::size_t& at = number[groups.find(i)];
    if (at == n) {
      at = out.size();
      out.emplace_back();
    }
    out[at].push_back(i);
  }
  return out;
}

std::vector<LinearSystem> split(const LinearSystem& system,
                                const std::vector<std::vector<std::uint32_t>>& groups) {
  std::vector<LinearSystem> out(groups.size());
  std::vector<std::uint32_t> group(system.n_cells(), UINT32_MAX), place(system.n_cells());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::uint32_t i : groups[g]) {
      group[i] = static_cast<std::uint32_t>(g);
      place[i] = static_cast<std::uint32_t>(out[g].n_cells());
      out[g].lower.push_back(system.lower[i]);
      out[g].upper.push_back(system.upper[i]);
    }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    poll_at(64 * r);
    WideInt held = 0;
    LinearSystem* part = nullptr;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (group[i] == UINT32_MAX) {
        held += wide_product(system.coefficient[e], system.lower[i]);
        continue;
      }
      part = &out[group[i]];
      part->cell.push_back(place[i]);
      part->coefficient.push_back(system.coefficient[e]);
    }
    if (part == nullptr) continue;
    const auto shift = static_cast<std::int64_t>(held);
    const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
    part->start.push_back(part->cell.size());
    part->row_lower.push_back(low <= -kNoLimit ? -kNoLimit : low - shift);
    part->row_upper.push_back(high >= kNoLimit ? kNoLimit : high - shift);
  }
  return out;
}

bool satisfies(const LinearSystem& system, const std::vector<std::int64_t>& x) {
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (x[i] < system.lower[i] || x[i] > system.upper[i]) return false;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    WideInt sum = 0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum += wide_product(system.coefficient[e], x[system.cell[e]]);
    if (sum < system.row_lower[r] || sum > system.row_upper[r]) return false;
  }
  return true;
}

}  // namespace sdclattice
