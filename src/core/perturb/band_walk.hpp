// The mechanism on bands that share no line, when each cover takes the cycles in the order of their
// numbers.
//
// What is computed. What perturb() and rehearse() compute for the expanded set, band by band: no
// band sees another one's cells, so their steps may be taken one band after the other. Why bands.
// The lines of a band stay in the cache, and neither the entries of the cycles nor the sequence of
// the steps is kept: a walk along the sequence of a large table waits for memory at every step.
// What it guarantees. Step by step what the walk along the sequence gives: coin i belongs to step
// i, and the public numbers of a rehearsal are those of the same steps.
// What it costs. O(cells + steps); one copy of the table, its lines one after the other, where they
// are not. Agrees with perturb() and rehearse() of the expanded set, number by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/bands.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/perturb.hpp"

namespace sdclattice {

class BandWalk {
 public:
  // The sequence of the mechanism is not read. Throws InputError as validate() does. The set must
  // outlive the walk.
  BandWalk(const Bands& set, const Mechanism& mechanism, std::size_t covers);

  std::size_t n_steps() const { return covers_ * n_cycles_; }
  // n counts from 0 on, whole numbers; for each step a coin of eight bytes, the lowest first.
  // `applied` must hold zeros, `out` may hold anything.
  void perturb(const double* counts, std::size_t n, const unsigned char* coins, double* out,
               std::int32_t* applied, const Tick& tick) const;
  Rehearsal rehearse(const double* counts, std::size_t n, std::size_t replicates,
                     std::uint64_t seed, const Tick& tick) const;

 private:
  std::vector<double> by_line(const double* counts, std::size_t n) const;
  template <class Work>
  void for_bands(const double* lines, const Tick& tick, Work work) const;
  template <class Coin, class Note>
  void walk(const Band& band, std::size_t first, std::vector<double>& cells, Coin coin,
            Note note) const;
  bool apply(const Band& band, std::size_t at, int side, std::vector<double>& cells) const;

  const Bands& set_;
  std::size_t n_cycles_, covers_;
  bool blocked_;
  std::vector<CoinLimits> limits_;
};

}  // namespace sdclattice
