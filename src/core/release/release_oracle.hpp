// Whether a set of sub-tables is safe, exactly, for many sets of one table with few variables.
//
// Safe sets and unsafe sets teach about others. A table that was found for one release has the
// margins of every release inside what it keeps: so all tables found are kept, each with the
// sub-tables that it keeps, and their counts bound the cells at risk from inside. A release that
// holds an unsafe one is unsafe. Only what neither decides is searched (fibre_reach.hpp).
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "bounds/fibre_reach.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

constexpr std::size_t kLatticeVariables = 7;
// A set of sub-tables: bit m stands for the sub-table with the variables of m.
using Lattice = std::bitset<std::size_t{1} << kLatticeVariables>;

Lattice lattice_below(SubTable set);                           // its sub-tables
Lattice lattice_above(SubTable set, std::size_t n_variables);  // what holds it
std::vector<SubTable> lattice_frontier(const Lattice& down, std::size_t n_variables);

class ReleaseOracle {
 public:
  // TooLargeError above kLatticeVariables variables or max_cells cells.
  ReleaseOracle(const RiskCells& risk, std::int64_t beta, std::size_t max_cells,
                const ReachLimits& limits, WorkClock& clock);

  std::size_t n_variables() const { return table_.n_variables(); }
  // The least count of a sub-table at the cells at risk: a release with it is no wider.
  std::int64_t least_count(SubTable set) const;
  // `down` holds all sub-tables of its own. May throw WorkTimeUp.
  bool is_safe(const Lattice& down);
  // A minimal unsafe set inside an unsafe one: the largest sub-tables are left out first, those of
  // one size in random order.
  Lattice minimal_unsafe(const Lattice& down, PublicRandom& random);

  // Asked, and what needed a search. Undecided: held to be unsafe without proof.
  std::size_t n_asked = 0, n_searched = 0, n_undecided = 0;

 private:
  struct Found {
    Lattice keeps;
    std::vector<std::int64_t> values;  // at the cells asked about
  };
  struct Unsafe {
    Lattice down;
    std::size_t cell;
  };
  void widen(const Lattice& down, std::vector<std::int64_t>& least,
             std::vector<std::int64_t>& most) const;
  bool known_unsafe(const Lattice& down, std::size_t cell) const;
  bool cell_is_safe(const Lattice& down, std::size_t cell);
  bool search(FibreReach& fibre, const Lattice& down, std::size_t cell);
  std::unique_ptr<FibreReach> start(const Lattice& down);
  void keep(const std::vector<CountChange>& changes);
  Lattice kept_by(const std::vector<CountChange>& changes) const;
  std::size_t unsafe_cell(const Lattice& down);

  PartTable table_;
  std::int64_t beta_;
  ReachLimits limits_;
  WorkClock& clock_;
  std::vector<Found> found_;
  std::vector<Unsafe> unsafe_;
};

}  // namespace sdclattice
