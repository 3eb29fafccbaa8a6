// Least and largest value of cells over all whole-number solutions of a system, proved.
//
// A presolve takes out what is known and what says nothing new (presolve.hpp), and each part that
// is left has its engine:
//   - rows that form a network (two-way tables, suppressed or not, with totals): a shortest
//     augmenting path in the residual graph of any one solution; all its vertices are whole;
//   - few cells: the exact tableau, with branch and bound where a vertex is not whole;
//   - else the sparse engine (sparse_search.hpp).
// In all of them every solution that turns up is a witness: its cells are inner bounds of all cells
// at once, and what is proved of one cell narrows its limits for all later searches. Each end
// stands by itself: what is proved when the time runs out remains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

enum class BoundsEngine { choose, network, simplex, sparse };

struct BoundsLimits {
  double seconds = 60;                 // of the processor, of all threads together
  std::size_t max_entries = 25000000;  // of an exact tableau, 8 bytes each
  BoundsEngine engine = BoundsEngine::choose;
  // Of a cell whose interval is known to be at least so wide, or not so wide, no more is asked.
  std::int64_t enough = kNoLimit;
  // How many threads share large systems; 0: the work is not made ready to be shared. The results
  // are the same for all numbers from 1 on, but for what is still open when the time is up.
  std::size_t threads = 0;
};

struct IntegerBounds {
  std::vector<std::int64_t> lower, upper;  // a cell of the system each; asked ones are as said
  // What solutions attain: kNoLimit and -kNoLimit where none was found.
  std::vector<std::int64_t> least, most;
  std::vector<char> sharp;      // both ends attained by a solution, if there is one
  bool proved_feasible = true;  // some solution was found
  bool stopped = false;         // by the time, an interrupt, or the size of the programme
  bool late = false;            // by the time
  bool interrupted = false;
  std::size_t n_network = 0, n_simplex = 0, n_sparse = 0;  // parts by engine
  std::size_t n_programmes = 0;                            // ends of cells that needed a search
  std::size_t n_branches = 0;
  std::size_t n_witnesses = 0;
};

// InfeasibleError when it is proved that there is no solution. `engine` network is an InputError
// for other systems. `truth`: a solution, where the caller knows one; it makes the work shorter.
IntegerBounds integer_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick,
                             const std::vector<std::int64_t>& truth = {});

// The same over the real numbers, without `truth`: optima of the linear relaxation as they are, and
// rounded inward.
struct RelaxedBounds {
  std::vector<double> real_lower, real_upper;
  IntegerBounds whole;
};
RelaxedBounds relaxed_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick);

}  // namespace sdclattice
