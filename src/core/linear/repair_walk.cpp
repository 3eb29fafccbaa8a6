#include "linear/repair_walk.hpp"

#include <algorithm>
#include <numeric>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::uint32_t kNoPlace = UINT32_MAX;
constexpr std::uint64_t kForever = UINT64_MAX;
// Entries of a row that one step looks at: of longer rows a window, from a random place on.
constexpr std::size_t kWindow = 256;
// More than all changes of one call add up to.
constexpr std::int64_t kFarAway = kNoLimit / 2;

std::int64_t clamped(WideInt x) {
  if (x > kFarAway) return kFarAway;
  if (x < -kFarAway) return -kFarAway;
  return static_cast<std::int64_t>(x);
}

}  // namespace

std::int64_t RepairWalk::Excess::violation() const {
  return std::max({std::int64_t{0}, over_upper, -over_lower});
}

std::int64_t RepairWalk::Excess::wanted() const {
  return over_upper > 0 ? -over_upper : -std::min(over_lower, std::int64_t{0});
}

RepairWalk::RepairWalk(const LinearSystem& system)
    : system_(system),
      at_(system.n_cells() + 1, 0),
      entries_(system.cell.size()),
      excess_(system.n_rows(), {0, 0}),
      loaded_(system.n_rows(), 0),
      ranged_(system.n_rows(), false),
      place_(system.n_rows(), kNoPlace),
      rests_until_(system.n_cells(), 0),
      logged_(system.n_cells(), 0) {
  for (const std::uint32_t i : system.cell) ++at_[i + 1];
  std::partial_sum(at_.begin(), at_.end(), at_.begin());
  std::vector<std::size_t> next(at_.begin(), at_.end() - 1);
  for (std::uint32_t r = 0; r < system.n_rows(); ++r) {
    ranged_[r] = system.row_lower[r] != system.row_upper[r];
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::int64_t a = system.coefficient[e];
      entries_[next[system.cell[e]]++] = {r, a};
      largest_ = std::max(largest_, a < 0 ? -a : a);
    }
  }
}

bool RepairWalk::move(std::vector<std::int64_t>& x, std::size_t cell, std::int64_t value,
                      const std::vector<std::int64_t>& lower,
                      const std::vector<std::int64_t>& upper, PublicRandom& random,
                      std::size_t max_steps) {
  begin(max_steps);
  if (value < lower[cell] || value > upper[cell]) return false;
  const auto i = static_cast<std::uint32_t>(cell);
  const WideInt by = static_cast<WideInt>(value) - x[cell];
  if (by > most_change_ || by < -most_change_) return false;
  hold(i);
  if (by != 0) apply(i, static_cast<std::int64_t>(by), x);
  return run(x, {lower, upper}, random, max_steps);
}

bool RepairWalk::repair(std::vector<std::int64_t>& x, const std::vector<std::uint32_t>& held,
                        const std::vector<std::int64_t>& lower,
                        const std::vector<std::int64_t>& upper, PublicRandom& random,
                        std::size_t max_steps) {
  begin(max_steps);
  for (const std::uint32_t i : held) hold(i);
  const Limits limits{lower, upper};
  const bool found = enter(x, limits) && run(x, limits, random, max_steps);
  if (!found) {
    put_back(x);
    for (Excess& excess : excess_) excess = {0, 0};
  }
  return found;
}

// All cells within their limits, and the excess of all rows. False when one of them is too large to
// be repaired, or a held cell lies outside.
bool RepairWalk::enter(std::vector<std::int64_t>& x, const Limits& limits) {
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::int64_t inside = std::clamp(x[i], limits.lower[i], limits.upper[i]);
    if (inside == x[i]) continue;
    if (rests_until_[i] == kForever) return false;
    log(i, x);
    x[i] = inside;
  }
  bool near = true;
  for (std::uint32_t r = 0; r < system_.n_rows(); ++r) {
    load(r, x);
    near = near && excess_[r].violation() < kFarAway;
  }
  return near;
}

void RepairWalk::begin(std::size_t max_steps) {
  if (++call_ == 0) {  // the numbers of calls start again
    std::fill(loaded_.begin(), loaded_.end(), 0);
    std::fill(logged_.begin(), logged_.end(), 0);
    call_ = 1;
  }
  changes_.clear();
  const auto steps = static_cast<WideInt>(max_steps) + 2;
  most_change_ = static_cast<std::int64_t>(kFarAway / (steps * largest_));
  step_ += 16;  // nothing rests from the call before
}

bool RepairWalk::run(std::vector<std::int64_t>& x, const Limits& limits, PublicRandom& random,
                     std::size_t max_steps) {
  for (std::size_t n = 0; n < max_steps && !violated_.empty(); ++n, ++step_) {
    Choice choice;
    const std::uint32_t row = violated_[random.below(violated_.size())];
    if (!best_change(row, x, limits, random, choice)) continue;
    apply(choice.cell, choice.by, x);
    rests_until_[choice.cell] = step_ + 4 + random.below(8);
  }
  if (!violated_.empty()) {
    put_back(x);
    return false;
  }
  release();
  const auto stayed = [&x](const Change& change) { return x[change.cell] == change.before; };
  changes_.erase(std::remove_if(changes_.begin(), changes_.end(), stayed), changes_.end());
  return true;
}

void RepairWalk::put_back(std::vector<std::int64_t>& x) {
  release();
  for (const Change& change : changes_) {
    x[change.cell] = change.before;
    for (std::size_t e = at_[change.cell]; e < at_[change.cell + 1]; ++e)
      excess_[entries_[e].row] = {0, 0};
  }
  for (const std::uint32_t r : violated_) place_[r] = kNoPlace;
  violated_.clear();
  changes_.clear();
}

// Of the changes that meet the row, or come nearer to it by one unit of a cell, one that leaves the
// least violation of all rows.
bool RepairWalk::best_change(std::uint32_t row, const std::vector<std::int64_t>& x,
                             const Limits& limits, PublicRandom& random, Choice& best) {
  const std::size_t first = system_.start[row], n = system_.start[row + 1] - first;
  const std::int64_t wanted = excess_[row].wanted();
  std::int64_t least = INT64_MAX;
  std::size_t ties = 0;
  const auto consider = [&](std::uint32_t i, std::int64_t by) {
    const std::int64_t own = cost(i, by, x);
    if (own > least) return;
    if (own < least) ties = 0;
    least = own;
    if (random.below(++ties) == 0) best = {i, by};
  };
  const std::size_t from = n > kWindow ? random.below(n) : 0;
  for (std::size_t k = 0; k < std::min(n, kWindow); ++k) {
    const std::size_t e = first + (from + k) % n;
    const std::uint32_t i = system_.cell[e];
    if (rests_until_[i] > step_) continue;
    const bool up = (wanted > 0) == (system_.coefficient[e] > 0);
    const std::int64_t room = up ? limits.upper[i] - x[i] : x[i] - limits.lower[i];
    if (room <= 0) continue;
    const std::int64_t whole = wanted / system_.coefficient[e];
    const std::int64_t size = std::min({room, whole < 0 ? -whole : whole, most_change_});
    if (size > 1) consider(i, up ? size : -size);
    consider(i, up ? 1 : -1);
  }
  return ties > 0;
}

// How much the violation of all rows grows.
std::int64_t RepairWalk::cost(std::uint32_t cell, std::int64_t by,
                              const std::vector<std::int64_t>& x) {
  std::int64_t out = 0;
  for (std::size_t e = at_[cell]; e < at_[cell + 1]; ++e) {
    const auto [row, coefficient] = entries_[e];
    if (ranged_[row] && loaded_[row] != call_) load(row, x);
    const Excess& now = excess_[row];
    const std::int64_t step = coefficient * by;
    out += Excess{now.over_lower + step, now.over_upper + step}.violation() - now.violation();
  }
  return out;
}

void RepairWalk::apply(std::uint32_t cell, std::int64_t by, std::vector<std::int64_t>& x) {
  for (std::size_t e = at_[cell]; e < at_[cell + 1]; ++e)
    if (ranged_[entries_[e].row] && loaded_[entries_[e].row] != call_) load(entries_[e].row, x);
  log(cell, x);
  x[cell] += by;
  for (std::size_t e = at_[cell]; e < at_[cell + 1]; ++e) {
    Excess& now = excess_[entries_[e].row];
    now.over_lower += entries_[e].coefficient * by;
    now.over_upper += entries_[e].coefficient * by;
    list(entries_[e].row);
  }
}

void RepairWalk::log(std::uint32_t cell, const std::vector<std::int64_t>& x) {
  if (logged_[cell] == call_) return;
  logged_[cell] = call_;
  changes_.push_back({cell, x[cell]});
}

void RepairWalk::load(std::uint32_t row, const std::vector<std::int64_t>& x) {
  WideInt sum = 0;
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e)
    sum += static_cast<WideInt>(system_.coefficient[e]) * x[system_.cell[e]];
  const std::int64_t lower = system_.row_lower[row], upper = system_.row_upper[row];
  excess_[row] = {lower <= -kNoLimit ? kFarAway : clamped(sum - lower),
                  upper >= kNoLimit ? -kFarAway : clamped(sum - upper)};
  loaded_[row] = call_;
  list(row);
}

// Enters or leaves the list of violated rows.
void RepairWalk::list(std::uint32_t row) {
  const bool is_violated = excess_[row].violation() > 0;
  if (is_violated == (place_[row] != kNoPlace)) return;
  if (is_violated) {
    place_[row] = static_cast<std::uint32_t>(violated_.size());
    violated_.push_back(row);
    return;
  }
  const std::uint32_t last = violated_.back();
  violated_[place_[row]] = last;
  place_[last] = place_[row];
  violated_.pop_back();
  place_[row] = kNoPlace;
}

void RepairWalk::hold(std::uint32_t cell) {
  rests_until_[cell] = kForever;
  held_.push_back(cell);
}

void RepairWalk::release() {
  for (const std::uint32_t i : held_) rests_until_[i] = 0;
  held_.clear();
}

}  // namespace sdclattice
