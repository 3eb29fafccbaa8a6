// Two people who put together what they know, as knowers.
//
// What is computed. A pair are two who are alone in inner cells of their own, or the two of an
// inner cell of 2. The pair knows what either of the two knows alone (knowers_of_ones()), and the
// cell and all published totals in which nobody else is: they are 2. Where zeros are hidden people
// know their own cells alone, as that nobody else is in a total is what they would be told.
// Guarantee. The cells of a pair are ascending, and hold those of each of the two.
// What it costs. Pairs are half the square of the cells of 1: callers limit these.
// Agrees with looking at all people of each total.
#pragma once

#include <cstddef>
#include <cstdint>

#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// `problem.knowers` are those who are alone in a cell, as knowers_of_ones() or, with
// `zeros_hidden`, knowers_of_own_ones() gives them. Adds the pairs, and whom each of them includes.
void add_pairs(SuppressionProblem& problem, const StoredCells& cells, bool zeros_hidden);

}  // namespace sdclattice
