// Simulated annealing over decomposable releases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "release/additive_utility.hpp"
#include "release/decomposable.hpp"
#include "release/release_judge.hpp"

namespace sdclattice {

struct AnnealPlan {
  std::uint64_t seed = 0;  // of the chain
  std::size_t proposals = 0;
  double hot = 1, cold = 1;  // temperatures at the begin and at the end, geometric in between
  double seconds = 0;        // no limit when infinite
  double enough = 0;         // a value that nothing exceeds
  std::vector<std::size_t> levels{};  // of each variable; empty: one each
};

struct AnnealStep {
  std::size_t proposal;
  double value, seconds;
};

// What a chain has found so far. It is kept up to date while the chain runs, so that it is there
// when a tick has thrown.
struct AnnealFound {
  CliqueTree best;
  double value = 0;
  std::vector<AnnealStep> log;  // the start, and each improvement
  std::size_t n_proposals = 0;
  std::size_t n_judged = 0;    // releases whose bounds were computed
  std::size_t n_accepted = 0;  // moves
  double seconds = 0;
  bool enough = false, out_of_time = false;
};

// From `start`, a safe chordal graph that has all edges of the `forced` sub-tables. The same plan
// gives the same result, whatever the judge was used for before, unless time runs out. By level the
// graph is one of steps: its cliques are closed sets, and the steps of each variable are joined.
void anneal(ReleaseJudge& judge, const AdditiveUtility& utility, const DecomposableGraph& start,
            const std::vector<SubTable>& forced, const AnnealPlan& plan, AnnealFound& found,
            const Tick& tick = {});

// Independent streams for the chains of one seed.
std::uint64_t chain_seed(std::uint64_t seed, std::uint64_t chain);

}  // namespace sdclattice
