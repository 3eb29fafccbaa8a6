// The factor of a basis: peeling, elimination of the bump, and units for what has no pivot.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/sparse_lu.hpp"

namespace sdclattice {

namespace {

constexpr double kNothing = 1e-14;
constexpr double kDependent = 1e-9;  // no pivot is smaller
constexpr std::size_t kFewUpdates = 64, kMostUpdates = 512;
constexpr std::size_t kMostSeen = 4;  // columns in search of a pivot
constexpr double kThreshold = 0.1;    // a pivot is at least this share of the largest in its column

}  // namespace

SparseLU::SparseLU(const SparseColumns& columns)
    : columns_(columns),
      most_updates_(std::min(kMostUpdates, kFewUpdates + columns.n_rows / 64)),
      cleared_(n_places()),
      bump_column_(columns.n_rows),
      bump_row_(columns.n_rows),
      before_(columns.n_rows, kNone),
      after_(columns.n_rows, kNone),
      multiple_(columns.n_rows, 0.0),
      stamp_of_(columns.n_rows, 0) {
  std::vector<std::uint32_t> units(columns.n_rows);
  std::iota(units.begin(), units.end(), static_cast<std::uint32_t>(columns.n_columns()));
  factor(units);
}

std::vector<std::uint32_t> SparseLU::factor(std::vector<std::uint32_t>& basic) {
  clear();
  read(basic);
  peel_columns();
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
  upper_rows_.clear();
  diagonal_.clear();
  left_.clear();
  is_left_.assign(n_places(), 0);
  row_eta_.clear();
  chain_at_.assign(n_places(), kNone);
  chain_.clear();
  is_doubtful_ = false;
  row_count_.assign(m, 0);
  row_mix_.assign(m, 0);
  slot_count_.assign(m, 0);
  slot_mix_.assign(m, 0);
  slot_open_.assign(m, 1);
  slot_at_.clear();
  queue_.clear();
  is_loaded_.assign(m, 0);
  first_with_.assign(m + 1, kNone);
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
  meet_value_.resize(meet_start_[m]);
  std::vector<std::size_t> at(meet_start_.begin(), meet_start_.end() - 1);
  for (std::uint32_t s = 0; s < m; ++s)
    columns_.each(basic[s], [&](std::uint32_t r, double x) {
      meet_[at[r]] = s;
      meet_value_[at[r]++] = x;
    });
}

void SparseLU::take(std::uint32_t row, std::uint32_t slot, double pivot) {
  place_of_[row] = static_cast<std::uint32_t>(row_at_.size());
  row_at_.push_back(row);
  slot_at_.push_back(slot);
  slot_open_[slot] = 0;
  diagonal_.push_back(pivot);
}

// A column with one open row: the others of that row meet it in U.
void SparseLU::peel_columns() {
  for (std::uint32_t s = 0; s < slot_count_.size(); ++s)
    if (slot_count_[s] == 1) queue_.push_back(s);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    const std::uint32_t s = queue_[q];
    if (slot_count_[s] != 1) continue;
    const std::uint32_t r = slot_mix_[s];
    double pivot = 0.0;
    for (std::size_t e = meet_start_[r]; e < meet_start_[r + 1]; ++e) {
      const std::uint32_t other = meet_[e];
      slot_mix_[other] ^= r;
      if (--slot_count_[other] == 1) queue_.push_back(other);
      if (other == s)
        pivot = meet_value_[e];
      else
        upper_rows_.push(other, meet_value_[e]);
    }
    take(r, s, pivot);
    upper_rows_.close();
    lower_.close();
  }
  queue_.clear();
}

// A row with one open column, whose other rows go to L. No other column is changed by it.
void SparseLU::peel_rows(const std::vector<std::uint32_t>& basic) {
  for (std::uint32_t r = 0; r < n_rows(); ++r)
    if (place_of_[r] == kNone && row_count_[r] == 1) queue_.push_back(r);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    const std::uint32_t r = queue_[q];
    if (row_count_[r] != 1 || place_of_[r] != kNone) continue;
    const std::uint32_t s = row_mix_[r];
    double pivot = 0.0;
    columns_.each(basic[s], [&](std::uint32_t i, double x) { pivot = i == r ? x : pivot; });
    take(r, s, pivot);
    columns_.each(basic[s], [&](std::uint32_t i, double x) {
      row_mix_[i] ^= s;
      --row_count_[i];
      if (place_of_[i] != kNone) return;
      lower_.push(i, x / pivot);
      if (row_count_[i] == 1) queue_.push_back(i);
    });
    lower_.close();
    upper_rows_.close();
  }
  queue_.clear();
}

// The open columns with their open rows. row_count_ holds the open columns of each row.
void SparseLU::load_bump(const std::vector<std::uint32_t>& basic) {
  least_count_ = 1;
  for (std::uint32_t s = 0; s < basic.size(); ++s) {
    if (!slot_open_[s] || slot_count_[s] == 0) continue;
    bump_column_[s].clear();
    columns_.each(basic[s], [&](std::uint32_t r, double x) {
      if (place_of_[r] != kNone) return;
      bump_column_[s].push_back({r, x});
      if (!is_loaded_[r]) bump_row_[r].clear();
      is_loaded_[r] = 1;
      bump_row_[r].push_back(s);
    });
    link(s);
  }
}

// Open columns are listed by the number of their entries.
void SparseLU::link(std::uint32_t s) {
  const std::size_t n = bump_column_[s].size();
  before_[s] = kNone;
  after_[s] = first_with_[n];
  if (after_[s] != kNone) before_[after_[s]] = s;
  first_with_[n] = s;
  if (n > 0) least_count_ = std::min(least_count_, n);
}

void SparseLU::unlink(std::uint32_t s) {
  if (after_[s] != kNone) before_[after_[s]] = before_[s];
  if (before_[s] != kNone)
    after_[before_[s]] = after_[s];
  else
    first_with_[bump_column_[s].size()] = after_[s];
}

// The entry of a column, large enough, with the least possible fill; false where all are nothing.
bool SparseLU::judge(std::uint32_t s, Pivot& best) const {
  double most = 0.0;
  for (const Entry& e : bump_column_[s]) most = std::max(most, std::fabs(e.value));
  if (most < kDependent) return false;
  for (const Entry& e : bump_column_[s]) {
    if (std::fabs(e.value) < kThreshold * most) continue;
    const std::size_t fill = (bump_column_[s].size() - 1) * (row_count_[e.row] - 1);
    if (fill > best.fill || (fill == best.fill && std::fabs(e.value) <= std::fabs(best.value)))
      continue;
    best = {e.row, s, e.value, fill};
  }
  return true;
}

// Looks at a few of the shortest columns (Markowitz 1957).
bool SparseLU::find_pivot(Pivot& best) {
  std::size_t seen = 0;
  while (least_count_ < first_with_.size() && first_with_[least_count_] == kNone) ++least_count_;
  for (std::size_t n = least_count_; n < first_with_.size() && seen < kMostSeen; ++n) {
    if (seen > 0 && best.fill <= (n - 1) * (n - 1)) break;
    for (std::uint32_t s = first_with_[n]; s != kNone && seen < kMostSeen;) {
      const std::uint32_t next = after_[s];
      if (judge(s, best))
        ++seen;
      else
        drop(s);
      s = next;
    }
  }
  return seen > 0;
}

void SparseLU::drop(std::uint32_t s) {
  unlink(s);
  for (const Entry& e : bump_column_[s]) --row_count_[e.row];
  bump_column_[s].clear();
}

// The pivot's row and column leave; multiples of the column are taken off the others of its row.
void SparseLU::pivot_on(const Pivot& p) {
  take(p.row, p.slot, p.value);
  unlink(p.slot);
  const std::size_t first = lower_.place.size();
  for (const Entry& e : bump_column_[p.slot]) {
    --row_count_[e.row];
    if (e.row == p.row) continue;
    lower_.push(e.row, e.value / p.value);
    multiple_[e.row] = e.value / p.value;
  }
  lower_.close();
  bump_column_[p.slot].clear();
  for (const std::uint32_t s : bump_row_[p.row]) take_off(p.row, s, first);
  upper_rows_.close();
  for (std::size_t e = first; e < lower_.place.size(); ++e) multiple_[lower_.place[e]] = 0.0;
}

void SparseLU::take_off(std::uint32_t row, std::uint32_t s, std::size_t first) {
  std::vector<Entry>& column = bump_column_[s];
  const auto at =
      std::find_if(column.begin(), column.end(), [&](const Entry& e) { return e.row == row; });
  if (at == column.end()) return;  // the pivot's column, one that left, or a sum that vanished
  unlink(s);
  const double top = at->value;
  *at = column.back();
  column.pop_back();
  upper_rows_.push(s, top);
  ++stamp_;
  std::size_t n = 0;
  for (const Entry e : column) {
    stamp_of_[e.row] = stamp_;
    const double value = e.value - multiple_[e.row] * top;
    if (std::fabs(value) >= kNothing)
      column[n++] = {e.row, value};
    else
      --row_count_[e.row];
  }
  column.resize(n);
  for (std::size_t e = first; e < lower_.place.size(); ++e) {
    const std::uint32_t r = lower_.place[e];
    if (stamp_of_[r] == stamp_) continue;
    column.push_back({r, -lower_.value[e] * top});
    bump_row_[r].push_back(s);
    ++row_count_[r];
  }
  link(s);
}

void SparseLU::eliminate(const std::vector<std::uint32_t>& basic) {
  load_bump(basic);
  for (Pivot p; find_pivot(p); p = Pivot{}) pivot_on(p);
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
    upper_rows_.close();
  }
  basic = ordered;
  return out;
}

// Places instead of slots and rows; the other sides.
void SparseLU::finish() {
  std::vector<std::uint32_t> place_of_slot(slot_open_.size(), kNone);
  for (std::size_t k = 0; k < slot_at_.size(); ++k)
    place_of_slot[slot_at_[k]] = static_cast<std::uint32_t>(k);
  for (std::uint32_t& r : lower_.place) r = place_of_[r];
  upper_rows_.rename(place_of_slot, kNone);
  lower_rows_.transpose(lower_);
  upper_.transpose(upper_rows_);
  factored_entries_ = lower_.place.size() + upper_.place.size();
}

}  // namespace sdclattice
