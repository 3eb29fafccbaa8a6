// The factor of a basis: peeling, elimination of the bump, and units for what has no pivot.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/sparse_lu.hpp"

namespace sdclattice {

namespace {

constexpr double kNothing = 1e-14;
constexpr double kDependent = 1e-9;  // no pivot is smaller
constexpr double kThreshold = 0.1;   // a pivot is at least this share of the largest in its column

}  // namespace

SparseLU::SparseLU(const SparseColumns& columns)
    : columns_(columns),
      bump_(columns.n_rows),
      work_(columns.n_rows, 0.0),
      is_touched_(columns.n_rows, 0) {
  std::vector<std::uint32_t> units(columns.n_rows);
  std::iota(units.begin(), units.end(), static_cast<std::uint32_t>(columns.n_columns()));
  factor(units);
}

std::vector<std::uint32_t> SparseLU::factor(std::vector<std::uint32_t>& basic) {
  clear();
  read(basic);
  peel_columns(basic);
  first_lower_ = row_at_.size();
  peel_rows(basic);
  eliminate(basic);
  std::vector<std::uint32_t> out = fill_up(basic);
  finish();
  return out;
}

void SparseLU::clear() {
  const std::size_t m = columns_.n_rows;
  row_at_.clear();
  place_of_.assign(m, kNone);
  lower_.clear();
  upper_.clear();
  diagonal_.clear();
  eta_at_.clear();
  eta_pivot_.clear();
  eta_.clear();
  row_count_.assign(m, 0);
  row_mix_.assign(m, 0);
  slot_count_.assign(m, 0);
  slot_mix_.assign(m, 0);
  slot_open_.assign(m, 1);
  slot_at_.clear();
  queue_.clear();
}

void SparseLU::read(const std::vector<std::uint32_t>& basic) {
  const auto m = static_cast<std::uint32_t>(basic.size());
  for (std::uint32_t s = 0; s < m; ++s)
    columns_.each(basic[s], [&](std::uint32_t r, double) {
      ++row_count_[r];
      row_mix_[r] ^= s;
      ++slot_count_[s];
      slot_mix_[s] ^= r;
    });
  meet_start_.assign(m + 1, 0);
  for (std::uint32_t r = 0; r < m; ++r) meet_start_[r + 1] = meet_start_[r] + row_count_[r];
  meet_.resize(meet_start_[m]);
  std::vector<std::size_t> at(meet_start_.begin(), meet_start_.end() - 1);
  for (std::uint32_t s = 0; s < m; ++s)
    columns_.each(basic[s], [&](std::uint32_t r, double) { meet_[at[r]++] = s; });
}

void SparseLU::take(std::uint32_t row, std::uint32_t slot, double pivot) {
  place_of_[row] = static_cast<std::uint32_t>(row_at_.size());
  row_at_.push_back(row);
  slot_at_.push_back(slot);
  slot_open_[slot] = 0;
  diagonal_.push_back(pivot);
}

// The column's entries in rows that have a pivot already go to U, the others to L; those of L keep
// their rows' numbers until finish().
void SparseLU::close_peeled(const std::vector<std::uint32_t>& basic, std::uint32_t slot) {
  const auto k = static_cast<std::uint32_t>(row_at_.size() - 1);
  columns_.each(basic[slot], [&](std::uint32_t r, double x) {
    if (place_of_[r] < k) upper_.push(place_of_[r], x);
    if (place_of_[r] == kNone) lower_.push(r, x / diagonal_[k]);
  });
  lower_.close();
  upper_.close();
}

void SparseLU::peel_columns(const std::vector<std::uint32_t>& basic) {
  for (std::uint32_t s = 0; s < basic.size(); ++s)
    if (slot_count_[s] == 1) queue_.push_back(s);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    const std::uint32_t s = queue_[q];
    if (slot_count_[s] != 1) continue;
    const std::uint32_t r = slot_mix_[s];
    double pivot = 0.0;
    columns_.each(basic[s], [&](std::uint32_t i, double x) { pivot = i == r ? x : pivot; });
    take(r, s, pivot);
    close_peeled(basic, s);
    for (std::size_t e = meet_start_[r]; e < meet_start_[r + 1]; ++e) {
      const std::uint32_t other = meet_[e];
      slot_mix_[other] ^= r;
      if (--slot_count_[other] == 1) queue_.push_back(other);
    }
  }
  queue_.clear();
}

void SparseLU::peel_rows(const std::vector<std::uint32_t>& basic) {
  const auto m = static_cast<std::uint32_t>(basic.size());
  // Columns without an open row depend on others; they count in no open row.
  for (std::uint32_t r = 0; r < m; ++r)
    if (place_of_[r] == kNone && row_count_[r] == 1) queue_.push_back(r);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    const std::uint32_t r = queue_[q];
    if (row_count_[r] != 1 || place_of_[r] != kNone) continue;
    const std::uint32_t s = row_mix_[r];
    double pivot = 0.0;
    columns_.each(basic[s], [&](std::uint32_t i, double x) { pivot = i == r ? x : pivot; });
    take(r, s, pivot);
    close_peeled(basic, s);
    columns_.each(basic[s], [&](std::uint32_t i, double) {
      row_mix_[i] ^= s;
      if (--row_count_[i] == 1 && place_of_[i] == kNone) queue_.push_back(i);
    });
  }
  queue_.clear();
}

void SparseLU::touch(std::uint32_t row, double x) {
  work_[row] += x;
  if (is_touched_[row]) return;
  is_touched_[row] = 1;
  touched_.push_back(row);
  if (place_of_[row] != kNone) bump_.add(place_of_[row], 0.0);
}

void SparseLU::scatter(std::uint32_t column) {
  columns_.each(column, [&](std::uint32_t r, double x) {
    --row_count_[r];
    if (place_of_[r] < first_lower_)
      upper_.push(place_of_[r], x);
    else
      touch(r, x);
  });
}

// Takes off the multiples of the columns of L; what stands in their rows goes to U.
void SparseLU::reduce() {
  bump_.ascend(first_lower_, [&](std::size_t k) {
    const double top = work_[row_at_[k]];
    if (std::fabs(top) < kNothing) return;
    upper_.push(static_cast<std::uint32_t>(k), top);
    for (std::size_t e = lower_.start[k]; e < lower_.start[k + 1]; ++e)
      touch(lower_.place[e], -lower_.value[e] * top);
  });
  bump_.clear();
}

// Of the entries that are large enough, one in a row that few columns to come meet.
bool SparseLU::choose_pivot(std::uint32_t& row) const {
  double most = 0.0;
  for (const std::uint32_t r : touched_)
    if (place_of_[r] == kNone) most = std::max(most, std::fabs(work_[r]));
  if (most < kDependent) return false;
  row = kNone;
  for (const std::uint32_t r : touched_) {
    if (place_of_[r] != kNone || std::fabs(work_[r]) < kThreshold * most) continue;
    if (row == kNone || row_count_[r] < row_count_[row] ||
        (row_count_[r] == row_count_[row] && std::fabs(work_[r]) > std::fabs(work_[row])))
      row = r;
  }
  return true;
}

void SparseLU::store(std::uint32_t row) {
  for (const std::uint32_t r : touched_)
    if (place_of_[r] == kNone && std::fabs(work_[r]) >= kNothing)
      lower_.push(r, work_[r] / work_[row]);
  lower_.close();
  upper_.close();
}

void SparseLU::eliminate(const std::vector<std::uint32_t>& basic) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < basic.size(); ++s)
    if (slot_open_[s] && slot_count_[s] > 0) order.push_back(s);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return slot_count_[a] < slot_count_[b];
  });
  for (const std::uint32_t s : order) {
    const std::size_t u = upper_.place.size();
    scatter(basic[s]);
    reduce();
    std::uint32_t row = kNone;
    if (choose_pivot(row)) {
      take(row, s, work_[row]);
      store(row);
    } else {
      upper_.place.resize(u);
      upper_.value.resize(u);
    }
    for (const std::uint32_t r : touched_) work_[r] = is_touched_[r] = 0;
    touched_.clear();
  }
}

std::vector<std::uint32_t> SparseLU::fill_up(std::vector<std::uint32_t>& basic) {
  std::vector<std::uint32_t> out, ordered;
  for (const std::uint32_t s : slot_at_) ordered.push_back(basic[s]);
  for (std::size_t s = 0; s < basic.size(); ++s)
    if (slot_open_[s]) out.push_back(basic[s]);
  for (std::uint32_t r = 0; r < basic.size(); ++r) {
    if (place_of_[r] != kNone) continue;
    ordered.push_back(static_cast<std::uint32_t>(columns_.n_columns()) + r);
    place_of_[r] = static_cast<std::uint32_t>(row_at_.size());
    row_at_.push_back(r);
    diagonal_.push_back(1.0);
    lower_.close();
    upper_.close();
  }
  basic = ordered;
  return out;
}

void SparseLU::finish() {
  for (std::uint32_t& r : lower_.place) r = place_of_[r];
  lower_rows_.transpose(lower_);
  upper_rows_.transpose(upper_);
}

}  // namespace sdclattice
