#include "perturb/perturb.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "perturb/walker.hpp"

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
  check_probabilities(mechanism, cycles.size());
}

void check_probabilities(const Mechanism& mechanism, std::size_t n_cycles) {
  const std::size_t given = mechanism.alpha.size();
  if (given != mechanism.beta.size() && given != 1 && mechanism.beta.size() != 1) {
    throw InputError("alpha and beta must be one for all cycles or one for each.");
  }
  for (const std::vector<double>* p : {&mechanism.alpha, &mechanism.beta}) {
    if (p->size() != 1 && p->size() != n_cycles) {
      throw InputError("alpha and beta must be one for all cycles or one for each.");
    }
  }
  const std::size_t most = std::max(given, mechanism.beta.size());
  for (std::size_t c = 0; c < most; ++c) {
    const double alpha = mechanism.alpha_of(c), beta = mechanism.beta_of(c);
    if (!is_probability(alpha) || !is_probability(beta) || alpha + beta > 1) {
      throw InputError("alpha and beta must be probabilities with a sum of at most 1.");
    }
  }
}

void check_counts(const std::vector<std::int64_t>& counts, const CycleSet& cycles) {
  if (counts.size() != cycles.n_cells)
    throw InputError("The table and the cycles must have the same shape.");
  for (const std::int64_t count : counts) {
    if (count < 0) throw InputError("No count may be negative.");
  }
}

namespace {

constexpr std::size_t kStepsPerTick = 1 << 16;

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
    if (i % kStepsPerTick == 0) report(tick, double(i) / double(steps));
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
  for (const std::int64_t count : counts) {
    out.nonzero += count != 0;
    out.small += count != 0 && count <= 2;
  }
  std::vector<std::int64_t> now;
  for (std::size_t r = 0; r < replicates; ++r) {
    report(tick, double(r) / double(replicates));
    now = counts;
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
