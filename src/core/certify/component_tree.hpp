// Trees of components: how a release falls into parts that can be certified on their own.
//
// Two neighbours share a separator all of whose margins are released, so that any tables of the
// components that keep the released margins agree there and can be glued. A release then has as
// many sub-tables as its components together, less those of the separators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "base/tick.hpp"
#include "table/level_steps.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct ComponentTree {
  std::vector<SubTable> components;
  std::vector<SubTable> separators;  // with the parent; empty for the first
  std::vector<std::size_t> parent;   // of a component after the first: an earlier one
  std::size_t n_sets = 0;            // of its admissible sub-tables

  // The variables that hang on component j (j > 0), without its separator.
  SubTable below(std::size_t j) const;
};

// The tree of a decomposable release, each clique a component all of whose sub-tables count.
// InputError when the cliques are not those of a chordal graph.
ComponentTree tree_of_cliques(const std::vector<SubTable>& cliques, const LevelSteps& steps = {});

struct TreeLimits {
  std::size_t max_variables = 9;  // of a component
  std::size_t max_cells = 400000;
  std::size_t n_trees = 8;       // that are returned
  std::vector<SubTable> forced;  // admissible sets, each of which must lie in some component
  LevelSteps steps;              // what counts as a sub-table: closed sets
};

// Trees with many admissible sub-tables, the most first. `roots`: sets to start from; when empty,
// sets are chosen. `admissible`: all sub-tables that may be released, closed under taking parts.
// There may be none, when something is forced. The trees do not depend on the number of threads.
std::vector<ComponentTree> plan_trees(const Layout& layout, const std::vector<SubTable>& admissible,
                                      const std::vector<SubTable>& roots, const TreeLimits& limits,
                                      WorkerPool& pool, const Tick& tick);

}  // namespace sdclattice
