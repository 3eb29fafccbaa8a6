// A pattern that a reader who knows the method cannot use: its choice does not look at counts.
//
// What is computed. The first level that suffices (blind_levels.hpp), and the tables that are found
// there.
// What it guarantees. Where a level suffices, each table in `keeping` has the same publication at
// this level and none before that suffices. Not even who knows the method, its seed, its costs and
// this rule can exclude it: neither the choice nor the decision looks at more than what such tables
// share.
// Where no level suffices, the cells are chosen for readers and those who might be alone, and
// certificates are looked for from the table as it is. Those in `keeping` lead to tables for which
// no level suffices either: the choice would have been the same. Whether enough are found is a
// decision after a look at the counts, of which nothing is promised. Tables of more than 300 stored
// cells have no levels: the choice is for readers and those who might be alone, and certificates
// are looked for from the table as it is.
// What it costs. The moves cannot stop early, as the clock is no secret; beyond `seconds` no
// promise is made to readers who know the method.
// Agrees with running the method on all tables that agree (tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/blind_levels.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct ValueFreeLimits {
  double seconds = 60;
  bool has_levels = true;    // false: certificates from the table as it is in any case
  bool only_levels = false;  // no certificates where no level suffices
  BlindLimits blind;
};

struct ValueFreePattern {
  SuppressionPattern pattern;         // as the table is; `bound` is 0
  std::vector<Certificate> keeping;   // lead to tables that are answered alike
  std::vector<OpenDemand> uncovered;  // what these leave open to readers who know the method
  std::size_t level = 0;              // 1 and the number of its BlindAsk; 0: none suffices
  bool choice_stopped = false;        // by the limit of time: nothing is kept then
  // Where no level suffices, and some are too dear: what the cheapest of them costs, and the choice
  // that it is too dear for.
  std::int64_t dear_cost = 0, usual_cost = 0;
};

// `problem`: of these cells. Its demands, knowers and limits are used for the certificates alone.
ValueFreePattern value_free_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                    const StatusLimits& status, const ValueFreeLimits& limits,
                                    const Tick& tick);

}  // namespace sdclattice
