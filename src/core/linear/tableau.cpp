#include "linear/tableau.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

// With entries below 2^36 and limits below 2^53 every product of a limit and two entries, and every
// sum of two such products, fits 127 bits.
constexpr std::int64_t kEntryLimit = std::int64_t{1} << 36;

constexpr std::int64_t kPlainLimit = std::int64_t{1} << 30;   // products and their sums fit 64 bits
constexpr std::int64_t kDoubleLimit = std::int64_t{1} << 25;  // ... and 53, exact as doubles

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
    assert(static_cast<Number>(row[j]) * static_cast<Number>(den) == x);
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
    const WideInt x = wide_product(p, row[j]) - wide_product(a, with[j]);
    assert(x % den == 0);
    row[j] = checked(x / den);
    largest = std::max(largest, magnitude(row[j]));
  }
  return largest;
}

}  // namespace

Tableau::Tableau(const LinearSystem& system, std::size_t max_entries, std::function<void()> check)
    : lower_(system.lower),
      upper_(system.upper),
      free_(system.n_cells()),
      place_(system.n_cells()),
      is_basic_(system.n_cells(), false),
      stand_(system.lower),
      n_cells_(system.n_cells()),
      max_entries_(max_entries),
      check_(std::move(check)) {
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

bool Tableau::sizes_fit() const {
  return table_.size() == basic_.size() && value_.size() == basic_.size() &&
         stand_.size() == free_.size() && place_.size() == lower_.size() && den_ > 0;
}

// The row's sum as it depends on the columns' variables, and den_ times its value.
Tableau::Row Tableau::express(const LinearSystem& system, std::size_t r, WideInt& value) const {
  Row row(free_.size(), 0);
  value = 0;
  for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
    const std::size_t i = system.cell[e];
    const std::int64_t a = system.coefficient[e];
    value += a * numerator(i);
    if (!is_basic_[i]) {
      row[place_[i]] = checked(row[place_[i]] + wide_product(a, den_));
      continue;
    }
    const Row& of = table_[place_[i]];
    poll_at(64 * e);
    for (std::size_t j = 0; j < row.size(); ++j)
      if (of[j] != 0) row[j] = checked(row[j] + wide_product(a, of[j]));
  }
  return row;
}

// The row's sum becomes a basic variable; an equation's leaves at once and stays where it is.
void Tableau::add_row(const LinearSystem& system, std::size_t r) {
  const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
  if (low <= -kNoLimit && high >= kNoLimit) return;
  if ((table_.size() + 1) * free_.size() > max_entries_)
    throw TooLargeError("The exact linear programme has too many entries.");
  WideInt value = 0;
  Row row = express(system, r, value);
  for (std::int64_t x : row) largest_ = std::max(largest_, magnitude(x));
  const std::size_t c = low == high ? unit_column(row) : free_.size();
  const bool depends = std::all_of(row.begin(), row.end(), [](std::int64_t x) { return x == 0; });
  if (depends) {
    if (value < wide_product(low, den_) || value > wide_product(high, den_))
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
std::size_t Tableau::unit_column(const Row& row) const {
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

void Tableau::drop_column(std::size_t c) {
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

WideInt Tableau::numerator(std::size_t cell) const {
  return is_basic_[cell] ? value_[place_[cell]] : wide_product(stand_[place_[cell]], den_);
}

std::int64_t Tableau::floor_of(std::size_t cell) const {
  const WideInt x = numerator(cell);
  return static_cast<std::int64_t>(floor_ratio(x, WideInt{den_}));
}

std::size_t Tableau::first_fractional() const {
  std::size_t best = n_cells_;
  for (std::size_t r = 0; r < basic_.size(); ++r)
    if (basic_[r] < best && value_[r] % den_ != 0) best = basic_[r];
  return best;
}

// row <- (p row - a with) / den_, but for column `skip`, whose new entry is `a`.
void Tableau::combine(Row& row, const Row& with, std::size_t skip, std::int64_t p, std::int64_t a) {
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

// With the pivot p = table_[r][c], all entries become (p entry - row's column entry * pivot row's)
// / den_ over the new denominator p, here over |p|.
void Tableau::pivot(std::size_t r, std::size_t c, std::int64_t target) {
  assert(sizes_fit() && table_[r][c] != 0);
  check_();
  if (++n_pivots_ % 32 == 0) find_largest();
  Row& with = table_[r];
  const std::int64_t sign = with[c] < 0 ? -1 : 1, p = magnitude(with[c]);
  const WideInt shift = wide_product(den_, target) - value_[r];
  largest_ = std::max(largest_, p);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    poll_at(64 * i);
    if (i == r) continue;
    const std::int64_t a = sign * table_[i][c];
    if (a == 0 && p == den_) continue;
    assert((p * value_[i] + a * shift) % den_ == 0);
    value_[i] = (p * value_[i] + a * shift) / den_;
    combine(table_[i], with, c, p, a);
  }
  for (std::int64_t& x : with) x *= -sign;
  with[c] = sign * den_;
  value_[r] = wide_product(p, stand_[c]) + sign * shift;
  stand_[c] = target;
  den_ = p;
  std::swap(basic_[r], free_[c]);
  place_[basic_[r]] = r;
  place_[free_[c]] = c;
  is_basic_[basic_[r]] = true;
  is_basic_[free_[c]] = false;
}

// Entries grow and shrink again; small ones are fast.
void Tableau::find_largest() {
  largest_ = den_;
  for (const Row& row : table_)
    for (std::int64_t x : row) largest_ = std::max(largest_, magnitude(x));
}

void Tableau::move_column(std::size_t c, std::int64_t value) {
  const WideInt by = static_cast<WideInt>(value) - stand_[c];
  if (by == 0) return;
  for (std::size_t r = 0; r < table_.size(); ++r) value_[r] += by * table_[r][c];
  stand_[c] = value;
}

}  // namespace sdclattice
