// Bounds of the cells of a table of which margins are released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "bounds/cell_values.hpp"
#include "bounds/released_margin.hpp"
#include "linear/integer_bounds.hpp"

namespace sdclattice {

enum class MarginMethod { shuttle, lp, ip };
struct MarginLimits {
  BoundsLimits solver;
  std::size_t max_cells = 50000000;
  std::size_t max_super_cells = 10000000;
};
struct MarginBounds {
  std::vector<double> lower, upper, real_lower, real_upper;  // of the asked cells; real: lp only
  std::vector<char> sharp;
  std::vector<std::int64_t> least, most;  // attained; as in IntegerBounds
  bool generalized = false;               // the shuttle ran over all super-cells
  IntegerBounds effort;                   // without its bounds
};
// `truth`: the table itself, where the caller knows it, as a margin over all variables. It makes
// the search over whole numbers shorter.
MarginBounds margin_bounds(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, const AskedCells& asked,
                           MarginMethod method, const MarginLimits& limits, const Tick& tick,
                           const ReleasedMargin* truth = nullptr);

}  // namespace sdclattice
