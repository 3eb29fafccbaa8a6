// A pattern that a reader who knows the method cannot use: its choice does not look at counts.
//
// What is computed. The cells are chosen by product moves (move_pattern.hpp) in a table in which
// every stored cell has the same large count: the choice depends on which cells are stored, which
// are primary, what they cost, and on the seed, and on nothing else. Only then are counts looked
// at: certificates of the chosen cells are searched for the table as it is, and once more within
// limits that keep the status of every cell: primary cells stay primary, others do not become so.
// What it guarantees. Another table with the same stored and the same primary cells has the same
// pattern, whatever its counts. So a certificate that keeps the status leads to a table that agrees
// with all that is published and that the method answers in the same way: not even who knows the
// method, its seed and its costs can exclude it.
// What it costs. The moves cannot stop early, as the clock is no secret; beyond `seconds` no
// promise is made to readers who know the method.
// Agrees with running the method on all tables that agree (tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct ValueFreeLimits {
  double seconds = 60;
  std::uint64_t seed = 1;
  std::size_t idle_sweeps = 6;  // of the choice, without a gain
};

// What is left of a cell's limits when its status must stay.
struct StatusLimits {
  std::vector<std::int64_t> lower, upper;
};

struct ValueFreePattern {
  SuppressionPattern pattern;         // as the table is; `bound` is 0
  std::vector<Certificate> keeping;   // certificates that keep the status
  std::vector<OpenDemand> uncovered;  // what these leave open to readers who know the method
  bool choice_stopped = false;        // by the limit of time: nothing is kept then
};

// `problem`: of these cells. Its demands, knowers and limits are used for the certificates alone.
ValueFreePattern value_free_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                    const StatusLimits& status, const ValueFreeLimits& limits,
                                    const Tick& tick);

// The problem in which the cells are chosen: each primary cell is not to be exact, also for whoever
// might be alone in an inner cell that is primary or unseen.
SuppressionProblem blind_problem(const StoredCells& cells, const SuppressionProblem& problem);

}  // namespace sdclattice
