// Parts of work on threads, while the caller's thread reports progress and may be interrupted.
#pragma once

#include <atomic>

#include "base/parallel.hpp"
#include "base/tick.hpp"

namespace sdclattice {

// Calls work(part, worker) for each part; the caller's thread reports the share of the parts that
// are done after each of its own. What the tick throws ends the work.
template <class Work>
void run_ticked(WorkerPool& pool, std::size_t n_parts, const Tick& tick, Work work) {
  std::atomic<std::size_t> done{0};
  report(tick, 0);
  pool.run(
      n_parts,
      [&](std::size_t part, std::size_t worker) {
        work(part, worker);
        ++done;
      },
      [&] { report(tick, static_cast<double>(done) / static_cast<double>(n_parts)); });
}

}  // namespace sdclattice
