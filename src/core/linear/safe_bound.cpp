#include "linear/safe_bound.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kDualDenominators[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 60, 840, 720720};
constexpr double kNoDual = 1e-9;         // smaller duals are rounding errors
constexpr double kLargestDual = 0x1p62;  // no multiplier is larger
constexpr std::size_t kNoCell = SIZE_MAX;

// A sum of products that is undefined once it needs more than 128 bits, or a limit that is none.
struct WideSum {
  WideInt sum = 0;
  bool is_defined = true;

  void add(WideInt x) { is_defined = is_defined && !sum_overflows(sum, x, &sum); }
  void add_product(std::int64_t times, std::int64_t limit) {
    is_defined = is_defined && limit < kNoLimit && limit > -kNoLimit;
    if (is_defined) add(wide_product(times, limit));
  }
};

// Some rows of a system: their cells have the numbers 0, 1, ... in ascending order, and so has the
// cell that is asked.
class SomeRows {
 public:
  SomeRows(const LinearSystem& system, const std::vector<std::uint32_t>& rows, std::size_t cell)
      : system_(system), rows_(rows) {
    for (const std::uint32_t r : rows) cells_.insert(cells_.end(), begin_of(r), begin_of(r + 1));
    if (cell != kNoCell) cells_.push_back(static_cast<std::uint32_t>(cell));
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    for (const std::uint32_t r : rows)
      std::transform(begin_of(r), begin_of(r + 1), std::back_inserter(number_),
                     [&](std::uint32_t i) { return number_of(i); });
    if (cell != kNoCell) asked_ = number_of(static_cast<std::uint32_t>(cell));
    sums_.resize(cells_.size());
  }

  // The sum above without the division by D; of no cell, the most that 0 can be.
  WideSum most(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
               int sign, const std::vector<std::int64_t>& times, std::int64_t denominator) {
    std::fill(sums_.begin(), sums_.end(), WideSum{});
    if (asked_ != kNoCell) sums_[asked_].add(sign * denominator);
    WideSum out;
    std::size_t at = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) add_row(k, times[k], at, out);
    for (std::size_t i = 0; i < cells_.size() && out.is_defined; ++i)
      add_cell(sums_[i], lower[cells_[i]], upper[cells_[i]], out);
    return out;
  }

 private:
  std::vector<std::uint32_t>::const_iterator begin_of(std::size_t r) const {
    return system_.cell.begin() + static_cast<std::ptrdiff_t>(system_.start[r]);
  }
  std::size_t number_of(std::uint32_t i) const {
    return static_cast<std::size_t>(std::lower_bound(cells_.begin(), cells_.end(), i) -
                                    cells_.begin());
  }
  void add_row(std::size_t k, std::int64_t times, std::size_t& at, WideSum& out) {
    const std::size_t r = rows_[k];
    const std::size_t first = system_.start[r], n = system_.start[r + 1] - first;
    if (times != 0) {
      for (std::size_t e = 0; e < n; ++e)
        sums_[number_[at + e]].add(-wide_product(times, system_.coefficient[first + e]));
      out.add_product(times, times > 0 ? system_.row_upper[r] : system_.row_lower[r]);
    }
    at += n;
  }
  static void add_cell(const WideSum& c, std::int64_t lower, std::int64_t upper, WideSum& out) {
    out.is_defined = out.is_defined && c.is_defined && c.sum >= INT64_MIN && c.sum <= INT64_MAX;
    if (!out.is_defined || c.sum == 0) return;
    const auto times = static_cast<std::int64_t>(c.sum);
    out.add_product(times, times > 0 ? upper : lower);
  }

  const LinearSystem& system_;
  const std::vector<std::uint32_t>& rows_;
  std::vector<std::uint32_t> cells_;
  std::vector<std::size_t> number_;  // of each entry of the rows
  std::size_t asked_ = kNoCell;
  std::vector<WideSum> sums_;
};

std::int64_t bound_of(const WideSum& most, std::int64_t denominator) {
  if (!most.is_defined) return kNoLimit;
  const WideInt out = floor_ratio(most.sum, static_cast<WideInt>(denominator));
  return static_cast<std::int64_t>(
      std::clamp(out, static_cast<WideInt>(-kNoLimit), static_cast<WideInt>(kNoLimit)));
}

std::vector<std::uint32_t> rows_of(const std::vector<double>& duals) {
  std::vector<std::uint32_t> out;
  for (std::size_t r = 0; r < duals.size(); ++r)
    if (std::fabs(duals[r]) > kNoDual) out.push_back(static_cast<std::uint32_t>(r));
  return out;
}

// False when a multiplier is too large, or no number.
bool round_to(const std::vector<double>& duals, const std::vector<std::uint32_t>& rows,
              std::int64_t denominator, std::vector<std::int64_t>& times) {
  times.clear();
  for (const std::uint32_t r : rows) {
    const double y = duals[r] * static_cast<double>(denominator);
    if (!(std::fabs(y) < kLargestDual)) return false;
    times.push_back(std::llround(y));
  }
  return true;
}

void keep_rows(const std::vector<std::uint32_t>& rows, const std::vector<std::int64_t>& times,
               std::int64_t denominator, Multipliers* best) {
  if (best == nullptr) return;
  *best = {{}, {}, denominator};
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (times[k] != 0) {
      best->row.push_back(rows[k]);
      best->times.push_back(times[k]);
    }
}

}  // namespace

std::int64_t bound_by(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                      const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                      const Multipliers& y) {
  SomeRows rows(system, y.row, cell);
  return bound_of(rows.most(lower, upper, sign, y.times, y.denominator), y.denominator);
}

std::int64_t safe_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                        const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                        const std::vector<double>& duals, Multipliers* best) {
  const std::vector<std::uint32_t> rows = rows_of(duals);
  SomeRows some(system, rows, cell);
  std::int64_t out = sign > 0 ? upper[cell] : -lower[cell];
  std::vector<std::int64_t> times;
  keep_rows({}, times, 1, best);
  for (const std::int64_t d : kDualDenominators) {
    if (!round_to(duals, rows, d, times)) continue;
    const std::int64_t bound = bound_of(some.most(lower, upper, sign, times, d), d);
    if (bound >= out) continue;
    out = bound;
    keep_rows(rows, times, d, best);
  }
  return out;
}

double safe_real_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                       const std::vector<std::int64_t>& upper, std::size_t cell, int sign,
                       const std::vector<double>& duals) {
  const std::vector<std::uint32_t> rows = rows_of(duals);
  SomeRows some(system, rows, cell);
  const std::int64_t own = sign > 0 ? upper[cell] : -lower[cell];
  double out = own >= kNoLimit ? std::numeric_limits<double>::infinity() : static_cast<double>(own);
  std::vector<std::int64_t> times;
  for (const std::int64_t d : kDualDenominators) {
    if (!round_to(duals, rows, d, times)) continue;
    const WideSum most = some.most(lower, upper, sign, times, d);
    if (most.is_defined)
      out = std::min(out, static_cast<double>(most.sum) / static_cast<double>(d));
  }
  return out;
}

bool proves_empty(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                  const std::vector<std::int64_t>& upper, const std::vector<double>& duals,
                  Multipliers* best) {
  const std::vector<std::uint32_t> rows = rows_of(duals);
  SomeRows some(system, rows, kNoCell);
  std::vector<std::int64_t> times;
  for (const std::int64_t d : kDualDenominators) {
    if (!round_to(duals, rows, d, times)) continue;
    const WideSum most = some.most(lower, upper, 0, times, d);
    if (!most.is_defined || most.sum >= 0) continue;
    keep_rows(rows, times, d, best);
    return true;
  }
  return false;
}

}  // namespace sdclattice
