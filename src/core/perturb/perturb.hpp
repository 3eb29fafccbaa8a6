// Perturbing a table by a random mechanism, with the random numbers as an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"

namespace sdclattice {

// One 64-bit coin against the probabilities alpha and beta: A = floor(alpha 2^64) coins say plus
// (those below A), the next B = floor(beta 2^64) say minus, the rest says stay. When alpha + beta
// rounds to 1 or more, every coin that is not plus says minus.
class CoinLimits {
 public:
  CoinLimits(double alpha, double beta);
  // +1, -1 or 0.
  int side(std::uint64_t coin) const {
    if (always_plus_ || coin < plus_) return 1;
    return rest_minus_ || coin - plus_ < minus_ ? -1 : 0;
  }

 private:
  bool always_plus_, rest_minus_;
  std::uint64_t plus_ = 0, minus_ = 0;
};

// Throws InputError or TooLargeError unless the mechanism fits the cycles: cycle numbers in range,
// probabilities in [0, 1] with a sum of at most 1, one for all cycles or one for each; for sets
// that skip zeros whole sweeps only, and the rule blocked.
void validate(const Mechanism& mechanism, const CycleSet& cycles);

// Throws InputError unless there are probabilities in [0, 1] with a sum of at most 1, one for all
// cycles or one for each.
void check_probabilities(const Mechanism& mechanism, std::size_t n_cycles);

// Throws InputError unless the table has the cycles' shape and no negative count.
void check_counts(const std::vector<std::int64_t>& counts, const CycleSet& cycles);

// Sets that skip zeros: step i of a sweep along the lines x, y is void unless both cells of column
// i are 1 or more at that time, and both cells of some later column; with k the first such column,
// it adds +1 (x, i), -1 (y, i), -1 (x, k), +1 (y, k) or takes it away, as its coin says.

// counts after the last step, and per step what was applied: +1, -1, or 0 (the coin said stay, or
// the step was skipped). `coins` holds one number per step, used whether or not it is skipped.
struct Perturbed {
  std::vector<std::int64_t> counts;
  std::vector<std::int8_t> applied;
};
Perturbed perturb(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                  const Mechanism& mechanism, const std::vector<std::uint64_t>& coins,
                  const Tick& tick = {});

// How many cells have a count of 1 or 2, and how many are not zero; and per replicate of the
// mechanism, how many of them have another count at the end; how many coins asked for a move, and
// how many of these were not obeyed. Runs on SplitMix64 from `seed`, never on a publication's
// coins.
struct Rehearsal {
  std::size_t small = 0, nonzero = 0;
  std::vector<double> changed_small, changed_nonzero, asked, prevented;
};
Rehearsal rehearse(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                   const Mechanism& mechanism, std::size_t replicates, std::uint64_t seed,
                   const Tick& tick = {});

}  // namespace sdclattice
