// Sums of unknown totals that equations give, judged by a rule about few contributors: the rule
// fires for a sum whose contributors, all together, are fewer than n.
//
// Sums of cells whose contributors all belong to a set H have nothing in any other cell, which may
// therefore change as it likes. None of them has something in a cell i where a change raises i and
// makes no cell inside H smaller (clearing.hpp). Such changes, one for each cell inside H, add up
// to a proof for H. So each cell with few contributors is asked about with its own contributors as
// H. The change that answers serves every larger set, but for those that contain a cell which it
// makes smaller: their contributors are added, and the question asked again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/work_clock.hpp"
#include "linear/linear.hpp"
#include "magnitude/share_sums.hpp"

namespace sdclattice {

// As share_sums(). Cells without contributors may be in any sum, and are no reason for one to fail.
ShareSums few_sums(const LinearSystem& rows, const CellShares& shares, std::size_t n,
                   WorkClock& watch);

}  // namespace sdclattice
