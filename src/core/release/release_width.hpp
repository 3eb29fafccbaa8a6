// The width of a release: the least, over the cells at risk, of upper less lower bound.
//
// The release is split into its prime components (chordal.hpp). Tables of the components that agree
// on the separators glue to a table of all variables, so that with the bounds of the components
//   upper = least of them,   lower = max(0, their sum less the counts of the separators),
// for sharp and for attained bounds alike. A component that is a margin is known; the others are
// bounded each in its own table: from outside by margins, equations and the shuttle, from inside by
// decomposable covers and walks of moves, exactly by whole numbers (fibre_reach.hpp). The cells
// with the narrowest outer interval come first; of the others only so much is found out as shows
// that they are no narrower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "base/work_clock.hpp"
#include "bounds/fibre_reach.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct WidthLimits {
  double seconds = 60;
  ReachLimits fibre;
  std::size_t max_component_cells = 4000000;  // of a component that is laid out
  std::size_t max_super_cells = 3000000;
  std::size_t covers = 12;
  std::uint64_t seed = 1;
  // Only whether the width is at least this is asked: the work stops at the first cell that is
  // narrower, or not known to be so wide. 0: the width itself.
  std::int64_t target = 0;
};

struct ReleaseWidth {
  // For each cell at risk; empty when a single margin refused the target.
  std::vector<std::int64_t> lower, upper;  // outer
  std::vector<std::int64_t> least, most;   // attained
  std::int64_t inner = 0, outer = 0;       // the width lies between
  bool stopped = false;                    // by the time
  bool too_large = false;                  // some component was not solved in whole numbers
  std::size_t n_components = 0, n_open = 0, n_programmes = 0;
  bool exact() const { return inner == outer; }
};

ReleaseWidth release_width(const RiskCells& risk, const std::vector<SubTable>& sets,
                           const WidthLimits& limits, const Tick& tick);

}  // namespace sdclattice
