// Certified releases beyond decomposable ones: trees of components that are planned one by one, and
// for every cell at risk an explicit pair of tables with the released margins.
//
// What is computed. The search begins with a decomposable release, whose cliques need no search, or
// with trees of small components, and grows by steps that make one component new
// (tree_growth.hpp); trees that are planned as a whole (component_tree.hpp) take over where they
// release more. Each attempt has a budget of cells looked at. What exceeds it is tried again with
// eight times as many, when all else has been tried.
// What it guarantees. What is kept is certified at any moment and only grows: a longer limit of
// time, or of cells looked at, never gives less. No decision looks at the clock, which only ends
// the course, and none at the number of threads. A limit of cells looked at ends it at the same
// point wherever it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/tick.hpp"
#include "certify/component_plan.hpp"
#include "certify/component_tree.hpp"
#include "certify/planned_tree.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

struct ReducibleOptions {
  std::int64_t beta = 3;
  std::vector<std::size_t> sizes{8, 9};  // largest component of the trees, in the order of trial
  std::vector<SubTable> start;           // the cliques of a safe decomposable release, if any
  std::vector<SubTable> roots;           // the first component; chosen when there are none
  std::vector<SubTable> forced;          // sub-tables that must be released
  LevelSteps steps;                      // what counts as a sub-table: closed sets
  std::size_t n_trees = 1;               // for each size
  std::size_t max_cells = 400000;
  double effort = 1;  // scales the work on each cell
  std::uint64_t seed = 1;
  std::function<double()> seconds;  // since the start
  double time_limit_s = 30;
  std::size_t max_looks = static_cast<std::size_t>(-1);  // cells looked at in all
  std::size_t n_threads = 1;
  double give_up_s = 1e9;  // while nothing is certified
};

struct ReducibleStep {
  double seconds;
  std::size_t n_looks;     // cells looked at so far
  std::size_t tree, size;  // the number of the tree, its largest component
  std::string what;
  std::size_t n_cells;  // with a certificate still to be found
  std::size_t value;    // sub-tables of the tree at this point
};

struct ReducibleRelease {
  ComponentTree tree;
  std::vector<SubTable> frontier;
  std::size_t n_sets = 0;
  std::vector<std::size_t> n_hard;      // of each component: cells that needed a certificate,
  std::vector<std::size_t> n_blocked;   // cells for which sets were given up,
  std::vector<std::size_t> n_released;  // released sub-tables
  PairCertificates certificates;
  std::vector<ReducibleStep> log;
  bool stopped = false;  // by a limit
};

// `admissible`: all sub-tables whose count is at least beta at every cell at risk.
// InfeasibleError when no certified release was found, or none in the time, or when what is forced
// is not admissible.
ReducibleRelease find_reducible(const RiskCells& risk, const std::vector<SubTable>& admissible,
                                const ReducibleOptions& options, const Tick& tick);

}  // namespace sdclattice
