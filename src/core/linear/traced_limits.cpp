#include "linear/traced_limits.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sdclattice {

namespace {

// Numbers of a combination beyond this are given up.
constexpr std::int64_t kLargestTraced = std::int64_t{1} << 50;
// Limits beyond this are not worth a step.
constexpr std::int64_t kLargestLimit = std::int64_t{1} << 53;

WideInt common_divisor(WideInt a, WideInt b) {
  while (b != 0) a = std::exchange(b, a % b);
  return magnitude(a);
}

}  // namespace

TracedLimits::TracedLimits(const LinearSystem& system)
    : system_(system),
      by_cell_(system),
      lower_(system.lower),
      upper_(system.upper),
      given_lower_(system.lower),
      given_upper_(system.upper),
      last_(2 * system.n_cells(), SIZE_MAX),
      queue_(system.n_rows()),
      waits_(system.n_rows(), true),
      times_(system.n_rows(), 0),
      sum_(system.n_cells(), 0) {
  std::iota(queue_.begin(), queue_.end(), 0u);
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    if (lower_[i] > upper_[i]) conflict_.before = 0;
}

// ---- narrowing ---------------------------------------------------------------------------------

void TracedLimits::wait_for(std::size_t cell) {
  for (std::size_t k = by_cell_.at[cell]; k < by_cell_.at[cell + 1]; ++k) {
    const std::uint32_t row = by_cell_.row[k];
    if (waits_[row]) continue;
    waits_[row] = true;
    queue_.push_back(row);
  }
}

void TracedLimits::forget_waiting() {
  for (const std::uint32_t row : queue_) waits_[row] = false;
  queue_.clear();
}

void TracedLimits::set(std::size_t cell, bool is_upper, std::int64_t to, const Step& why) {
  std::int64_t& limit = is_upper ? upper_[cell] : lower_[cell];
  Step step = why;
  step.cell = static_cast<std::uint32_t>(cell);
  step.is_upper = is_upper;
  step.before = limit;
  step.after = to;
  step.earlier = last_[side(cell, is_upper)];
  last_[side(cell, is_upper)] = steps_.size();
  steps_.push_back(step);
  limit = to;
  wait_for(cell);
}

void TracedLimits::give(std::size_t cell, std::int64_t lower, std::int64_t upper) {
  given_.push_back({static_cast<std::uint32_t>(cell), given_lower_[cell], given_upper_[cell]});
  given_lower_[cell] = std::max(given_lower_[cell], lower);
  given_upper_[cell] = std::min(given_upper_[cell], upper);
  if (given_lower_[cell] > given_upper_[cell]) {
    conflict_ = {{}, 0};
    return;
  }
  // A limit that crosses a narrowed one contradicts the row that narrowed it.
  if (lower > upper_[cell]) conflict_ = cause(last_[side(cell, true)]);
  if (upper < lower_[cell]) conflict_ = cause(last_[side(cell, false)]);
  if (conflict_.before != SIZE_MAX) return;
  if (lower > lower_[cell]) set(cell, false, lower, {});
  if (upper < upper_[cell]) set(cell, true, upper, {});
}

TracedLimits::Conflict TracedLimits::cause(std::size_t s) const {
  const Step& step = steps_[s];
  const bool by_upper = step.is_upper == (step.coefficient > 0);
  return {{{step.row}, {by_upper ? 1 : -1}}, s};
}

void TracedLimits::undo(const Mark& mark) {
  while (steps_.size() > mark.n_steps) {
    const Step& step = steps_.back();
    (step.is_upper ? upper_ : lower_)[step.cell] = step.before;
    last_[side(step.cell, step.is_upper)] = step.earlier;
    steps_.pop_back();
  }
  while (given_.size() > mark.n_given) {
    const Given& given = given_.back();
    given_lower_[given.cell] = given.lower;
    given_upper_[given.cell] = given.upper;
    given_.pop_back();
  }
  conflict_ = {};
  forget_waiting();
}

bool TracedLimits::propagate(const std::function<void()>& check, std::size_t max_visits) {
  std::size_t at = 0;
  for (; conflict_.before == SIZE_MAX && at < queue_.size() && at < max_visits; ++at) {
    if (at % 64 == 0) check();
    const std::uint32_t row = queue_[at];
    waits_[row] = false;
    if (!visit(row)) break;
  }
  forget_waiting();
  return conflict_.before == SIZE_MAX;
}

namespace {

// One end of what the entries of a row can add up to.
struct End {
  WideInt sum = 0;
  std::size_t n_open = 0;
};

}  // namespace

// Both limits of the row: with the upper one, the least of the other cells counts.
bool TracedLimits::visit(std::uint32_t row) {
  for (const bool by_upper : {true, false}) {
    const std::int64_t limit = by_upper ? system_.row_upper[row] : system_.row_lower[row];
    if (magnitude(limit) >= kNoLimit) continue;
    End end;
    const auto extreme = [&](std::size_t e) {  // of an entry; open where there is no limit
      const bool low = (system_.coefficient[e] > 0) == by_upper;
      const std::int64_t x = low ? lower_[system_.cell[e]] : upper_[system_.cell[e]];
      return std::make_pair(x >= kNoLimit, wide_product(system_.coefficient[e], x));
    };
    for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
      const auto [open, value] = extreme(e);
      open ? static_cast<void>(++end.n_open) : static_cast<void>(end.sum += value);
    }
    if (end.n_open == 0 && (by_upper ? end.sum > limit : end.sum < limit)) {
      conflict_ = {{{row}, {by_upper ? 1 : -1}}, steps_.size()};
      return false;
    }
    if (end.n_open > 1) continue;
    for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
      const auto [open, value] = extreme(e);
      if (!open && end.n_open > 0) continue;
      apply(row, e, by_upper, limit - (open ? end.sum : end.sum - value));
    }
  }
  return true;
}

// coefficient * cell <= room by an upper limit, >= room by a lower one.
void TracedLimits::apply(std::uint32_t row, std::size_t entry, bool by_upper, WideInt room) {
  const std::int64_t a = system_.coefficient[entry];
  const std::size_t i = system_.cell[entry];
  const bool is_upper = (a > 0) == by_upper;
  const WideInt bound = is_upper ? floor_ratio(room, WideInt{a}) : ceil_ratio(room, WideInt{a});
  if (is_upper ? bound >= upper_[i] : bound <= lower_[i]) return;
  if (magnitude(bound) > kLargestLimit) return;
  Step why;
  why.row = row;
  why.coefficient = a;
  why.is_rounded = bound * a != room;
  set(i, is_upper, static_cast<std::int64_t>(bound), why);
}

// ---- tracing back ------------------------------------------------------------------------------

bool TracedLimits::is_given(const Step& step) const {
  return step.is_upper ? given_upper_[step.cell] <= step.after
                       : given_lower_[step.cell] >= step.after;
}

// The latest step before `before` that made the limit which the cell counts with.
void TracedLimits::look_back(std::size_t cell, std::size_t before) {
  if (sum_[cell] == 0) return;
  std::size_t s = last_[side(cell, sum_[cell] < 0)];
  while (s != SIZE_MAX && s >= before) s = steps_[s].earlier;
  if (s == SIZE_MAX || is_given(steps_[s])) return;
  heap_.push_back(s);
  std::push_heap(heap_.begin(), heap_.end());
}

bool TracedLimits::add(std::uint32_t row, WideInt times) {
  if (times_[row] == 0) rows_.push_back(row);
  times_[row] += times;
  if (magnitude(times_[row]) > kLargestTraced) return false;
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
    WideInt& sum = sum_[system_.cell[e]];
    if (sum == 0) cells_.push_back(system_.cell[e]);
    sum += times * system_.coefficient[e];
    if (magnitude(sum) > kLargestTraced) return false;
  }
  return true;
}

// The cell of the step leaves the combination by the row that gave its limit.
bool TracedLimits::replace(const Step& step) {
  const WideInt a = step.coefficient, own = sum_[step.cell];
  const WideInt scale = magnitude(a) / common_divisor(magnitude(own), magnitude(a));
  if (scale > 1) {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    for (const std::uint32_t r : rows_) times_[r] *= scale;
    for (const std::uint32_t i : cells_) sum_[i] *= scale;
  }
  return add(step.row, -own * scale / a);
}

TracedLimits::Trace TracedLimits::trace(const Conflict& conflict) {
  Trace out;
  bool fits = true;
  for (std::size_t k = 0; k < conflict.rows.row.size() && fits; ++k)
    fits = add(conflict.rows.row[k], conflict.rows.times[k]);
  heap_.clear();
  std::vector<std::uint32_t> seen = cells_;
  for (const std::uint32_t i : seen) look_back(i, conflict.before);
  while (fits && !heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const std::size_t s = heap_.back();
    heap_.pop_back();
    const Step& step = steps_[s];
    if (sum_[step.cell] == 0 || (sum_[step.cell] < 0) != step.is_upper) continue;
    if (step.is_rounded) out.rounded = s;
    fits = replace(step);
    for (std::size_t e = system_.start[step.row]; e < system_.start[step.row + 1]; ++e)
      look_back(system_.cell[e], s);
  }
  if (fits) out.rows = collect();
  clear_trace();
  out.proves = fits && excludes(out.rows);
  return out;
}

Combination TracedLimits::collect() {
  Combination out;
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
  WideInt divisor = 0;
  for (const std::uint32_t r : rows_) divisor = common_divisor(divisor, magnitude(times_[r]));
  for (const std::uint32_t r : rows_) {
    if (times_[r] == 0) continue;
    out.row.push_back(r);
    out.times.push_back(static_cast<std::int64_t>(times_[r] / divisor));
  }
  return out;
}

void TracedLimits::clear_trace() {
  for (const std::uint32_t r : rows_) times_[r] = 0;
  for (const std::uint32_t i : cells_) sum_[i] = 0;
  rows_.clear();
  cells_.clear();
}

// The least that the cells can add up to, over the given limits, exceeds what the rows allow.
bool TracedLimits::excludes(const Combination& rows) const {
  std::vector<std::pair<std::uint32_t, WideInt>> sum;
  WideInt room = 0;
  for (std::size_t k = 0; k < rows.row.size(); ++k) {
    const std::uint32_t r = rows.row[k];
    const std::int64_t limit = rows.times[k] > 0 ? system_.row_upper[r] : system_.row_lower[r];
    if (magnitude(limit) >= kNoLimit) return false;
    room += wide_product(rows.times[k], limit);
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      sum.emplace_back(system_.cell[e], wide_product(rows.times[k], system_.coefficient[e]));
  }
  std::sort(sum.begin(), sum.end());
  WideInt least = 0;
  for (std::size_t k = 0; k < sum.size();) {
    const std::uint32_t i = sum[k].first;
    WideInt own = 0;
    for (; k < sum.size() && sum[k].first == i; ++k) own += sum[k].second;
    const std::int64_t limit = own > 0 ? given_lower_[i] : given_upper_[i];
    if (own != 0 && magnitude(limit) >= kNoLimit) return false;
    least += own * limit;
  }
  return least > room;
}

}  // namespace sdclattice
