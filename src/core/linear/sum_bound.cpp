#include "linear/sum_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sdclattice {

namespace {

// The least common multiple of 1, ..., 16, and a power of 2 for all other fractions.
constexpr std::int64_t kSumDenominators[] = {1, 720720, std::int64_t{1} << 36};
constexpr double kLargestMultiplier = 0x1p62;  // no multiplier is larger

// False when the sum needs more than 128 bits.
bool add_product(WideInt a, WideInt b, WideInt& sum) {
  WideInt product = 0;
  return !product_overflows(a, b, &product) && !sum_overflows(sum, product, &sum);
}

bool rows_into(const LinearSystem& system, const std::vector<double>& duals, SumBound& out) {
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    const double y = -duals[r] * static_cast<double>(out.denominator);
    if (!(std::fabs(y) < kLargestMultiplier)) return false;
    const std::int64_t times = std::llround(y);
    const std::int64_t limit = times > 0 ? system.row_lower[r] : system.row_upper[r];
    if (times == 0 || limit >= kNoLimit || limit <= -kNoLimit) continue;
    if (!add_product(times, limit, out.least)) return false;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      out.rate[system.cell[e]] -= wide_product(times, system.coefficient[e]);
  }
  return true;
}

bool cells_into(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
                SumBound& out) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (!add_product(out.rate[i], out.rate[i] > 0 ? lower[i] : upper[i], out.least)) return false;
  return true;
}

// Only a preference: of equal bounds the one that leaves cells less room.
double before_rounding(const SumBound& bound) {
  return static_cast<double>(bound.least) / static_cast<double>(bound.denominator);
}

}  // namespace

std::int64_t SumBound::room(std::size_t cell, std::int64_t most) const {
  const WideInt left = static_cast<WideInt>(most) * denominator - least;
  return static_cast<std::int64_t>(
      std::min<WideInt>(floor_ratio(left, magnitude(rate[cell])), kNoLimit));
}

SumBound sum_bound(const LinearSystem& system, const std::vector<std::int64_t>& lower,
                   const std::vector<std::int64_t>& upper, const std::vector<std::int64_t>& weight,
                   const std::vector<double>& duals) {
  SumBound best;
  for (const std::int64_t denominator : kSumDenominators) {
    SumBound own;
    own.denominator = denominator;
    for (const std::int64_t w : weight) own.rate.push_back(wide_product(w, denominator));
    if (!rows_into(system, duals, own) || !cells_into(lower, upper, own)) continue;
    own.bound = static_cast<std::int64_t>(
        std::clamp<WideInt>(ceil_ratio<WideInt>(own.least, denominator), -kNoLimit, kNoLimit));
    if (best.denominator == 0 || own.bound > best.bound ||
        (own.bound == best.bound && before_rounding(own) > before_rounding(best)))
      best = std::move(own);
  }
  return best;
}

}  // namespace sdclattice
