// Who must not learn what: each demand against each reader whom it concerns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// A demand against the outsider (OpenDemand::kNobody) or a knower.
struct ReaderDemand {
  std::uint32_t demand, knower;
  std::vector<std::uint32_t> known;  // cells that may change but that she knows; ascending
};

// Those of each demand one after the other, readers who know more first, the outsider last.
// Knowers who know the same of what may change are each there.
std::vector<ReaderDemand> reader_demands(const SuppressionProblem& problem);

// Marks those that hold wherever the others that are marked hold: of two readers the one who knows
// less. They come as reader_demands() has them; without those whose `is_left_out` is set.
std::vector<char> implied_demands(const std::vector<ReaderDemand>& all,
                                  const std::vector<char>& is_left_out);

}  // namespace sdclattice
