// Neighbourhoods of a pattern that are searched on several threads.
//
// What is computed. For each of some secondary cells a search (region_search.hpp) on a fork of the
// state, which knows nothing of the others. What they found is then taken over one after the other:
// the changes that go must still be there, and with the new ones the pattern must not cost more
// and meet all that it met. A gain that no longer fits is told, to be searched again.
// What it guarantees. The same pattern with any number of threads: each search has a random stream
// of its own, and the order is fixed. The first result always fits.
// What it costs. The searches; a fork, and memory for one search of moves and walks, for each
// thread, some 60 bytes of a cell.
// Agrees with the state: every demand that was met is met.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "suppress/demand_insertion.hpp"
#include "suppress/pattern_state.hpp"
#include "suppress/region_search.hpp"

namespace sdclattice {

class RegionTrials {
 public:
  // The state changes here alone while this lives, but may be made compact.
  RegionTrials(const StoredCells& cells, const SuppressionProblem& problem, PatternState& state,
               const DemandInsertion& insertion, std::size_t threads);

  // As PatternState::set_prices(), of the state and of all forks.
  void set_prices(bool unrest, std::uint64_t seed);
  // The cells whose gains no longer fitted. `between`: see WorkerPool::run(). `is_over`: for all
  // threads.
  std::vector<std::uint32_t> improve(const std::vector<std::uint32_t>& cells, std::uint64_t seed,
                                     const WorkerPool::Between& between,
                                     const std::function<bool()>& is_over);

 private:
  struct Worker {
    std::unique_ptr<PatternState> state;
    DemandInsertion insertion;
    RegionSearch search;
    Worker(const StoredCells& cells, const SuppressionProblem& problem, const PatternState& base,
           const DemandInsertion& like);
  };
  struct Trial {
    std::vector<std::uint32_t> gone;
    std::vector<ScaledChange> added;
    std::int64_t gain = 0;
  };
  Trial try_cell(std::uint32_t cell, std::uint64_t seed, Worker& worker,
                 const std::function<bool()>& is_over);
  bool take(Trial& trial);

  PatternState& state_;
  const DemandInsertion& insertion_;
  WorkerPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::uint32_t> touched_;  // cells whose uses the forks have not seen yet
};

}  // namespace sdclattice
