#include "round/small_rounding.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/work_clock.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kTickEvery = std::size_t{1} << 14;
constexpr std::uint64_t kMaxPairs = std::uint64_t{1} << 32;
constexpr double kHeat = 1.5;  // of the first trials, in multiples
constexpr double kCool = 0.8;  // the share of trials after which none may hurt

bool is_small(std::int64_t value, std::int64_t base) {
  return value > 0 && value < base;
}

// A published cell above some candidates.
struct Sum {
  std::uint32_t number = 0;  // among all published cells
  std::uint8_t small = 0;    // below the base: at most one candidate goes up
  std::uint8_t fragile = 0;  // small when none goes up: its other cells are less than the base
  std::uint32_t up = 0;      // candidates that go up
  std::int64_t away = 0;     // how much more it is than before
};

// A small sum with two candidates up would be more than the base: no gain makes up for that. There
// is none at the start, and so there is never one. A sum that becomes small is mended by further
// candidates.
constexpr std::int64_t kNever = std::int64_t{1} << 32;

// What a change of sides does: broken rules, and then the squares of all sums, in units of the
// base.
struct Change {
  std::int64_t broken = 0, squares = 0;

  bool is_better() const { return broken < 0 || (broken == 0 && squares < 0); }
  bool is_within(double limit) const {
    return broken < 0 || (broken == 0 && squares != 0 && static_cast<double>(squares) <= limit);
  }
  Change operator+(const Change& other) const {
    return {broken + other.broken, squares + other.squares};
  }
};

// Candidates, the published cells above them, and a choice of those that go up.
class SmallChoice {
 public:
  SmallChoice(const CellsView& cells, CellSums& sums, const std::vector<std::uint32_t>& candidates,
              std::int64_t base, const Tick& tick)
      : base_(base), up_(candidates.size(), 0) {
    for (std::uint32_t c : candidates) {
      if (count_.size() % kTickEvery == 0) report(tick, 0);
      count_.push_back(static_cast<std::int64_t>(cells.counts[c]));
      for (std::uint32_t number : sums.above(c)) above_.item.push_back(local(number));
      if (above_.item.size() > kMaxPairs)
        throw TooLargeError("The small counts are part of more than 2^32 published cells in all.");
      above_.close();
    }
    below_ = transposed(above_.start, above_.item, sums_.size());
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      std::int64_t rest = sums.value(sums_[s].number);
      for (const std::uint32_t* c = below_.begin(s); c != below_.end(s); ++c) rest -= count_[*c];
      sums_[s].small = is_small(sums.value(sums_[s].number), base) ? 1 : 0;
      sums_[s].fragile = is_small(rest, base) ? 1 : 0;
    }
  }

  std::size_t n() const { return count_.size(); }
  const std::vector<std::uint8_t>& up() const { return up_; }

  // One candidate after the other goes where the sums of those that are decided come nearer.
  void decide_in_turn(PublicRandom& random, const Tick& tick) {
    std::vector<std::uint32_t> order(n());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    random.shuffle(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i % kTickEvery == 0) report(tick, 0);
      decide(order[i]);
    }
  }

  // Tries one change of sides, of a candidate or of two below the same sum, and keeps it when it
  // costs at most `limit`.
  void attempt(PublicRandom& random, double limit) {
    const auto c = static_cast<std::uint32_t>(random.below(n()));
    const std::uint32_t other = partner(c, random);
    const Change alone = change(c);
    if (other == c || alone.is_better()) {
      if (alone.is_within(limit)) flip(c);
      return;
    }
    flip(c);
    flip((alone + change(other)).is_within(limit) ? other : c);
  }

  // Single candidates change sides as long as that helps.
  void settle(WorkClock& clock) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t c = 0; c < n(); ++c) {
        clock.check();
        if (!change(c).is_better()) continue;
        flip(c);
        changed = true;
      }
    }
  }

  // Published cells that were not small and are now.
  std::vector<std::uint32_t> newly_small() const {
    std::vector<std::uint32_t> out;
    for (const Sum& sum : sums_)
      if (sum.fragile != 0 && sum.up == 0) out.push_back(sum.number);
    return out;
  }

 private:
  std::uint32_t local(std::uint32_t number) {
    const auto found = local_.try_emplace(number, static_cast<std::uint32_t>(sums_.size()));
    if (found.second) sums_.push_back({number, 0, 0, 0, 0});
    return *found.first;
  }

  void decide(std::uint32_t c) {
    std::int64_t gain = 0;
    bool may = true;
    for (const std::uint32_t* s = above_.begin(c); s != above_.end(c); ++s) {
      Sum& sum = sums_[*s];
      sum.away -= count_[c];
      gain -= base_ + 2 * sum.away;
      may = may && (sum.small == 0 || sum.up == 0);
    }
    if (may && gain > 0) flip(c);
  }

  Change change(std::uint32_t c) const {
    const std::int64_t step = up_[c] != 0 ? -1 : 1;
    Change out;
    for (const std::uint32_t* s = above_.begin(c); s != above_.end(c); ++s) {
      const Sum& sum = sums_[*s];
      out.squares += base_ + 2 * step * sum.away;
      const std::uint32_t low = up_[c] != 0 ? sum.up - 1 : sum.up;  // without this candidate
      out.broken += step * (kNever * sum.small * (low > 0) - sum.fragile * (low == 0));
    }
    return out;
  }

  void flip(std::uint32_t c) {
    const bool rise = up_[c] == 0;
    up_[c] = rise ? 1 : 0;
    for (const std::uint32_t* s = above_.begin(c); s != above_.end(c); ++s) {
      Sum& sum = sums_[*s];
      sum.away += rise ? base_ : -base_;
      sum.up += rise ? 1U : UINT32_MAX;
    }
  }

  // Another candidate on the other side below one of the smaller sums above c; c itself when none
  // is met.
  std::uint32_t partner(std::uint32_t c, PublicRandom& random) const {
    const std::size_t n_above = above_.size(c);
    if (n_above == 0) return c;
    std::uint32_t s = above_.begin(c)[random.below(n_above)];
    const std::uint32_t t = above_.begin(c)[random.below(n_above)];
    if (below_.size(t) < below_.size(s)) s = t;
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t other = below_.begin(s)[random.below(below_.size(s))];
      if (up_[other] != up_[c]) return other;
    }
    return c;
  }

  std::int64_t base_;
  std::vector<std::int64_t> count_;
  std::vector<std::uint8_t> up_;
  Lists above_, below_;  // the sums above a candidate; the candidates below a sum
  std::vector<Sum> sums_;
  FlatMap<std::uint32_t, UINT32_MAX> local_;
};

// The leaf cells below the base that are part of a published cell that is_marked() says yes to.
template <class IsMarked>
std::vector<std::uint32_t> cells_below(const CellsView& cells, CellSums& sums, std::int64_t base,
                                       const Tick& tick, IsMarked is_marked) {
  std::vector<std::uint32_t> out;
  for (std::size_t c = 0; c < cells.n; ++c) {
    if (c % kTickEvery == 0) report(tick, 0);
    if (cells.counts[c] >= static_cast<double>(base)) continue;
    const std::vector<std::uint32_t>& above = sums.above(c);
    if (std::any_of(above.begin(), above.end(), is_marked))
      out.push_back(static_cast<std::uint32_t>(c));
  }
  return out;
}

// Candidates, and those that are below published cells that have become small.
std::vector<std::uint32_t> with_more(const CellsView& cells, CellSums& sums, std::int64_t base,
                                     const std::vector<std::uint32_t>& candidates,
                                     const std::vector<std::uint32_t>& newly_small,
                                     const Tick& tick) {
  std::vector<bool> marked(sums.n_sums());
  for (std::uint32_t s : newly_small) marked[s] = true;
  const std::vector<std::uint32_t> more = cells_below(
      cells, sums, base, tick, [&](std::uint32_t s) { return static_cast<bool>(marked[s]); });
  std::vector<std::uint32_t> out;
  std::set_union(candidates.begin(), candidates.end(), more.begin(), more.end(),
                 std::back_inserter(out));
  return out;
}

// True when the time ended it.
bool save_distance(SmallChoice& choice, PublicRandom& random, std::uint64_t trials,
                   std::int64_t base, WorkClock& clock) {
  try {
    for (std::uint64_t k = 0; k < trials && choice.n() > 0; ++k) {
      clock.done = static_cast<double>(k) / static_cast<double>(trials);
      clock.check();
      const double heat = std::max(0.0, 1 - clock.done / kCool);
      choice.attempt(random, kHeat * static_cast<double>(base) * heat * random.uniform());
    }
    choice.settle(clock);
  } catch (const WorkTimeUp&) {
    return true;
  }
  return false;
}

}  // namespace

SmallRounding round_small(const CellsView& cells, CellSums& sums, std::int64_t base,
                          std::uint64_t seed, const SmallEffort& effort, const Tick& tick) {
  SmallRounding out;
  PublicRandom random(seed);
  WorkClock clock(effort.seconds, tick);
  out.cells = cells_below(cells, sums, base, tick,
                          [&](std::uint32_t s) { return is_small(sums.value(s), base); });
  for (;;) {
    SmallChoice choice(cells, sums, out.cells, base, tick);
    choice.decide_in_turn(random, tick);
    out.stopped = save_distance(choice, random, effort.trials, base, clock) || out.stopped;
    out.up = choice.up();
    const std::vector<std::uint32_t> more = choice.newly_small();
    if (more.empty()) return out;
    out.cells = with_more(cells, sums, base, out.cells, more, tick);
  }
}

}  // namespace sdclattice
