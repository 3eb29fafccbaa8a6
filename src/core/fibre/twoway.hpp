// Two-way tables with given row and column sums and limits of the cells: their number, the number
// by the value of each cell, and uniform draws.
//
// What is counted. F_i(v) is the number of ways to fill the first i lines (rows, or columns where
// that is cheaper) so that column j holds v_j so far. One column, the one with the widest range, is
// not carried: the line sums tell what it holds.
// The recurrence. F_{i+1}(v) = sum of F_i(v - x) over the fillings x of line i. The sum over x is
// taken one cell after the other: a cell adds 0, ..., u to its column and to the line, which is a
// sliding window along one axis, a prefix sum minus a shifted one. What the line holds so far is
// the distance of |v| from the layer |w| that the pass began in; so layers are passed one by one
// and need no axis of their own. Where at most two columns are carried, sums over triangles take
// the place of the layers (twoway_triangle.hpp). Arithmetic is modulo a power of two above an upper
// bound of the answer: subtractions may wrap. Why it is right. Each filling of a line is one path
// through the windows. Lines are passed from both ends; the number of tables is the sum of F(v) B(c
// - v) over the states in the middle. Restricted to a line and a cell, with the windows of the
// line's other cells only, the same sum gives the numbers by the value of the cell. What it costs.
// With sums r_i and c_j, about prod (c_j + 1) over the carried columns, times (r_i + 1) for each
// line but the two largest (which three columns are spared), times the number of columns; limits of
// the cells shrink the box of states at each line. It grows as a power of the counts (for n x n
// tables of fixed shape N^n), hence residue.hpp for large counts. Agrees with residue.hpp,
// diagram.hpp and brute force on random tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fibre/fibre_part.hpp"

namespace sdclattice {

// A cell adds to one row and one column; several cells may share both.
struct TwoWayCell {
  std::uint32_t row, column;
  std::int64_t limit;
};

struct TwoWayTable {
  std::vector<std::int64_t> row, column;  // sums, of the same total
  std::vector<TwoWayCell> cell;
  bool impossible = false;  // known to have no filling

  TwoWayTable transposed() const;
};

// The order in which the programme takes rows and columns, and what it will cost.
struct TwoWayPlan {
  bool transposed = false;
  std::vector<std::uint32_t> line;  // order of the rows (columns, if transposed)
  std::vector<std::uint32_t> axis;  // carried columns; the first is innermost
  std::uint32_t rest = 0;           // the column that is not carried
  double states = 0, steps = 0;     // the largest array; additions for the number of tables
  double all_states = 0;            // all arrays, for draws or (twice) laws
};

TwoWayPlan plan_two_way(const TwoWayTable& table);

// An upper bound of the binary logarithm of the number of tables.
double log2_bound(const TwoWayTable& table);

// Laws and draws are for the first `n_cells` cells; the others are auxiliary. Throws TooLargeError
// when the plan exceeds a limit.
std::unique_ptr<FibrePart> make_two_way(const TwoWayTable& table, const TwoWayPlan& plan,
                                        std::size_t n_cells, const FibreLimits& limits);

}  // namespace sdclattice
