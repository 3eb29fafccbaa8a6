#include "linear/clearing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/wide_int.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kMostTimes = 5000;
constexpr double kWholeRow = 1e-6, kDigits = 1e-14;
constexpr double kLargestRow = 0x1p52;
constexpr double kNoMultiplier = 1e-9;  // smaller multipliers are rounding errors
constexpr std::uint64_t kSeeds = 2;     // trouble with rounding is met by another way to the end

// The least multiple that makes all of them whole, but for rounding errors; above kMostTimes: none.
std::int64_t whole_multiple(const std::vector<double>& x) {
  const auto is_whole = [](double by) {
    return std::fabs(by - std::round(by)) <= kWholeRow + kDigits * std::fabs(by);
  };
  std::int64_t times = 1;
  while (times <= kMostTimes && !std::all_of(x.begin(), x.end(), [&](double v) {
           return is_whole(static_cast<double>(times) * v);
         }))
    ++times;
  return times;
}

}  // namespace

Clearing::Clearing(const LinearSystem& rows, std::function<void()> check)
    : programme_(rows),
      check_(std::move(check)),
      value_(rows.n_cells(), 0),
      nothing_(rows.n_cells(), 0) {
  std::fill(programme_.lower.begin(), programme_.lower.end(), 0);
  std::fill(programme_.upper.begin(), programme_.upper.end(), kNoLimit);
  std::fill(programme_.row_lower.begin(), programme_.row_lower.end(), 0);
  std::fill(programme_.row_upper.begin(), programme_.row_upper.end(), 0);
  start(0);
}

void Clearing::start(std::uint64_t seed) {
  simplex_ = std::make_unique<SparseSimplex>(programme_, seed, check_);
}

void Clearing::set(std::size_t cell, std::int64_t value) {
  assert(value == kFree || (value <= kMost && value >= -kMost));
  if (value == value_[cell]) return;
  value_[cell] = value;
  programme_.lower[cell] = value == kFree ? -kNoLimit : -value;
  simplex_->set_limits(cell, programme_.lower[cell], kNoLimit);
}

Cleared Clearing::ask() {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Cleared found = ask_once();
    if (found != Cleared::open) return found;
    start(seed);
  }
  return Cleared::open;
}

Cleared Clearing::ask_once() {
  sum_ = {};
  simplex_->load(nothing_);
  if (!simplex_->restore()) return proves_sum() ? Cleared::no : Cleared::open;
  std::vector<double> change;
  for (std::size_t i = 0; i < n_cells(); ++i) change.push_back(simplex_->value(i));
  const std::int64_t times = whole_multiple(change);
  return times <= kMostTimes && proves_change(change, times) ? Cleared::yes : Cleared::open;
}

bool Clearing::proves_change(const std::vector<double>& change, std::int64_t multiple) {
  change_.clear();
  multiple_ = multiple;
  for (std::size_t i = 0; i < n_cells(); ++i) {
    const double by = static_cast<double>(multiple) * change[i];
    if (!(std::fabs(by) < kLargestRow)) return false;
    change_.push_back(std::llround(by));
    if (value_[i] != kFree && change_[i] + wide_product(multiple, value_[i]) < 0) return false;
  }
  for (std::size_t r = 0; r < programme_.n_rows(); ++r) {
    WideInt sum = 0;
    for (std::size_t e = programme_.start[r]; e < programme_.start[r + 1]; ++e)
      sum += wide_product(programme_.coefficient[e], change_[programme_.cell[e]]);
    if (sum != 0) return false;
  }
  return true;
}

// Multipliers that are no proof of a sum are none of emptiness either: see safe_bound.hpp.
bool Clearing::proves_sum() {
  Multipliers found;
  std::vector<double> duals = simplex_->duals();
  const auto proved = [&] {
    return proves_empty(programme_, programme_.lower, programme_.upper, duals, &found);
  };
  if (!proved()) {
    const std::int64_t times = whole_multiple(duals);
    for (double& y : duals) y *= static_cast<double>(times);
  }
  if (!proved()) {
    for (std::uint32_t r = 0; r < programme_.n_rows(); ++r)
      if (std::fabs(simplex_->duals()[r]) > kNoMultiplier) sum_.row.push_back(r);
    return false;
  }
  std::vector<std::pair<std::uint32_t, WideInt>> terms;
  for (std::size_t k = 0; k < found.row.size(); ++k) {
    const std::uint32_t r = found.row[k];
    sum_.row.push_back(r);
    for (std::size_t e = programme_.start[r]; e < programme_.start[r + 1]; ++e)
      terms.emplace_back(programme_.cell[e],
                         wide_product(found.times[k], programme_.coefficient[e]));
  }
  std::sort(terms.begin(), terms.end());
  for (std::size_t k = 0; k < terms.size();) {
    const std::uint32_t cell = terms[k].first;
    WideInt times = 0;
    for (; k < terms.size() && terms[k].first == cell; ++k) times += terms[k].second;
    if (times == 0) continue;
    assert(times > 0 && value_[cell] != kFree);
    sum_.cell.push_back(cell);
    sum_.times.push_back(static_cast<std::int64_t>(times));
  }
  return true;
}

}  // namespace sdclattice
