// How many cells the publications of a design leave certain, before one of them is drawn.
//
// What is computed. Whether a cell is certain depends on which originals are possible, not on how
// probable they are: it is when every original that can have led to the published table has the
// same value there. The true original is one. Others are looked for by runs in reverse from the
// published table, in which each step is undone in a random way of those that are possible, as the
// walker of perturb() says. A cell that has another value in one of them is not certain.
// Publications of a component are all that there are, with their probabilities, where these are
// few, and simulated ones elsewhere. What it costs. Publications x runs x entries of the steps of a
// component, and no more runs than it takes to clear its small cells. Components are taken in a
// random order while the work lasts, at least one of them, and one publication of it. What it
// means. A cell that is called certain may have an original that no run met: the share is not too
// small, and the tests compare it with the enumeration of all publications and originals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"

namespace sdclattice {

struct CertainLimits {
  std::size_t publications = 0;  // of each component, at most
  std::size_t runs = 0;          // in reverse, for each publication
  double work = 0;               // entries of steps, about
};

// How many small cells were looked at, and how many of them are certain, on average. Cells on no
// cycle always are.
struct CertainCells {
  double seen = 0, certain = 0;
  bool all = true;  // no component was left out
};
CertainCells certain_cells(const std::vector<std::int64_t>& counts,
                           const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                           const Mechanism& mechanism, std::uint64_t seed,
                           const CertainLimits& limits, const Tick& tick = {});

}  // namespace sdclattice
