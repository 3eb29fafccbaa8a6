#include "conditional/least_tolerances.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "base/sum_set.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// Fractions of two whole numbers, the second above 0.
struct Tolerance {
  std::int64_t numerator = 0, denominator = 1;
};

// How far the centre of a row must be stretched to reach a total: the least H, if it is below a
// known fraction, such that whole cells within (centre t +- H) / scale sum to t.
class Stretch {
 public:
  Stretch(const std::int64_t* units, std::size_t n_cells, std::int64_t scale)
      : units_(units), n_cells_(n_cells), scale_(scale) {}

  void improve(std::int64_t t, std::optional<Tolerance>& best) const {
    const WideInt most = wide_product(scale_, t);  // reaches every cell from 0 to t
    WideInt high = most;
    if (best) {
      high = (wide_product(best->numerator, t) - 1);
      high = high < 0 ? -1 : high / best->denominator;
      if (high < 0 || !reaches(t, high)) return;
    }
    WideInt low = -1;  // does not reach
    while (high - low > 1) {
      const WideInt middle = low + (high - low) / 2;
      (reaches(t, middle) ? high : low) = middle;
    }
    best = Tolerance{static_cast<std::int64_t>(high), t};
  }

 private:
  bool reaches(std::int64_t t, WideInt by) const {
    WideInt low_sum = 0, high_sum = 0;
    for (std::size_t j = 0; j < n_cells_; ++j) {
      const WideInt centre = wide_product(units_[j], t);
      const WideInt low = centre <= by ? 0 : (centre - by + scale_ - 1) / scale_;
      const WideInt high = std::min<WideInt>(t, (centre + by) / scale_);
      if (low > high) return false;
      low_sum += low, high_sum += high;
    }
    return low_sum <= t && t <= high_sum;
  }

  const std::int64_t* units_;
  std::size_t n_cells_;
  std::int64_t scale_;
};

// What a row of each kind and the spare of the others have together.
std::vector<std::int64_t> rooms(const RowSums& sums) {
  const std::vector<RateKind>& kinds = sums.kinds.kinds;
  std::int64_t all = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const WideInt sum = wide_product(sums.totals[k].least, kinds[k].copies) + all;
    all = static_cast<std::int64_t>(std::min<WideInt>(sum, 2 * WideInt{sums.n} + 1));
  }
  std::vector<std::int64_t> out;
  for (const TotalSet& totals : sums.totals) out.push_back(sums.n - (all - totals.least));
  return out;
}

}  // namespace

std::vector<double> least_tolerances(const RateRows& rows, const std::vector<std::int64_t>& units,
                                     const std::vector<std::int64_t>& scale, std::int64_t n,
                                     const RateLimits& limits, const Tick& tick) {
  RowSums sums(rows, n, tick);
  std::vector<double> out(rows.size(), -1);
  if (sums.n_impossible > 1) return out;
  const std::vector<RateKind>& kinds = sums.kinds.kinds;
  std::vector<std::size_t> row_of_kind(kinds.size());
  for (std::size_t r = rows.size(); r-- > 0;) row_of_kind[sums.kinds.kind_of_row[r]] = r;
  const std::vector<std::int64_t> room = rooms(sums);
  std::int64_t most = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (sums.n_impossible == 0 || sums.impossible[k]) most = std::max(most, room[k]);
  if (most < 1) return out;
  const std::vector<Summand> summands = sums.summands(most, limits, tick);
  std::vector<double> of_kind(kinds.size(), -1);
  auto visit = [&](std::size_t k, const SumSet& others) {
    if (sums.n_impossible > 0 && !sums.impossible[k]) return;
    const std::size_t r = row_of_kind[k];
    const Stretch stretch(&units[r * rows.n_cells], rows.n_cells, scale[r]);
    std::optional<Tolerance> best;
    for (std::int64_t t = 1; t <= room[k]; ++t) {
      if (others.has(room[k] - t)) stretch.improve(t, best);
      if (t % (1 << 20) == 0) report(tick, 0);
    }
    if (best)
      of_kind[k] = static_cast<double>(best->numerator) / static_cast<double>(best->denominator);
  };
  leave_one_out(summands, 0, summands.size(), SumSet(most), visit);
  for (std::size_t r = 0; r < rows.size(); ++r) out[r] = of_kind[sums.kinds.kind_of_row[r]];
  return out;
}

}  // namespace sdclattice
