// Least and largest value of cells over all whole-number solutions of a system, proved.
//
// Every solution that turns up is a witness: its cells are inner bounds of all cells at once, so
// that most cells are closed without a search of their own. For an open end of a cell the exact
// linear programme gives an outer bound, floor(optimum); a whole optimal vertex attains it, else
// branch and bound looks for a solution that does, or lowers the bound. What is proved of one cell
// narrows its limits for all later searches. When time runs out the outer bounds remain.
//
// Systems in which each cell stands in at most two rows with opposite signs (after changing the
// signs of some rows: two-way tables, suppressed or not, with totals) are flows in a network: there
// a shortest augmenting path in the residual graph of any one solution replaces the programme, and
// all its vertices are whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

enum class BoundsEngine { choose, network, simplex };

struct BoundsLimits {
  double seconds = 60;
  std::size_t max_entries = 25000000;  // of an exact tableau, 8 bytes each
  BoundsEngine engine = BoundsEngine::choose;
};

struct IntegerBounds {
  std::vector<std::int64_t> lower, upper;    // a cell of the system each; asked ones are as said
  std::vector<char> sharp;                   // both ends attained by a solution, if there is one
  bool proved_feasible = true;               // some solution was found
  bool stopped = false;                      // by the time, or by the size of the programme
  bool late = false;                         // by the time
  std::size_t n_network = 0, n_simplex = 0;  // components by engine
  std::size_t n_programmes = 0;              // ends of cells that needed a search
  std::size_t n_branches = 0;
  std::size_t n_witnesses = 0;
};

// InfeasibleError when there is no solution. `engine` network is an InputError for other systems.
IntegerBounds integer_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick);

// The same over the real numbers: optima of the linear relaxation as they are, and rounded inward.
struct RelaxedBounds {
  std::vector<double> real_lower, real_upper;
  IntegerBounds whole;
};
RelaxedBounds relaxed_bounds(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                             const BoundsLimits& limits, const Tick& tick);

}  // namespace sdclattice
