// The mechanism on bands whose groups share no line, when each cover takes the cycles in the order
// of the set.
//
// What is computed. What perturb() and rehearse() compute for the expanded set, group by group: no
// group sees another one's cells, so their steps may be taken one group after the other. Why. The
// lines of a group stay in the cache, and neither the entries of the cycles nor the sequence of
// the steps is kept: a walk along the sequence of a large table waits for memory at every step.
// What it guarantees. Step by step what the walk along the sequence gives: coin i belongs to step
// i, and the public numbers of a rehearsal are those of the same steps.
// What it costs. O(cells + steps); one copy of the table, its lines one after the other, where they
// are not. Agrees with perturb() and rehearse() of the expanded set, number by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/tick.hpp"
#include "cycle/bands.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/perturb.hpp"

namespace sdclattice {

// Lines on one ring, and the bands over which a cover sweeps, in this order.
struct BandGroup {
  struct Sweep {
    std::vector<std::int32_t> lines;  // their positions among those of the group
    std::vector<std::int32_t> walk;
    std::size_t first_cycle;
  };
  std::vector<std::int32_t> lines, ring;
  bool open;
  std::vector<Sweep> sweeps;

  std::size_t cycles_of_sweep() const { return ring.size() - open; }
};

struct BandGroups {
  Lines lines;
  std::vector<BandGroup> groups;

  std::size_t n_cells() const { return lines.n_rows * lines.n_columns; }
};

BandGroups as_groups(const Bands& bands);
// None where zeros are skipped. Throws InputError where find_fault() finds one.
std::optional<BandGroups> as_groups(const Lines& lines, const Groups& groups);

class BandWalk {
 public:
  // The sequence of the mechanism is not read. Throws InputError as validate() does. The set must
  // outlive the walk.
  BandWalk(const BandGroups& set, const Mechanism& mechanism, std::size_t covers);

  std::size_t n_steps() const { return covers_ * cover_length_; }
  // n counts from 0 on, whole numbers; for each step a coin of eight bytes, the lowest first.
  // `applied` must hold zeros, `out` may hold anything.
  void perturb(const double* counts, std::size_t n, const unsigned char* coins, double* out,
               std::int32_t* applied, const Tick& tick) const;
  Rehearsal rehearse(const double* counts, std::size_t n, std::size_t replicates,
                     std::uint64_t seed, const Tick& tick) const;

 private:
  std::vector<double> by_line(const double* counts, std::size_t n) const;
  template <class Work>
  void for_groups(const double* lines, const Tick& tick, Work work) const;
  template <class Coin, class Note>
  void walk(const BandGroup& group, std::size_t first, std::vector<double>& cells, Coin coin,
            Note note) const;
  bool apply(const BandGroup::Sweep& band, std::size_t length, std::size_t at, int side,
             std::vector<double>& cells) const;

  const BandGroups& set_;
  std::size_t covers_, cover_length_ = 0, n_cycles_ = 0;
  bool blocked_;
  std::vector<CoinLimits> limits_;
};

}  // namespace sdclattice
