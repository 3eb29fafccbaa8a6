// A pattern that a reader who knows the method cannot use: its choice does not look at counts.
//
// What is computed. The cells are chosen by product moves (move_pattern.hpp) in a table in which
// every stored cell has the same large count: the choice depends on which cells are stored, which
// are primary, what they cost, and on the seed, and on nothing else. There are two levels: in the
// first no primary cell is exact for readers of such a table; in the second nor for anybody who
// might be alone in a cell, nor where no other primary cell has room to change. The first level
// that suffices is taken. A level suffices for a table when tables of the same status, found from
// what it publishes alone, support each other (status_class.hpp); those for which a lower level
// suffices are left out before.
// What it guarantees. Where a level suffices, each table in `keeping` has the same publication at
// this level and none lower that suffices. The tables that are found from it are the same; so the
// level suffices for it, too. Not even who knows the method, its seed, its costs and this rule can
// exclude it: neither the choice nor the decision looks at more than what such tables share.
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
#include "suppress/status_class.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct ValueFreeLimits {
  double seconds = 60;
  std::uint64_t seed = 1;
  std::size_t idle_sweeps = 6;  // of the choice, without a gain
  bool has_levels = true;       // false: certificates from the table as it is in any case
  bool people = true;           // must those who are alone in a cell be kept from others?
  ClassLimits of_class;
};

struct ValueFreePattern {
  SuppressionPattern pattern;         // as the table is; `bound` is 0
  std::vector<Certificate> keeping;   // lead to tables that are answered alike
  std::vector<OpenDemand> uncovered;  // what these leave open to readers who know the method
  std::size_t level = 0;              // 1 or 2: the level that suffices; 0: none does
  bool choice_stopped = false;        // by the limit of time: nothing is kept then
};

// `problem`: of these cells. Its demands, knowers and limits are used for the certificates alone.
ValueFreePattern value_free_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                    const StatusLimits& status, const ValueFreeLimits& limits,
                                    const Tick& tick);

// What is asked of the cells: that no primary cell is exact for readers; nor for whoever might be
// alone in an inner cell that is primary or unseen; nor for whoever knows all other primary cells.
enum class BlindAsk { readers, alone, apart };

// The problem in which the cells are chosen.
SuppressionProblem blind_problem(const StoredCells& cells, const SuppressionProblem& problem,
                                 BlindAsk ask);

}  // namespace sdclattice
