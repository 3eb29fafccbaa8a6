// Sums of unknown totals that equations give, judged by a rule about the shares of the largest
// contributors: p percent and (n, k).
//
// The rule fires for a sum u when total T(u) < lead x_1(u) + other (x_2(u) + ...), the contributors
// in the order of what they have in the sum. Of named contributors that is linear in u, and one
// question of clearing.hpp judges all sums at once. Any contributor can be the first, and is asked
// about by herself: what she leaves of the cells is less than nothing in few of her own cells only,
// so that the answer depends on what is around these.
//
// The answer is a change of the cells, and it serves all others to whom it leaves enough. Those to
// whom it does not are in the few cells that it makes smaller: each is named in turn, and the
// question asked again. So a contributor takes a few questions, however many others there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/work_clock.hpp"
#include "linear/clearing.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// What each cell holds: its total, and contributors with values of 0 or more, largest first.
struct CellShares {
  std::vector<std::int64_t> total;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> holder;
  std::vector<std::int64_t> value;
};

// Fires when total T < lead x_1 + other (x_2 + ... of `others` more); lead >= other. All numbers
// are up to 2^31.
struct ShareRule {
  std::int64_t total, lead, other;
  std::size_t others;
};

// A sum, and what was left of the cells of its rows: Clearing::kFree where that was anything.
struct FailedSum {
  DerivedSum sum;
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> left;
};
// Of the last question that was not cleared.
FailedSum failed_sum(const LinearSystem& rows, const Clearing& clearing);

struct ShareSums {
  std::vector<FailedSum> failed;  // of each contributor one at most
  // Questions whose answer has no proof, with the rows that seem to be a sum, if any.
  std::vector<FailedSum> doubtful;
  bool stopped = false;  // by the time
  std::size_t n_asked = 0;
};

// Over the rows of a system, whose limits mean nothing. Exact: where nothing failed, is doubtful or
// was stopped, no sum that the rows give fails.
ShareSums share_sums(const LinearSystem& rows, const CellShares& shares, const ShareRule& rule,
                     WorkClock& watch);

}  // namespace sdclattice
