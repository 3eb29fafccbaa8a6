// Changes for many demands at once, searched on several threads.
//
// What is computed. For each of some demands that are open the cheapest product move that meets it
// against whom it is open to, as the pattern is now: nobody looks at what the others find. Who
// takes the changes then, one after the other, sees which of them still cost the same, and has the
// others searched again.
// What it guarantees. The same changes with any number of threads: ties are broken by random
// streams of the demands' own.
// What it costs. A search of product moves for each open demand; a thread has its own memory for
// one search.
// Agrees with searches one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "suppress/demand_insertion.hpp"
#include "suppress/pattern_state.hpp"
#include "suppress/product_move.hpp"

namespace sdclattice {

class BlindSearch {
 public:
  BlindSearch(const StoredCells& cells, const SuppressionProblem& problem,
              const PatternState& state, const DemandInsertion& insertion, std::size_t threads,
              std::uint64_t seed);

  // A guess for each demand; nothing where none is open or no product move is found.
  const std::vector<DemandGuess>& search(const std::vector<std::uint32_t>& demands,
                                         const MoveEffort& effort,
                                         const WorkerPool::Between& between);

 private:
  struct Worker {
    ProductMoveSearch search;
    std::vector<std::uint32_t> barred;
  };
  void guess(std::uint32_t demand, const MoveEffort& effort, Worker& worker, DemandGuess& out);

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  const DemandInsertion& insertion_;
  std::uint64_t seed_;
  WorkerPool pool_;
  std::vector<Worker> workers_;
  std::vector<DemandGuess> guesses_;
};

}  // namespace sdclattice
