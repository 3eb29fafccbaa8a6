// Judges one change after the other of a decomposable release: would it still be safe?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "release/decomposable.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// What may be in a release: sub-tables with a count of at least beta at each cell at risk that hold
// none of `forbidden`.
struct JudgeRules {
  std::int64_t beta = 1;
  std::vector<SubTable> forbidden;
  std::size_t max_bytes = std::size_t{1} << 28;  // of margins that are kept
};

class ReleaseJudge {
 public:
  virtual ~ReleaseJudge() = default;

  // All sub-tables that may be in a release. Without them each is judged when it is met first.
  virtual void know(const std::vector<SubTable>& admissible) = 0;
  // Begins anew with a chordal graph.
  virtual void begin(const DecomposableGraph& graph) = 0;
  // Adds the edge u - v, when the release with it is safe. `graph` is still without it; it must be
  // that of the calls so far.
  virtual bool add(const DecomposableGraph& graph, std::size_t u, std::size_t v) = 0;
  virtual void remove(const DecomposableGraph& graph, std::size_t u, std::size_t v) = 0;
  // Releases whose sums of margins were computed at all cells at risk, by add() and remove().
  virtual std::size_t n_judged() const = 0;
};

// For cells that live as long as the judge.
std::unique_ptr<ReleaseJudge> make_release_judge(const RiskCells& cells, const JudgeRules& rules);

}  // namespace sdclattice
