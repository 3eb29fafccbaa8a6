#include "linear/exact_simplex.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

// With entries below 2^36 and limits below 2^53 every product of a limit and two entries, and every
// sum of two such products, fits 127 bits.
constexpr std::int64_t kEntryLimit = std::int64_t{1} << 36;

// Steps with the row farthest out, before all violations are weighed.
constexpr std::size_t kQuickSteps = 15;
constexpr std::int64_t kPlainLimit = std::int64_t{1} << 30;   // products and their sums fit 64 bits
constexpr std::int64_t kDoubleLimit = std::int64_t{1} << 25;  // ... and 53, exact as doubles

std::int64_t magnitude(std::int64_t x) {
  return x < 0 ? -x : x;
}
WideInt magnitude(WideInt x) {
  return x < 0 ? -x : x;
}

std::int64_t checked(WideInt x) {
  if (magnitude(x) >= kEntryLimit)
    throw TooLargeError("The exact linear programme needs numbers of more than 36 bits.");
  return static_cast<std::int64_t>(x);
}

// The divisions are exact.
template <class Number>
std::int64_t combine_entries(std::int64_t* row, const std::int64_t* with, std::size_t n,
                             std::int64_t p, std::int64_t a, std::int64_t den) {
  std::int64_t largest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const Number x = static_cast<Number>(p) * static_cast<Number>(row[j]) -
                     static_cast<Number>(a) * static_cast<Number>(with[j]);
    row[j] = static_cast<std::int64_t>(x / static_cast<Number>(den));
    largest = std::max(largest, magnitude(row[j]));
  }
  return largest;
}

std::int64_t combine_units(std::int64_t* row, const std::int64_t* with, std::size_t n,
                           std::int64_t a) {
  std::int64_t largest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    row[j] -= a * with[j];
    largest = std::max(largest, magnitude(row[j]));
  }
  return largest;
}

std::int64_t combine_wide(std::int64_t* row, const std::int64_t* with, std::size_t n,
                          std::int64_t p, std::int64_t a, std::int64_t den) {
  std::int64_t largest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const WideInt x = static_cast<WideInt>(p) * row[j] - static_cast<WideInt>(a) * with[j];
    row[j] = checked(x / den);
    largest = std::max(largest, magnitude(row[j]));
  }
  return largest;
}

}  // namespace

ExactSimplex::ExactSimplex(const LinearSystem& system, std::size_t max_entries,
                           std::function<void()> check)
    : n_cells_(system.n_cells()),
      max_entries_(max_entries),
      check_(std::move(check)),
      lower_(system.lower),
      upper_(system.upper),
      free_(n_cells_),
      place_(n_cells_),
      is_basic_(n_cells_, false),
      stand_(system.lower) {
  std::iota(free_.begin(), free_.end(), std::size_t{0});
  std::iota(place_.begin(), place_.end(), std::size_t{0});
  std::vector<std::size_t> order(system.n_rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto length = [&](std::size_t r) { return system.start[r + 1] - system.start[r]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
  for (std::size_t r : order)
    if (system.row_lower[r] == system.row_upper[r]) add_row(system, r);
  for (std::size_t r : order)
    if (system.row_lower[r] != system.row_upper[r]) add_row(system, r);
}

void ExactSimplex::check_size() const {
  if ((table_.size() + 1) * free_.size() > max_entries_)
    throw TooLargeError("The exact linear programme has too many entries.");
}

// The row's sum becomes a basic variable; an equation's leaves at once and stays where it is.
void ExactSimplex::add_row(const LinearSystem& system, std::size_t r) {
  const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
  if (low <= -kNoLimit && high >= kNoLimit) return;
  check_size();
  Row row(free_.size(), 0);
  WideInt value = 0;
  for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
    const std::size_t i = system.cell[e];
    const std::int64_t a = system.coefficient[e];
    value += a * numerator(i);
    if (!is_basic_[i]) {
      row[place_[i]] = checked(row[place_[i]] + static_cast<WideInt>(a) * den_);
      continue;
    }
    const Row& of = table_[place_[i]];
    poll_at(64 * e);
    for (std::size_t j = 0; j < row.size(); ++j)
      if (of[j] != 0) row[j] = checked(row[j] + static_cast<WideInt>(a) * of[j]);
  }
  for (std::int64_t x : row) largest_ = std::max(largest_, magnitude(x));
  const std::size_t c = low == high ? unit_column(row) : free_.size();
  const bool depends = std::all_of(row.begin(), row.end(), [](std::int64_t x) { return x == 0; });
  if (depends) {
    if (value < static_cast<WideInt>(low) * den_ || value > static_cast<WideInt>(high) * den_)
      throw InfeasibleError("The constraints contradict each other.");
    return;
  }
  const std::size_t variable = lower_.size();
  lower_.push_back(low);
  upper_.push_back(high);
  place_.push_back(table_.size());
  is_basic_.push_back(true);
  basic_.push_back(variable);
  table_.push_back(std::move(row));
  value_.push_back(value);
  if (low != high) return;
  pivot(table_.size() - 1, c, low);
  drop_column(c);
}

// An entry that keeps the denominator small, in a column that touches few rows.
std::size_t ExactSimplex::unit_column(const Row& row) const {
  std::size_t best = row.size(), best_touched = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] == 0) continue;
    if (best < row.size() && magnitude(row[c]) > magnitude(row[best])) continue;
    std::size_t touched = 0;
    for (const Row& other : table_) touched += other[c] != 0;
    const bool smaller = best == row.size() || magnitude(row[c]) < magnitude(row[best]);
    if (!smaller && touched >= best_touched) continue;
    best = c;
    best_touched = touched;
  }
  return best;
}

void ExactSimplex::drop_column(std::size_t c) {
  const std::size_t last = free_.size() - 1;
  for (Row& row : table_) {
    row[c] = row[last];
    row.pop_back();
  }
  free_[c] = free_[last];
  stand_[c] = stand_[last];
  place_[free_[c]] = c;
  free_.pop_back();
  stand_.pop_back();
}

WideInt ExactSimplex::numerator(std::size_t cell) const {
  return is_basic_[cell] ? value_[place_[cell]] : static_cast<WideInt>(stand_[place_[cell]]) * den_;
}

std::int64_t ExactSimplex::floor_of(std::size_t cell) const {
  const WideInt x = numerator(cell);
  return static_cast<std::int64_t>(x / den_ - (x % den_ < 0));
}

std::size_t ExactSimplex::first_fractional() const {
  std::size_t best = n_cells_;
  for (std::size_t r = 0; r < basic_.size(); ++r)
    if (basic_[r] < best && value_[r] % den_ != 0) best = basic_[r];
  return best;
}

// ---- pivots ------------------------------------------------------------------------------------

// row <- (p row - a with) / den_, but for column `skip`, whose new entry is `a`.
void ExactSimplex::combine(Row& row, const Row& with, std::size_t skip, std::int64_t p,
                           std::int64_t a) {
  const std::size_t n = row.size();
  std::int64_t largest;
  if (p == 1 && den_ == 1 && largest_ < kPlainLimit)
    largest = combine_units(row.data(), with.data(), n, a);
  else if (largest_ < kDoubleLimit)
    largest = combine_entries<double>(row.data(), with.data(), n, p, a, den_);
  else if (largest_ < kPlainLimit)
    largest = combine_entries<std::int64_t>(row.data(), with.data(), n, p, a, den_);
  else
    largest = combine_wide(row.data(), with.data(), n, p, a, den_);
  row[skip] = a;
  largest_ = std::max(largest_, largest);
}

// The row's variable leaves the basis for the value `target`, the column's enters it. With the
// pivot p = table_[r][c], all entries become (p entry - row's column entry * pivot row's) / den_
// over the new denominator p, here over |p|.
void ExactSimplex::pivot(std::size_t r, std::size_t c, std::int64_t target) {
  check_();
  if (++n_pivots_ % 32 == 0) find_largest();
  Row& with = table_[r];
  const std::int64_t sign = with[c] < 0 ? -1 : 1, p = magnitude(with[c]);
  const WideInt shift = static_cast<WideInt>(den_) * target - value_[r];
  largest_ = std::max(largest_, p);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    poll_at(64 * i);
    if (i == r) continue;
    const std::int64_t a = sign * table_[i][c];
    if (a == 0 && p == den_) continue;
    value_[i] = (p * value_[i] + a * shift) / den_;
    combine(table_[i], with, c, p, a);
  }
  for (std::int64_t& x : with) x *= -sign;
  with[c] = sign * den_;
  value_[r] = static_cast<WideInt>(p) * stand_[c] + sign * shift;
  stand_[c] = target;
  den_ = p;
  std::swap(basic_[r], free_[c]);
  place_[basic_[r]] = r;
  place_[free_[c]] = c;
  is_basic_[basic_[r]] = true;
  is_basic_[free_[c]] = false;
}

// Entries grow and shrink again; small ones are fast.
void ExactSimplex::find_largest() {
  largest_ = den_;
  for (const Row& row : table_)
    for (std::int64_t x : row) largest_ = std::max(largest_, magnitude(x));
}

void ExactSimplex::move_column(std::size_t c, std::int64_t value) {
  const WideInt by = static_cast<WideInt>(value) - stand_[c];
  if (by == 0) return;
  for (std::size_t r = 0; r < table_.size(); ++r) value_[r] += by * table_[r][c];
  stand_[c] = value;
}

void ExactSimplex::set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper) {
  lower_[cell] = lower;
  upper_[cell] = upper;
  if (is_basic_[cell]) return;
  const std::size_t c = place_[cell];
  move_column(c, std::clamp(stand_[c], lower, upper));
}

// ---- objectives --------------------------------------------------------------------------------

void ExactSimplex::aim(std::size_t cell, int sign) {
  goal_ = cell;
  sign_ = sign;
}

void ExactSimplex::fill_prices() {
  price_.assign(free_.size(), 0);
  if (sign_ == 0) return;
  if (!is_basic_[goal_]) {
    price_[place_[goal_]] = sign_ * den_;
    return;
  }
  const Row& row = table_[place_[goal_]];
  for (std::size_t c = 0; c < row.size(); ++c) price_[c] = sign_ * row[c];
}

// ---- within the limits --------------------------------------------------------------------------

// The row farthest outside its limits.
std::size_t ExactSimplex::violated_row() const {
  std::size_t best = table_.size();
  WideInt most = 0;
  for (std::size_t r = 0; r < table_.size(); ++r) {
    const std::size_t v = basic_[r];
    const WideInt below = static_cast<WideInt>(lower_[v]) * den_ - value_[r];
    const WideInt above = value_[r] - static_cast<WideInt>(upper_[v]) * den_;
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
    const bool below = value_[r] < static_cast<WideInt>(lower_[v]) * den_;
    if (!below && value_[r] <= static_cast<WideInt>(upper_[v]) * den_) continue;
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
    const bool raise = value_[r] < static_cast<WideInt>(lower_[v]) * den_;
    const std::size_t c = strongest_column(r, raise);
    if (c == free_.size()) return false;
    pivot(r, c, raise ? lower_[v] : upper_[v]);
  }
  std::size_t still = 0;
  while (fill_violation_prices()) {
    const bool first = still > 50;
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
  const WideInt low = static_cast<WideInt>(lower_[v]) * den_;
  const WideInt high = static_cast<WideInt>(upper_[v]) * den_;
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

bool ExactSimplex::climb() {
  std::size_t still = 0;
  for (;;) {
    fill_prices();
    const bool first = still > 50;
    const std::size_t c = rising_column(first);
    if (c == free_.size()) return true;
    bool moved = false;
    if (!advance(c, first, moved)) return false;
    still = moved ? 0 : still + 1;
  }
}

}  // namespace sdclattice
