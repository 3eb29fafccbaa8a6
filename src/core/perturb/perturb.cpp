#include "perturb/perturb.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"

namespace sdclattice {

namespace {

// floor(p 2^64) for p in [0, 1); p 2^64 is exact, as only the exponent changes.
std::uint64_t limit_of(double p) {
  return static_cast<std::uint64_t>(std::ldexp(p, 64));
}

bool is_probability(double p) {
  return p >= 0 && p <= 1;
}

void check_numbers(const std::vector<std::int32_t>& sequence, std::size_t n_cycles) {
  for (const std::int32_t c : sequence) {
    if (c < 0 || static_cast<std::size_t>(c) >= n_cycles) {
      throw InputError("The order of application must name cycles of the set only.");
    }
  }
}

// Every sweep from its first cycle to its last, one after the other.
void check_sweeps(const Mechanism& mechanism, const CycleSet& cycles) {
  if (mechanism.rule != ZeroRule::blocked) {
    throw InputError("Sets that skip zeros have the zero rule blocked.");
  }
  std::int32_t expected = -1;
  for (const std::int32_t c : mechanism.sequence) {
    const bool first = c == 0 || cycles.next[c - 1] < 0;
    if (expected < 0 ? !first : c != expected) {
      throw InputError("Sets that skip zeros are applied in whole sweeps.");
    }
    expected = cycles.next[c];
  }
  if (expected >= 0) throw InputError("Sets that skip zeros are applied in whole sweeps.");
}

}  // namespace

CoinLimits::CoinLimits(double alpha, double beta)
    : always_plus_(alpha >= 1), rest_minus_(alpha + beta >= 1) {
  if (!always_plus_) plus_ = limit_of(alpha);
  if (!rest_minus_) minus_ = limit_of(beta);
}

void validate(const Mechanism& mechanism, const CycleSet& cycles) {
  check_numbers(mechanism.sequence, cycles.size());
  if (cycles.skips_zeros()) check_sweeps(mechanism, cycles);
  const std::size_t given = mechanism.alpha.size();
  if (given != mechanism.beta.size() && given != 1 && mechanism.beta.size() != 1) {
    throw InputError("alpha and beta must be one for all cycles or one for each.");
  }
  for (const std::vector<double>* p : {&mechanism.alpha, &mechanism.beta}) {
    if (p->size() != 1 && p->size() != cycles.size()) {
      throw InputError("alpha and beta must be one for all cycles or one for each.");
    }
  }
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    const double alpha = mechanism.alpha_of(c), beta = mechanism.beta_of(c);
    if (!is_probability(alpha) || !is_probability(beta) || alpha + beta > 1) {
      throw InputError("alpha and beta must be probabilities with a sum of at most 1.");
    }
  }
}

// Perturbing. Each step reads its coin, asks for +1 or -1 of its cycle or for nothing, and adds it
// unless the zero rule forbids that: "blocked" when a cell on the cycle is smaller than the size of
// its coefficient, whatever the sign asked for; "nonnegative" when a cell would become negative. So
// no cell falls below 0, and margins that every cycle keeps are kept by the sum. A count moves by
// at most 127 per step, from at most 2^53: 64 bits cannot overflow within 2^48 steps. Cost: the
// entries of the applied cycles. The tests hold a slow twin in R.
//
// Where zeros are skipped, a move touches columns i and k only, and the columns between them have a
// zero and keep it: the search for k goes on where it stopped, and a sweep costs no more than its
// columns. A column loses its right to move when one of its cells becomes 0, never gains it: so a
// sweep that found no k will find none. Given what came before, the move is decided by the coin
// alone and its sign is even for alpha = beta: unbiased; it takes 1 from cells of 1 or more only.
namespace {

class Walker {
 public:
  Walker(const CycleSet& cycles, const Mechanism& mechanism)
      : cycles_(cycles), blocked_(mechanism.rule == ZeroRule::blocked) {
    if (!blocked_ && mechanism.rule != ZeroRule::nonnegative) {
      throw InputError("Only the zero rules blocked and nonnegative can perturb a table.");
    }
    const bool one = mechanism.alpha.size() == 1 && mechanism.beta.size() == 1;
    const std::size_t n = one ? 1 : cycles.size();
    for (std::size_t c = 0; c < n; ++c)
      limits_.emplace_back(mechanism.alpha_of(c), mechanism.beta_of(c));
  }

  int asks(std::size_t c, std::uint64_t coin) const {
    return limits_[limits_.size() == 1 ? 0 : c].side(coin);
  }

  // Adds `side` times cycle c, or does nothing and says so. Must be called for every step, also
  // where side is 0.
  bool apply(std::size_t c, int side, std::vector<std::int64_t>& counts) {
    if (cycles_.skips_zeros()) return sweep(c, side, counts);
    if (side == 0) return false;
    const std::size_t from = cycles_.start[c], to = cycles_.start[c + 1];
    for (std::size_t i = from; i < to; ++i) {
      const std::int64_t by = side * cycles_.coef[i];
      const std::int64_t needed = blocked_ && by > 0 ? by : -by;
      if (counts[cycles_.cell[i]] < needed) return false;
    }
    for (std::size_t i = from; i < to; ++i) counts[cycles_.cell[i]] += side * cycles_.coef[i];
    return true;
  }

 private:
  // Moves the first column of cycle c and the second column of the cycle to_, the first one from c
  // on that has no zero there.
  bool sweep(std::size_t c, int side, std::vector<std::int64_t>& counts) {
    if (c == 0 || cycles_.next[c - 1] < 0) to_ = 0;
    if (side == 0 || to_ < 0) return false;
    const std::int32_t* from = entries(c);
    if (counts[from[0]] < 1 || counts[from[3]] < 1) return false;
    to_ = std::max(to_, static_cast<std::int32_t>(c));
    while (to_ >= 0 && (counts[entries(to_)[1]] < 1 || counts[entries(to_)[2]] < 1))
      to_ = cycles_.next[to_];
    if (to_ < 0) return false;
    const std::int32_t* to = entries(to_);
    counts[from[0]] += side;
    counts[to[1]] -= side;
    counts[to[2]] += side;
    counts[from[3]] -= side;
    return true;
  }

  const std::int32_t* entries(std::size_t c) const { return &cycles_.cell[cycles_.start[c]]; }

  const CycleSet& cycles_;
  bool blocked_;
  std::int32_t to_ = 0;
  std::vector<CoinLimits> limits_;
};

void check_counts(const std::vector<std::int64_t>& counts, const CycleSet& cycles) {
  if (counts.size() != cycles.n_cells)
    throw InputError("The table and the cycles must have the same shape.");
  for (const std::int64_t count : counts) {
    if (count < 0) throw InputError("No count may be negative.");
  }
}

constexpr std::size_t steps_per_tick = 1 << 16;

}  // namespace

Perturbed perturb(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                  const Mechanism& mechanism, const std::vector<std::uint64_t>& coins,
                  const Tick& tick) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  const std::size_t steps = mechanism.sequence.size();
  if (coins.size() != steps) throw InputError("There must be one coin per step.");
  Walker walker(cycles, mechanism);
  Perturbed out{counts, std::vector<std::int8_t>(steps, 0)};
  for (std::size_t i = 0; i < steps; ++i) {
    if (i % steps_per_tick == 0) report(tick, double(i) / double(steps));
    const std::size_t c = static_cast<std::size_t>(mechanism.sequence[i]);
    const int side = walker.asks(c, coins[i]);
    if (walker.apply(c, side, out.counts)) out.applied[i] = static_cast<std::int8_t>(side);
  }
  return out;
}

// Rehearsing: the same walk on public random numbers, from which nothing is published.
namespace {

void note_changes(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after,
                  Rehearsal& out) {
  std::size_t small = 0, nonzero = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == 0 || before[i] == after[i]) continue;
    ++nonzero;
    if (before[i] <= 2) ++small;
  }
  out.changed_small.push_back(double(small));
  out.changed_nonzero.push_back(double(nonzero));
}

}  // namespace

Rehearsal rehearse(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                   const Mechanism& mechanism, std::size_t replicates, std::uint64_t seed,
                   const Tick& tick) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  Walker walker(cycles, mechanism);
  PublicRandom next(seed);
  Rehearsal out;
  for (std::size_t r = 0; r < replicates; ++r) {
    report(tick, double(r) / double(replicates));
    std::vector<std::int64_t> now = counts;
    std::size_t asked = 0, prevented = 0;
    for (const std::int32_t c : mechanism.sequence) {
      const int side = walker.asks(static_cast<std::size_t>(c), next());
      const bool moved = walker.apply(static_cast<std::size_t>(c), side, now);
      asked += side != 0;
      prevented += side != 0 && !moved;
    }
    note_changes(counts, now, out);
    out.asked.push_back(double(asked));
    out.prevented.push_back(double(prevented));
  }
  return out;
}

}  // namespace sdclattice
