// Proofs that a cell goes no further, over the system as it was given, which anybody can check.
//
// A proof is a tree. An inner node splits the values of a cell at a number; a leaf is a combination
// of rows that excludes all solutions within the limits of the cells and the splits above it.
// Nearly always one leaf does. It is found by narrowing the limits, whose steps are traced back to
// rows, or by a linear programme over the rows within reach of the cell, whose multipliers are
// rounded to whole numbers. Cells of rows that excluded earlier leaves are split first, also in
// proofs of other ends, so that a second attempt needs fewer nodes. What excludes a leaf is decided
// by whole numbers alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "linear/conflict_weights.hpp"
#include "linear/linear.hpp"
#include "linear/near_programme.hpp"
#include "linear/traced_limits.hpp"

namespace sdclattice {

// No solution has sign * cell > sign * end. The root has the cell beyond its end.
struct EndProof {
  struct Node {
    std::uint32_t cell = UINT32_MAX;  // of a leaf none
    std::int64_t at = 0;              // first the branch with cell <= at, then cell >= at + 1
  };
  std::vector<Node> nodes;          // a node, all of its first branch, all of its second
  std::vector<Combination> leaves;  // as they come in nodes; without rows: the limits cross
};

struct ProofLimits {
  std::size_t nodes = 400;     // of a proof
  std::size_t visits = 20000;  // of rows after a split
};

class EndProver {
 public:
  // Keeps a reference. `check` is called now and then and may throw.
  EndProver(const LinearSystem& system, std::function<void()> check, ProofLimits limits = {});

  // Nothing when the end is none, or when no proof was found within the limits. `table`: a solution
  // at the end, where to start from; it may be empty.
  std::optional<EndProof> prove(std::size_t cell, int sign, std::int64_t end,
                                const std::vector<std::int64_t>& table);
  // From now on `times` the work for a proof.
  void work_harder(std::size_t times) {
    most_.nodes *= times;
    most_.visits *= times;
  }
  // Limits of cells that follow from the rows.
  const TracedLimits& limits() const { return limits_; }

 private:
  struct Goal {
    std::size_t cell;
    int sign;
    std::int64_t end, lower, upper;  // and the limits of the cell before it went beyond
  };
  void go_beyond();
  bool by_rows();
  bool by_programme(const std::vector<std::int64_t>& table);
  bool refute(NearProgramme& programme);
  bool try_duals(const NearProgramme& programme);
  bool close(const TracedLimits::Conflict& conflict);
  std::size_t heaviest(const NearProgramme& programme) const;
  bool branch(std::size_t cell, std::int64_t at, const std::function<bool(bool)>& then);
  bool branch_on(std::size_t cell, std::int64_t at, NearProgramme& programme);
  bool leaf(Combination rows);
  bool attempt(const std::function<bool()>& work);

  const LinearSystem& system_;
  std::function<void()> check_;
  ProofLimits most_;
  TracedLimits limits_;
  RowsAround reach_;
  ConflictWeights weights_;  // of the leaves so far
  Goal goal_{};
  EndProof proof_;
};

}  // namespace sdclattice
