#include "linear/presolve_rows.hpp"

#include <algorithm>
#include <numeric>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

void PresolveRows::no_solution() {
  throw InfeasibleError("No table of whole numbers satisfies all constraints.");
}

std::int64_t PresolveRows::limited(WideInt x) {
  if (x >= kNoLimit || x <= -kNoLimit)
    throw TooLargeError("The limits of the constraints add up to more than 2^61.");
  return static_cast<std::int64_t>(x);
}

PresolveRows::PresolveRows(const LinearSystem& system) {
  number_.assign(system.n_cells(), kFixed);
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    poll_at(i);
    if (system.lower[i] > system.upper[i]) no_solution();
    if (system.is_fixed(i)) continue;
    number_[i] = static_cast<std::uint32_t>(lower_.size());
    lower_.push_back(system.lower[i]);
    upper_.push_back(system.upper[i]);
  }
  const std::size_t n = lower_.size();
  link_.resize(n);
  for (std::uint32_t u = 0; u < n; ++u) link_[u] = {u, 1, 0};
  next_.resize(n);
  std::iota(next_.begin(), next_.end(), std::uint32_t{0});
  count_.assign(n, 1);
  place_.assign(n, 0);
  read_rows(system);
  index_columns();
}

void PresolveRows::read_rows(const LinearSystem& system) {
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    poll_at(r);
    if (system.row_lower[r] > system.row_upper[r]) no_solution();
    WideInt held = 0;
    const std::size_t first = unknown_.size();
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (number_[i] == kFixed) {
        held += wide_product(system.coefficient[e], system.lower[i]);
        continue;
      }
      unknown_.push_back(number_[i]);
      coefficient_.push_back(system.coefficient[e]);
    }
    if (unknown_.size() == first) {
      if (held < system.row_lower[r] || held > system.row_upper[r]) no_solution();
      continue;
    }
    start_.push_back(first);
    length_.push_back(static_cast<std::uint32_t>(unknown_.size() - first));
    row_lower_.push_back(system.row_lower[r]);
    row_upper_.push_back(system.row_upper[r]);
    shift_limits(static_cast<std::uint32_t>(row_lower_.size() - 1), held);
  }
  alive_.assign(n_rows(), true);
  waits_.assign(n_rows(), false);
  stale_.assign(n_rows(), true);  // a cell may stand in a row more than once
  visits_.assign(n_rows(), 0);
}

void PresolveRows::index_columns() {
  at_.assign(n_unknowns() + 1, 0);
  for (const std::uint32_t u : unknown_) ++at_[u + 1];
  std::partial_sum(at_.begin(), at_.end(), at_.begin());
  row_of_.resize(unknown_.size());
  std::vector<std::size_t> next(at_.begin(), at_.end() - 1);
  for (std::uint32_t r = 0; r < n_rows(); ++r)
    for (std::size_t e = start_[r]; e < start_[r] + length_[r]; ++e)
      row_of_[next[unknown_[e]]++] = r;
}

// The unknown that stands for this one; the way there gets shorter.
PresolveRows::Link PresolveRows::find(std::uint32_t u) {
  Link& mine = link_[u];
  for (;;) {
    const Link& above = link_[mine.parent];
    if (above.parent == mine.parent) return mine;
    mine = {above.parent, mine.sign * above.sign,
            limited(WideInt{mine.sign} * above.shift + mine.shift)};
  }
}

PresolveRows::Image PresolveRows::image(const LinearSystem& system, std::size_t cell) {
  if (number_[cell] == kFixed) return {kFixed, 0, system.lower[cell]};
  const Link link = find(number_[cell]);
  if (stands(link.parent)) return {link.parent, link.sign, link.shift};
  return {kFixed, 0, link.sign * lower_[link.parent] + link.shift};
}

void PresolveRows::wait(std::uint32_t row) {
  if (waits_[row] || !alive_[row]) return;
  waits_[row] = true;
  queue_.push_back(row);
}

// Rows of all unknowns that this one stands for wait for a visit.
void PresolveRows::wake_rows(std::uint32_t unknown, bool are_stale, std::uint32_t but) {
  std::uint32_t u = unknown;
  do {
    for (std::size_t k = at_[u]; k < at_[u + 1]; ++k) {
      const std::uint32_t r = row_of_[k];
      if (are_stale) stale_[r] = true;
      if (r != but) wait(r);
    }
    u = next_[u];
  } while (u != unknown);
}

void PresolveRows::settle(const Tick& tick) {
  if (queue_.empty())
    for (std::uint32_t r = 0; r < n_rows(); ++r) wait(r);
  for (std::size_t k = 0, steps = 0; k < queue_.size(); ++k, ++steps) {
    if (steps % 4096 == 0) report(tick, 0);
    poll_at(64 * steps);
    const std::uint32_t r = queue_[k];
    waits_[r] = false;
    if (k >= 65536 && 2 * k > queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(k + 1));
      k = SIZE_MAX;
    }
    visit(r);
  }
  queue_.clear();
}

void PresolveRows::visit(std::uint32_t row) {
  // What the row fixes leaves it at once.
  for (bool first = true; alive_[row] && (first || stale_[row]); first = false) {
    if (stale_[row]) substitute(row);
    narrow(row);
  }
  if (alive_[row] && length_[row] == 2 && is_equation(row)) merge(row);
}

void PresolveRows::shift_limits(std::uint32_t row, WideInt by) {
  std::int64_t &low = row_lower_[row], &high = row_upper_[row];
  if (low > -kNoLimit) low = limited(low - by);
  if (high < kNoLimit) high = limited(high - by);
}

// Every entry becomes one of the unknown that stands for it; equal ones are added.
void PresolveRows::substitute(std::uint32_t row) {
  stale_[row] = false;
  WideInt held = 0;
  const std::size_t first = start_[row];
  std::size_t end = first;
  for (std::size_t e = first; e < first + length_[row]; ++e) {
    const Link link = find(unknown_[e]);
    const std::uint32_t u = link.parent;
    const std::int64_t a = coefficient_[e];
    held += wide_product(a, link.shift);
    if (lower_[u] == upper_[u]) {
      held += wide_product(link.sign * a, lower_[u]);
      continue;
    }
    // `place_` is right only if that place of this row, as far as it is written, holds u.
    std::size_t at = first + place_[u];
    if (at >= end || unknown_[at] != u) {
      at = end++;
      place_[u] = static_cast<std::uint32_t>(at - first);
      unknown_[at] = u;
      coefficient_[at] = 0;
    }
    coefficient_[at] = checked_sum(coefficient_[at], link.sign * a, "A coefficient is too large.");
  }
  std::size_t kept = first;
  for (std::size_t e = first; e < end; ++e) {
    if (coefficient_[e] == 0) continue;
    unknown_[kept] = unknown_[e];
    coefficient_[kept++] = coefficient_[e];
  }
  length_[row] = static_cast<std::uint32_t>(kept - first);
  shift_limits(row, held);
  divide(row);
}

// By the greatest common divisor of the coefficients; limits are rounded inwards.
void PresolveRows::divide(std::uint32_t row) {
  std::int64_t by = 0;
  for (std::size_t k = 0; k < length_[row] && by != 1; ++k)
    by = std::gcd(by, coefficient_[start_[row] + k]);
  if (by <= 1) return;
  for (std::size_t k = 0; k < length_[row]; ++k) coefficient_[start_[row] + k] /= by;
  std::int64_t &low = row_lower_[row], &high = row_upper_[row];
  if (low > -kNoLimit) low = ceil_ratio(low, by);
  if (high < kNoLimit) high = floor_ratio(high, by);
  if (low > high) no_solution();
}

// a x + b y = c with a and b 1 or -1: the unknown that stands for fewer goes.
void PresolveRows::merge(std::uint32_t row) {
  const std::size_t e = start_[row];
  const std::int64_t a = coefficient_[e], b = coefficient_[e + 1], c = row_lower_[row];
  if (magnitude(a) != 1 || magnitude(b) != 1) return;
  const bool second_goes = count_[unknown_[e + 1]] <= count_[unknown_[e]];
  const std::uint32_t gone = unknown_[e + (second_goes ? 1 : 0)];
  const std::uint32_t kept = unknown_[e + (second_goes ? 0 : 1)];
  const auto sign = static_cast<std::int32_t>(-a * b);
  const std::int64_t shift = (second_goes ? b : a) * c;
  // gone = sign * kept + shift, so kept = sign * (gone - shift).
  WideInt low = WideInt{lower_[gone]} - shift;
  WideInt high = upper_[gone] >= kNoLimit ? kFree : WideInt{upper_[gone]} - shift;
  if (sign < 0) {
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  bool changed = false;
  limit(kept, low, high, changed);
  alive_[row] = false;
  wake_rows(gone, true, row);
  if (changed) wake_rows(kept, lower_[kept] == upper_[kept], row);
  link_[gone] = {kept, sign, shift};
  std::swap(next_[gone], next_[kept]);
  count_[kept] += count_[gone];
}

// ---- equal rows --------------------------------------------------------------------------------

// By unknown; the first coefficient of a row is positive.
void PresolveRows::sort_entries(std::uint32_t row) {
  const std::size_t first = start_[row], n = length_[row];
  std::vector<std::pair<std::uint32_t, std::int64_t>> entries(n);
  for (std::size_t k = 0; k < n; ++k) entries[k] = {unknown_[first + k], coefficient_[first + k]};
  std::sort(entries.begin(), entries.end());
  const std::int64_t sign = entries[0].second < 0 ? -1 : 1;
  for (std::size_t k = 0; k < n; ++k) {
    unknown_[first + k] = entries[k].first;
    coefficient_[first + k] = sign * entries[k].second;
  }
  if (sign > 0) return;
  const std::int64_t low = row_lower_[row];
  row_lower_[row] = -row_upper_[row];
  row_upper_[row] = -low;
}

bool PresolveRows::drop_equal_rows() {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (std::uint32_t r = 0; r < n_rows(); ++r) {
    if (!alive_[r]) continue;
    poll_at(16 * order.size());
    sort_entries(r);
    std::uint64_t hash = length_[r];
    for (std::size_t e = start_[r]; e < start_[r] + length_[r]; ++e)
      hash = hash_word(
          hash ^ hash_word(unknown_[e] + (static_cast<std::uint64_t>(coefficient_[e]) << 32)));
    order.emplace_back(hash, r);
  }
  std::sort(order.begin(), order.end());
  bool more = false;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t m = k + 1; m < order.size() && order[m].first == order[k].first; ++m)
      more |= alive_[order[k].second] && unite_equal(order[k].second, order[m].second);
  return more;
}

// Whether rows are the same, and the limits of the one that stays became narrower.
bool PresolveRows::unite_equal(std::uint32_t kept, std::uint32_t other) {
  const auto n = length_[kept];
  if (!alive_[other] || length_[other] != n ||
      !std::equal(unknowns(kept), unknowns(kept) + n, unknowns(other)) ||
      !std::equal(coefficients(kept), coefficients(kept) + n, coefficients(other)))
    return false;
  alive_[other] = false;
  const std::int64_t low = std::max(row_lower_[kept], row_lower_[other]);
  const std::int64_t high = std::min(row_upper_[kept], row_upper_[other]);
  if (low > high) no_solution();
  const bool changed = low != row_lower_[kept] || high != row_upper_[kept];
  row_lower_[kept] = low;
  row_upper_[kept] = high;
  if (changed) wait(kept);
  return changed;
}

}  // namespace sdclattice
