#include "conditional/row_domain.hpp"

#include <algorithm>
#include <numeric>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// Products with the number of totals stay far below 64 bits.
constexpr std::int64_t kLargestListed = std::int64_t{1} << 31;

// Totals of exact rates are multiples of this.
std::int64_t step_of(const RateRow& row) {
  if (!row.exact()) return 1;
  std::int64_t common = row.scale;
  for (std::size_t j = 0; j < row.n_cells; ++j) common = std::gcd(common, row.low[j]);
  return row.scale / common;
}

}  // namespace

double RowDomain::size(const RateLine& line, const LinearSystem& system) {
  const std::int64_t upper = system.upper[line.total];
  if (upper > kLargestListed) return static_cast<double>(kNoLimit);
  return static_cast<double>((upper - system.lower[line.total]) / step_of(line.row) + 1);
}

RowDomain::RowDomain(const RateLine& line, const LinearSystem& system) : by_(step_of(line.row)) {
  const std::int64_t lower = system.lower[line.total], upper = system.upper[line.total];
  first_ = ceil_ratio(lower, by_) * by_;
  to_ = first_ > upper ? -1 : (upper - first_) / by_;
  has_.assign(static_cast<std::size_t>(to_ + 1), true);
}

bool RowDomain::has(std::int64_t total) const {
  const std::int64_t i = (total - first_) / by_;
  return total >= first() && total <= last() && (total - first_) % by_ == 0 &&
         has_[static_cast<std::size_t>(i)];
}

std::int64_t RowDomain::n_totals() const {
  std::int64_t out = 0;
  each([&](std::int64_t) { ++out; });
  return out;
}

bool RowCells::look(std::int64_t total) {
  WideInt low_sum = 0, high_sum = 0;
  for (std::size_t j = 0; j < low_.size(); ++j) {
    const std::uint32_t i = line_.sum[j];
    low_[j] = std::max(system_.lower[i], line_.row.least(j, total));
    high_[j] = std::min(system_.upper[i], line_.row.largest(j, total));
    if (low_[j] > high_[j]) return false;
    low_sum += low_[j], high_sum += high_[j];
  }
  if (low_sum > total || high_sum < total) return false;
  for (std::size_t j = 0; j < low_.size(); ++j) {
    const std::int64_t low = low_[j], high = high_[j];
    low_[j] = std::max(low, static_cast<std::int64_t>(total - (high_sum - high)));
    high_[j] = std::min(high, static_cast<std::int64_t>(total - (low_sum - low)));
  }
  return true;
}

}  // namespace sdclattice
