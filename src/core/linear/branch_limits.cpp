#include "linear/branch_limits.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

namespace {

// Visits of rows, for each row of the system, that one call makes at most.
constexpr std::size_t kMostVisits = 20;
// Limits that raise each other without end stop here.
constexpr std::int64_t kFar = kNoLimit / 256;

bool is_open(std::int64_t limit) {
  return limit >= kNoLimit || limit <= -kNoLimit;
}

}  // namespace

void BranchLimits::End::add(std::int64_t coefficient, std::int64_t limit) {
  if (is_open(limit))
    ++n_open;
  else
    sum += wide_product(coefficient, limit);
}

bool BranchLimits::End::without(std::int64_t coefficient, std::int64_t limit, WideInt& rest) const {
  if (n_open > (is_open(limit) ? 1u : 0u)) return false;
  rest = is_open(limit) ? sum : sum - wide_product(coefficient, limit);
  return true;
}

BranchLimits::BranchLimits(const LinearSystem& system, std::vector<std::int64_t> lower,
                           std::vector<std::int64_t> upper)
    : system_(system),
      rows_(system),
      lower_(std::move(lower)),
      upper_(std::move(upper)),
      is_queued_(system.n_rows(), false) {}

void BranchLimits::undo() {
  const Change& last = changes_.back();
  lower_[last.cell] = last.lower;
  upper_[last.cell] = last.upper;
  changes_.pop_back();
}

bool BranchLimits::narrow(std::uint32_t cell, std::int64_t lower, std::int64_t upper) {
  failed_row_ = SIZE_MAX;
  return set(cell, lower, upper) && work_off();
}

bool BranchLimits::narrow_by_all() {
  for (std::uint32_t r = 0; r < system_.n_rows(); ++r) {
    is_queued_[r] = true;
    queue_.push_back(r);
  }
  return work_off();
}

bool BranchLimits::work_off() {
  const std::size_t most = kMostVisits * (system_.n_rows() + 1);
  bool holds = true;
  std::size_t at = 0;
  for (; at < queue_.size() && at < most && holds; ++at) {
    is_queued_[queue_[at]] = false;
    holds = narrow_by(queue_[at]);
    if (!holds) failed_row_ = queue_[at];
  }
  for (; at < queue_.size(); ++at) is_queued_[queue_[at]] = false;
  queue_.clear();
  return holds;
}

// What an entry adds to the largest sum of its row, or to the least, as a limit of its cell.
std::int64_t BranchLimits::limit_of(std::size_t entry, bool most) const {
  const std::uint32_t i = system_.cell[entry];
  return (system_.coefficient[entry] > 0) == most ? upper_[i] : lower_[i];
}

bool BranchLimits::narrow_by(std::uint32_t row) {
  End least, most;
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
    least.add(system_.coefficient[e], limit_of(e, false));
    most.add(system_.coefficient[e], limit_of(e, true));
  }
  if (least.n_open == 0 && least.sum > system_.row_upper[row]) return false;
  if (most.n_open == 0 && most.sum < system_.row_lower[row]) return false;
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e)
    if (!narrow_entry(e, row, least, most)) return false;
  return true;
}

// The sums may be older than some limits: they are wider then, and so is what follows.
bool BranchLimits::narrow_entry(std::size_t entry, std::uint32_t row, const End& least,
                                const End& most) {
  const std::uint32_t i = system_.cell[entry];
  if (lower_[i] == upper_[i]) return true;
  const std::int64_t a = system_.coefficient[entry];
  const WideInt wide_a = a;
  WideInt lower = lower_[i], upper = upper_[i], rest = 0;
  if (system_.row_upper[row] < kNoLimit && least.without(a, limit_of(entry, false), rest)) {
    const WideInt room = system_.row_upper[row] - rest;
    if (a > 0)
      upper = std::min(upper, floor_ratio(room, wide_a));
    else
      lower = std::max(lower, ceil_ratio(room, wide_a));
  }
  if (system_.row_lower[row] > -kNoLimit && most.without(a, limit_of(entry, true), rest)) {
    const WideInt need = system_.row_lower[row] - rest;
    if (a > 0)
      lower = std::max(lower, ceil_ratio(need, wide_a));
    else
      upper = std::min(upper, floor_ratio(need, wide_a));
  }
  return set(i, lower, upper);
}

bool BranchLimits::set(std::uint32_t cell, WideInt lower, WideInt upper) {
  if (lower > kFar) lower = lower_[cell];
  if (upper < -kFar) upper = upper_[cell];
  lower = std::max<WideInt>(lower, lower_[cell]);
  upper = std::min<WideInt>(upper, upper_[cell]);
  if (lower > upper) return false;
  if (lower == lower_[cell] && upper == upper_[cell]) return true;
  changes_.push_back({cell, lower_[cell], upper_[cell]});
  lower_[cell] = static_cast<std::int64_t>(lower);
  upper_[cell] = static_cast<std::int64_t>(upper);
  for (std::size_t k = rows_.at[cell]; k < rows_.at[cell + 1]; ++k) {
    const std::uint32_t r = rows_.row[k];
    if (is_queued_[r]) continue;
    is_queued_[r] = true;
    queue_.push_back(r);
  }
  return true;
}

}  // namespace sdclattice
