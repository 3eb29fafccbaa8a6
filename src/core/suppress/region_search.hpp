// A pattern without some of its secondary cells, met anew.
//
// What is computed. A secondary cell is given up, now and then with up to three others of a change
// that uses it. The changes that use them go, the cells are forbidden (three times of four), and
// the demands that this opens are met by the cheapest changes, in any order. What becomes dearer is
// taken back; what costs the same stays, as plateaus lead on.
// What it costs. The insertion of the demands on all cells of these changes.
// Agrees with the state that it works on: every demand that was met is met.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "suppress/demand_insertion.hpp"
#include "suppress/pattern_state.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

class RegionSearch {
 public:
  RegionSearch(const SuppressionProblem& problem, PatternState& state, DemandInsertion& insertion)
      : problem_(problem), state_(state), insertion_(insertion) {}

  // False where the state is as before. `is_over`: is the time? Then all is taken back.
  bool improve(std::uint32_t cell, PublicRandom& random, const std::function<bool()>& is_over);

 private:
  std::vector<std::uint32_t> region_of(std::uint32_t cell, PublicRandom& random) const;
  bool meet_all(std::vector<std::uint32_t>& demands, std::int64_t most, PublicRandom& random,
                const std::function<bool()>& is_over);

  const SuppressionProblem& problem_;
  PatternState& state_;
  DemandInsertion& insertion_;
};

}  // namespace sdclattice
