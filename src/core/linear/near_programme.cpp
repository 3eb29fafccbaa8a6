#include "linear/near_programme.hpp"

#include <cmath>
#include <utility>

namespace sdclattice {

RowsAround::RowsAround(const LinearSystem& system, const TracedLimits& limits)
    : system_(system),
      limits_(limits),
      row_seen_(system.n_rows(), false),
      place_(system.n_cells(), SIZE_MAX) {}

bool RowsAround::from(std::size_t cell, std::size_t n_rows) {
  for (const std::uint32_t r : rows_) row_seen_[r] = false;
  for (const std::uint32_t i : cells_) place_[i] = SIZE_MAX;
  rows_.clear();
  cells_.assign(1, static_cast<std::uint32_t>(cell));
  place_[cell] = 0;
  const RowsByCell& rows = limits_.rows_by_cell();
  for (std::size_t k = 0; k < cells_.size(); ++k)
    for (std::size_t e = rows.at[cells_[k]]; e < rows.at[cells_[k] + 1]; ++e) {
      const std::uint32_t r = rows.row[e];
      if (row_seen_[r]) continue;
      if (rows_.size() == n_rows) return true;
      row_seen_[r] = true;
      rows_.push_back(r);
      add_cells(r);
    }
  return false;
}

void RowsAround::add_cells(std::size_t row) {
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
    const std::uint32_t i = system_.cell[e];
    if (place_[i] != SIZE_MAX || limits_.is_fixed(i)) continue;
    place_[i] = cells_.size();
    cells_.push_back(i);
  }
}

NearProgramme::NearProgramme(const LinearSystem& system, const TracedLimits& limits,
                             const RowsAround& reach, const std::function<void()>& check)
    : limits_(limits), reach_(reach) {
  for (const std::uint32_t i : reach.cells()) {
    near_.lower.push_back(limits.lower(i));
    near_.upper.push_back(limits.upper(i));
  }
  for (const std::uint32_t r : reach.rows()) {
    WideInt held = 0;  // by fixed cells
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (reach.place(i) == SIZE_MAX) {
        held += wide_product(system.coefficient[e], limits.lower(i));
        continue;
      }
      near_.cell.push_back(static_cast<std::uint32_t>(reach.place(i)));
      near_.coefficient.push_back(system.coefficient[e]);
    }
    const auto shift = static_cast<std::int64_t>(held);
    const std::int64_t low = system.row_lower[r], high = system.row_upper[r];
    near_.start.push_back(near_.cell.size());
    near_.row_lower.push_back(low <= -kNoLimit ? low : low - shift);
    near_.row_upper.push_back(high >= kNoLimit ? high : high - shift);
    row_.push_back(r);
  }
  simplex_ = std::make_unique<SparseSimplex>(near_, 1, check);
}

void NearProgramme::load(const std::vector<std::int64_t>& table) {
  std::vector<std::int64_t> x;
  for (const std::uint32_t i : reach_.cells()) x.push_back(table[i]);
  simplex_->load(x);
}

void NearProgramme::take_limits(std::size_t free, std::int64_t lower, std::int64_t upper) {
  for (std::size_t k = 0; k < reach_.cells().size(); ++k) {
    const std::uint32_t i = reach_.cells()[k];
    const std::int64_t low = i == free ? lower : limits_.lower(i);
    const std::int64_t high = i == free ? upper : limits_.upper(i);
    if (low == near_.lower[k] && high == near_.upper[k]) continue;
    near_.lower[k] = low;
    near_.upper[k] = high;
    simplex_->set_limits(k, low, high);
  }
}

bool NearProgramme::climb(std::size_t cell, int sign) {
  if (!simplex_->restore()) return false;
  simplex_->climb(reach_.place(cell), sign);
  return true;
}

Combination NearProgramme::rounded_duals(std::int64_t denominator) const {
  Combination out;
  const std::vector<double>& duals = simplex_->duals();
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const double times = std::round(static_cast<double>(denominator) * duals[k]);
    if (times == 0.0 || std::fabs(times) > 0x1p50) continue;
    out.row.push_back(row_[k]);
    out.times.push_back(static_cast<std::int64_t>(times));
  }
  return out;
}

}  // namespace sdclattice
