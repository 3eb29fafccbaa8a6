// What a row says about the limits of its unknowns.
#include <algorithm>
#include <numeric>

#include "linear/presolve_rows.hpp"
#include "linear/remainder.hpp"

namespace sdclattice {

namespace {

// Visits of a row that may narrow limits.
constexpr std::uint8_t kMostNarrowings = 60;

// Lower limits that narrowing gives stay below, as the limits of a system do.
constexpr WideInt kMostRaised = kNoLimit / 256;

}  // namespace

// The least and the largest sum of a row; entries without a limit are counted apart.
struct PresolveRows::Activity {
  WideInt least = 0, most = 0;
  std::size_t open_below = 0, open_above = 0;

  void add(std::int64_t a, std::int64_t lower, std::int64_t upper) {
    const bool is_open = upper >= kNoLimit;
    const WideInt down = wide_product(a, lower), up = is_open ? 0 : wide_product(a, upper);
    least += a > 0 ? down : up;
    most += a > 0 ? up : down;
    open_below += is_open && a < 0;
    open_above += is_open && a > 0;
  }
};

void PresolveRows::narrow(std::uint32_t row) {
  const std::size_t first = start_[row], end = first + length_[row];
  Activity activity;
  for (std::size_t e = first; e < end; ++e)
    activity.add(coefficient_[e], lower_[unknown_[e]], upper_[unknown_[e]]);
  const bool high_holds = activity.open_above == 0 && activity.most <= row_upper_[row];
  const bool low_holds = activity.open_below == 0 && activity.least >= row_lower_[row];
  if ((activity.open_above == 0 && activity.most < row_lower_[row]) ||
      (activity.open_below == 0 && activity.least > row_upper_[row]))
    no_solution();
  if ((high_holds || row_upper_[row] >= kNoLimit) && (low_holds || row_lower_[row] <= -kNoLimit)) {
    alive_[row] = false;  // the limits of its cells say it all
    return;
  }
  const bool is_single = length_[row] == 1;
  if (!is_single && visits_[row] >= kMostNarrowings) return;
  ++visits_[row];
  bool changed = false;
  for (std::size_t e = first; e < end; ++e) changed |= narrow_entry(row, e, activity);
  if (is_single) {
    alive_[row] = false;
    return;
  }
  // With coefficients of 1 and -1 a row says all at once.
  const bool is_plain = std::all_of(coefficient_.begin() + static_cast<std::ptrdiff_t>(first),
                                    coefficient_.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](std::int64_t a) { return magnitude(a) == 1; });
  if (!is_plain && is_equation(row)) changed |= skip_remainders(row);
  if (changed && !is_plain) wait(row);
}

// By the divisor that the coefficients of all others have in common.
bool PresolveRows::skip_remainders(std::uint32_t row) {
  const std::size_t first = start_[row], end = first + length_[row];
  bool changed = false;
  for (std::size_t e = first; e < end; ++e) {
    std::int64_t divisor = 0;
    for (std::size_t o = first; o < end && divisor != 1; ++o)
      if (o != e) divisor = std::gcd(divisor, coefficient_[o]);
    const std::uint32_t u = unknown_[e];
    std::int64_t lower = lower_[u], upper = upper_[u];
    skip_to_remainder(row_lower_[row], coefficient_[e], divisor, lower, upper);
    bool moved = false;
    limit(u, lower, upper, moved);
    if (moved) wake_rows(u, lower_[u] == upper_[u], row);
    changed |= moved;
  }
  return changed;
}

bool PresolveRows::narrow_entry(std::uint32_t row, std::size_t entry, const Activity& activity) {
  const std::int64_t a = coefficient_[entry];
  const std::uint32_t u = unknown_[entry];
  const bool is_up = a > 0, is_open = upper_[u] >= kNoLimit;
  const WideInt size = magnitude(a), own_low = wide_product(a, lower_[u]),
                own_high = is_open ? 0 : wide_product(a, upper_[u]);
  WideInt low = -kFree * size, high = kFree * size;  // of the entry
  if (row_upper_[row] < kNoLimit && activity.open_below == (is_open && !is_up ? 1u : 0u))
    high = row_upper_[row] - (activity.least - (is_up ? own_low : own_high));
  if (row_lower_[row] > -kNoLimit && activity.open_above == (is_open && is_up ? 1u : 0u))
    low = row_lower_[row] - (activity.most - (is_up ? own_high : own_low));
  if (!is_up) {
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  if (size != 1) {
    low = ceil_ratio(low, size);
    high = floor_ratio(high, size);
  }
  // Rows may raise each other's cells without end. Beyond the range of limits a cell keeps its own,
  // unless the row speaks of it alone and leaves.
  if (is_open && low > kMostRaised && length_[row] > 1) low = lower_[u];
  bool changed = false;
  limit(u, low, high, changed);
  if (changed) wake_rows(u, lower_[u] == upper_[u], row);
  return changed;
}

// Narrows the limits of an unknown that stands for itself.
void PresolveRows::limit(std::uint32_t u, WideInt lower, WideInt upper, bool& changed) {
  if (lower > lower_[u]) {
    if (lower > upper_[u]) no_solution();
    lower_[u] = limited(lower);
    changed = true;
  }
  if (upper < upper_[u]) {
    if (upper < lower_[u]) no_solution();
    upper_[u] = limited(upper);
    changed = true;
  }
  if (lower_[u] > upper_[u]) no_solution();
}

}  // namespace sdclattice
