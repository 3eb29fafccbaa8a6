// The problem of which cells of a table to hide, from its stored cells.
//
// What is computed. Cell i of the problem is cell i of the table. Published cells are candidates
// that cost 1, the others are unseen. A row says that a cell is the sum of the cells below it along
// one family of one variable; what is not stored is zero and in no row. Who asks for the problem
// then sets the roles, the costs and the demands.
// What it costs. Rows are as many as stored cells and variables, multiplied, at most, and have an
// entry for each cell, variable and tree: for large tables leave them out, as product moves do not
// need them.
// Agrees with all tables of inner cells: they and the solutions of the system are the same tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// The relations of all stored cells: what is below a cell, less the cell, is 0. Limits are 0 and
// kNoLimit.
LinearSystem table_rows(const StoredCells& cells);

// `floor`: what every reader knows a published cell to be at least, when it is stored and not zero.
SuppressionProblem table_problem(const StoredCells& cells, std::int64_t floor, bool with_rows);

// Who is alone in an inner cell knows this cell, and all published totals that count her alone.
// `unsure`: totals of which she cannot tell that, as zeros below them are hidden; none where empty.
std::vector<std::vector<std::uint32_t>> knowers_of_ones(const StoredCells& cells,
                                                        const std::vector<char>& unsure = {});

// The same where zeros are hidden: that she is alone in a total, too, is what they would tell her.
std::vector<std::vector<std::uint32_t>> knowers_of_own_ones(const StoredCells& cells);

// All changes that follow from those of inner cells. InputError where a cell is not an inner one.
Certificate from_inner_changes(const StoredCells& cells, const Certificate& inner);

}  // namespace sdclattice
