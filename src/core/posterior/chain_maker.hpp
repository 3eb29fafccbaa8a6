// Makes the chain (chain.hpp) of each component of publications of one table: by elimination of
// cycles, by sweeps where the set skips zeros, and jointly where publications share their set.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "posterior/elimination.hpp"
#include "posterior/problem.hpp"
#include "posterior/sweeps.hpp"

namespace sdclattice {

class ChainMaker {
 public:
  // The sources must outlive the maker. law_of_cell is room for a number for each cell.
  ChainMaker(std::vector<Publication>& sources, std::int32_t* law_of_cell);

  // Of one publication, or of all: of the set that they share, else of the union of their sets.
  const Problem& problem() const { return readers_[0].problem; }
  const Linkage& linkage() const { return problem().linkage(); }
  // Whether some set skips zeros, so that there are no fixed moves.
  bool skips_zeros() const { return skips_; }
  // The cycles of source k in a component, by their numbers in its set.
  Component cycles_of(const Component& part, int source) const;
  // How often source k applies cycles of a component, in all.
  double steps_of(const Component& part, int source) const;

  // How the chain of a component will be made, and what it would take. Of publications that share
  // their set: what the costliest one takes.
  struct Plan {
    const Component* part;
    std::vector<std::shared_ptr<ChainLayout>>
        layouts;  // of each reader; none where zeros are skipped
    ChainCost cost;
  };
  // Before anything large is made. Throws TooLargeError where zeros are skipped too often.
  Plan plan(const Component& part);
  // The same for component `number`, sooner after compare().
  Plan plan(std::size_t number);
  // Finds components like the first one, which need no plan of their own.
  void compare(WorkerPool& pool, const Tick& tick);
  // Makes what chains share. After it several threads may build chains at the same time, but where
  // zeros are skipped.
  void prepare(const Plan& plan);
  Chain build(const Plan& plan, const Tick& tick);

 private:
  struct Reader {
    Reader(Publication* sources, std::size_t n, std::int32_t* law_of_cell)
        : problem(sources, n, law_of_cell), elimination(problem) {}
    Problem problem;
    Elimination elimination;
    std::unique_ptr<Sweeps> sweeps;
  };
  void find_offsets();

  std::vector<Publication>& sources_;
  bool skips_ = false, shared_ = false;
  std::vector<std::vector<std::int32_t>> rooms_, offsets_;  // of sources after the first
  std::vector<std::uint8_t> alike_;                         // by component, after compare()
  std::shared_ptr<ChainLayout> first_;
  std::deque<Reader> readers_;  // they must not move: an elimination points to its problem
};

}  // namespace sdclattice
