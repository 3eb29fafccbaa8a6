// Some people who put together what they know, as knowers.
//
// What is computed. A coalition is a set of inner cells that have at least two people together and
// `most` at most: all people of these cells. It knows what each of its members knows who is alone
// in a cell, its inner cells, and what is its own (OwnCell). Guarantee. The cells of a coalition
// are ascending. Each set is there once. What it costs. Coalitions are as many as such sets:
// callers limit these. Agrees with looking at all sets of inner cells.
#pragma once

#include <cstdint>
#include <vector>

#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// Known to all people of the inner cells `of`, ascending: a total that nobody else is in, or a
// hidden zero beside them.
struct OwnCell {
  std::uint32_t cell;
  std::vector<std::uint32_t> of;
};

// The published totals that have from 2 to `most` people: what coalitions own where no zero is
// hidden.
std::vector<OwnCell> totals_of_few(const StoredCells& cells, std::int64_t most);

// `problem.knowers` are those who are alone in a cell, in the order of their inner cells. Adds the
// coalitions, and whom of these each of them includes.
void add_coalitions(SuppressionProblem& problem, const StoredCells& cells, std::int64_t most,
                    const std::vector<OwnCell>& own);

}  // namespace sdclattice
