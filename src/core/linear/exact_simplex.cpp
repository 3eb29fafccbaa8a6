#include "linear/exact_simplex.hpp"

#include <algorithm>
#include <cassert>

namespace sdclattice {

namespace {

// Steps with the row farthest out, before all violations are weighed.
constexpr std::size_t kQuickSteps = 15;
// Steps without a move, after which the first column that may rise is taken: no cycle is possible.
constexpr std::size_t kPatience = 50;

}  // namespace

void ExactSimplex::set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper) {
  lower_[cell] = lower;
  upper_[cell] = upper;
  if (is_basic_[cell]) return;
  const std::size_t c = place_[cell];
  move_column(c, std::clamp(stand_[c], lower, upper));
}

void ExactSimplex::fill_prices(std::size_t cell, int sign) {
  price_.assign(free_.size(), 0);
  assert(sign == 1 || sign == -1);
  if (!is_basic_[cell]) {
    price_[place_[cell]] = sign * den_;
    return;
  }
  const Row& row = table_[place_[cell]];
  for (std::size_t c = 0; c < row.size(); ++c) price_[c] = sign * row[c];
}

// ---- within the limits --------------------------------------------------------------------------

// The row farthest outside its limits.
std::size_t ExactSimplex::violated_row() const {
  std::size_t best = table_.size();
  WideInt most = 0;
  for (std::size_t r = 0; r < table_.size(); ++r) {
    const std::size_t v = basic_[r];
    const WideInt below = wide_product(lower_[v], den_) - value_[r];
    const WideInt above = value_[r] - wide_product(upper_[v], den_);
    const WideInt by = std::max(below, above);
    if (by <= most) continue;
    best = r;
    most = by;
  }
  return best;
}

// The column that need move least to bring the row within its limits. When there is none, the row
// is as far as it can get: there is no solution.
std::size_t ExactSimplex::strongest_column(std::size_t r, bool raise) const {
  std::size_t best = free_.size();
  for (std::size_t c = 0; c < free_.size(); ++c) {
    const std::int64_t entry = raise ? table_[r][c] : -table_[r][c];
    const std::size_t v = free_[c];
    if (!(entry > 0 ? stand_[c] < upper_[v] : entry < 0 && stand_[c] > lower_[v])) continue;
    if (best == free_.size() || magnitude(entry) > magnitude(table_[r][best])) best = c;
  }
  return best;
}

// Prices of the sum of violations, negated. False when there is no violation.
bool ExactSimplex::fill_violation_prices() {
  price_.assign(free_.size(), 0);
  bool any = false;
  for (std::size_t r = 0; r < table_.size(); ++r) {
    const std::size_t v = basic_[r];
    const bool below = value_[r] < wide_product(lower_[v], den_);
    if (!below && value_[r] <= wide_product(upper_[v], den_)) continue;
    any = true;
    const Row& row = table_[r];
    for (std::size_t c = 0; c < row.size(); ++c) price_[c] += below ? row[c] : -row[c];
  }
  return any;
}

// A few steps that each bring one row within its limits do after a small change of limits; else
// the sum of all violations is brought down, which ends in a solution or in the proof of none.
bool ExactSimplex::restore() {
  for (std::size_t step = 0; step < kQuickSteps; ++step) {
    const std::size_t r = violated_row();
    if (r == table_.size()) return true;
    const std::size_t v = basic_[r];
    const bool raise = value_[r] < wide_product(lower_[v], den_);
    const std::size_t c = strongest_column(r, raise);
    if (c == free_.size()) return false;
    pivot(r, c, raise ? lower_[v] : upper_[v]);
  }
  std::size_t still = 0;
  while (fill_violation_prices()) {
    const bool first = still > kPatience;
    const std::size_t c = rising_column(first);
    if (c == free_.size()) return false;
    bool moved = false;
    advance(c, first, moved);
    still = moved ? 0 : still + 1;
  }
  return true;
}

// ---- to the optimum: the primal method ---------------------------------------------------------

std::size_t ExactSimplex::rising_column(bool first) const {
  std::size_t best = free_.size();
  for (std::size_t c = 0; c < free_.size(); ++c) {
    const std::size_t v = free_[c];
    const bool rises =
        price_[c] > 0 ? stand_[c] < upper_[v] : price_[c] < 0 && stand_[c] > lower_[v];
    if (!rises) continue;
    if (best == free_.size() ||
        (first ? v < free_[best] : magnitude(price_[c]) > magnitude(price_[best])))
      best = c;
  }
  return best;
}

// How far a row's variable may go at a rate: den_ times the way, and where it ends. A variable
// outside its limits stops at the limit that it comes to first; one that goes further out never
// stops.
bool ExactSimplex::stops(std::size_t r, bool rises, WideInt& left, std::int64_t& target) const {
  const std::size_t v = basic_[r];
  const WideInt low = wide_product(lower_[v], den_);
  const WideInt high = wide_product(upper_[v], den_);
  if (rises ? value_[r] > high : value_[r] < low) return false;
  const bool to_lower = rises ? value_[r] < low : value_[r] <= high;
  target = to_lower ? lower_[v] : upper_[v];
  if (target >= kNoLimit || target <= -kNoLimit) return false;
  left = magnitude((to_lower ? low : high) - value_[r]);
  return true;
}

// Moves the column's variable as far as the limits let it. False when nothing stops it.
bool ExactSimplex::advance(std::size_t c, bool first, bool& moved) {
  const bool up = price_[c] > 0;
  const std::size_t v = free_[c];
  const bool open = up ? upper_[v] >= kNoLimit : lower_[v] <= -kNoLimit;
  WideInt room = up ? static_cast<WideInt>(upper_[v]) - stand_[c]
                    : static_cast<WideInt>(stand_[c]) - lower_[v];
  WideInt per = 1;  // the way is room / per
  std::size_t stop = table_.size();
  std::int64_t stop_at = 0;
  for (std::size_t r = 0; r < table_.size(); ++r) {
    const std::int64_t rate = up ? table_[r][c] : -table_[r][c];
    WideInt left = 0;
    std::int64_t target = 0;
    if (rate == 0 || !stops(r, rate > 0, left, target)) continue;
    const WideInt speed = magnitude(rate);
    const WideInt mine = left * per, its = room * speed;
    const bool none = stop == table_.size() && open;
    const bool tie =
        mine == its && stop < table_.size() &&
        (first ? basic_[r] < basic_[stop] : speed < magnitude(WideInt{table_[stop][c]}));
    if (!none && mine >= its && !tie) continue;
    room = left;
    per = speed;
    stop = r;
    stop_at = target;
  }
  if (stop == table_.size() && open) return false;
  moved = room > 0;
  if (stop == table_.size())
    move_column(c, up ? upper_[v] : lower_[v]);
  else
    pivot(stop, c, stop_at);
  return true;
}

bool ExactSimplex::climb(std::size_t cell, int sign) {
  assert(violated_row() == table_.size());
  std::size_t still = 0;
  for (;;) {
    fill_prices(cell, sign);
    const bool first = still > kPatience;
    const std::size_t c = rising_column(first);
    if (c == free_.size()) return true;
    bool moved = false;
    if (!advance(c, first, moved)) return false;
    still = moved ? 0 : still + 1;
  }
}

}  // namespace sdclattice
