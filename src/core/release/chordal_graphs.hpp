// The best decomposable release: over all chordal graphs.
//
// A chordal graph is built by adding vertices one at a time, each joined to all of a clique; the
// sub-tables that a vertex adds are those of itself with parts of that clique, so that every
// additive utility is a sum over the vertices. Widths come in closed form.
//
// By level the vertices are steps: those of one variable are joined, and coarser ones have all
// neighbours of finer ones, so that cliques are closed sets. A step is then added after the coarser
// ones of its variable (decomposable_limit.cpp says why any such graph can be built so).
//
// All graphs are gone through, which can be done up to 7 variables; chordal_search.hpp searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/work_clock.hpp"
#include "release/additive_utility.hpp"
#include "release/chordal_cover.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

constexpr std::size_t kEnumeratedGraphVariables = 7;

// Calls `visit` with each chordal graph over the steps, by its elimination; returns their number.
std::size_t for_each_chordal_graph(const LevelSteps& steps,
                                   const std::function<void(const ChordalCover&)>& visit);

struct DecomposableResult {
  std::vector<SubTable> cliques;
  double value = -1, upper = 0;
  bool optimal = false, stopped = false;
  double n_optima = 0;  // enumeration only
  std::size_t n_graphs = 0;
  struct Step {
    double value, seconds;
    std::size_t graph;
  };
  std::vector<Step> steps;
};

// `utility` says what the steps are.
DecomposableResult enumerate_decomposable(const RiskCells& risk, std::int64_t beta,
                                          const AdditiveUtility& utility, WorkClock& clock);

}  // namespace sdclattice
