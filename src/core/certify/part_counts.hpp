// How many admissible sub-tables lie inside a set of variables: closed ones, where variables have
// levels (table/level_steps.hpp).
//
// What is computed. All sums over parts beforehand, where the variables are few; else a set is
// counted when it is asked about, and remembered.
// What it costs. O(2^K) numbers for at most 20 variables, O(admissible) a new set for more.
// Agrees with a loop over the admissible sub-tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "table/level_steps.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

class PartCounts {
 public:
  // `admissible` must live as long.
  PartCounts(std::size_t n_variables, const std::vector<SubTable>& admissible,
             LevelSteps steps = {});

  std::int64_t operator()(SubTable set);
  // The parts of a set that is released as a whole, without the empty one.
  std::int64_t of_whole(SubTable complete) const { return steps_.n_inside(complete); }
  bool is_counted(SubTable set) const { return steps_.is_closed(set); }

 private:
  const std::vector<SubTable>& sets_;
  LevelSteps steps_;
  bool dense_;
  std::shared_ptr<const std::vector<std::int32_t>> sums_;  // by all copies
  std::unordered_map<SubTable, std::int64_t> memo_;
};

}  // namespace sdclattice
