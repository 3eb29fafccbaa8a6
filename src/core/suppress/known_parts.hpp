// Contributors to magnitudes as knowers: who has a part of a cell knows that it is at least that.
//
// What is computed. A cell of the problem becomes the sum of three unseen ones: what the second
// largest contributor has, what the largest has more, and the rest. The first two lie between 0 and
// their values. Whoever has the largest part knows both, so that the cell cannot fall below it for
// her; all others who have a part know the first, which may be more than they have. Thus a knower
// is a set of known cells here, too. Sums of cells that must not be known become unseen cells.
// What it guarantees. The solutions of the system are, for the cells that it had, the same as
// before, and for a knower those that leave her cells no less than said above.
// What it costs. Three cells and a row for each cell that is split.
#pragma once

#include <cstdint>
#include <vector>

#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct CellParts {
  std::uint32_t cell;
  std::int64_t first, second;  // 0 <= second <= first <= the value less `besides`
  std::int64_t besides = 0;    // >= 0: in the cell in every table, and nobody's
};

// The unseen cells of a split one; kNone where they would always be 0.
struct SplitCell {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t second, more;
};

// Splits cells, each once. InputError where parts do not fit the value.
std::vector<SplitCell> split_cells(SuppressionProblem& problem,
                                   const std::vector<CellParts>& parts);

// A new unseen cell: the sum of different cells, whose lower limits are finite. Its number.
std::uint32_t add_sum(SuppressionProblem& problem, std::vector<std::uint32_t> cells);

// A new unseen cell: a cell less others, all different. So the others exceed the cell by `room` at
// most, as they do in the table, or it is an InputError. Its number.
std::uint32_t add_excess(SuppressionProblem& problem, std::uint32_t cell,
                         const std::vector<std::uint32_t>& others, std::int64_t room);

}  // namespace sdclattice
