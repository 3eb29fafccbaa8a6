// The best release of all: the set of sub-tables of largest value among those that are safe and
// hold the sub-tables of their own.
//
// An implicit hitting set. A conflict is a minimal unsafe set; a safe release lacks one of the
// maximal sub-tables of each conflict, and all that holds it. The search branches over which, keeps
// what the branches before left out, and asks the oracle only when no known conflict is left:
// either that release is safe, or it holds a new conflict. The bound is what must still be given
// up: the dual of the linear programme of the hitting set, raised greedily. It is exact in whole
// numbers, and the best release is proved when the search ends; cut by time it leaves an upper
// bound.
//
// By level, a release is known by its closed sets, and only these have values: all that is kept or
// left out is rounded to them. The one-way tables of variables with several levels are kept in all
// releases (see level_steps.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "release/release_oracle.hpp"
#include "table/level_steps.hpp"

namespace sdclattice {

struct ReleaseSearchResult {
  std::vector<SubTable> frontier;
  std::int64_t value = 0, upper = 0;  // upper >= value of every safe release
  bool optimal = false, stopped = false;
  std::size_t n_nodes = 0, n_conflicts = 0, n_asked = 0, n_searched = 0, n_undecided = 0;
  struct Step {
    std::int64_t value;
    double seconds;
    std::size_t node;  // 0: before the search
  };
  std::vector<Step> steps;  // each better release
};

struct ReleaseSearchLimits {
  double seconds = 60;
  std::size_t max_cells = 20000;
  std::size_t growths = 20;
  std::uint64_t seed = 1;
  std::vector<std::size_t> levels{};  // of each variable; empty: one each
  ReachLimits fibre;
};

// `values`: of the 2^K sub-tables, none below 0, that of the empty one 0; their sum below 2^62.
ReleaseSearchResult search_releases(const RiskCells& risk, std::int64_t beta,
                                    const std::vector<std::int64_t>& values,
                                    const ReleaseSearchLimits& limits, const Tick& tick);

}  // namespace sdclattice
