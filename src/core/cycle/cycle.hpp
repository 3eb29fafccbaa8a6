// Sets of margin-preserving cycles, as sparse moves on the cells of a dense table (first dimension
// fastest, as in R).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// Cycle c changes the cells cell[start[c]], ..., cell[start[c + 1] - 1] by the coefficients that
// stand at the same places. No cell stands twice in one cycle, no coefficient is 0.
struct CycleSet {
  std::size_t n_cells = 0;
  std::vector<std::size_t> start{0};
  std::vector<std::int32_t> cell;
  std::vector<std::int8_t> coef;

  // The cycles that one cover applies, in its order; empty: 0, 1, ..., each once.
  std::vector<std::int32_t> cover;

  // Sets that skip zeros, empty elsewhere: the cycle that follows in its sweep, -1 after the last.
  // A sweep runs along an open band of two lines x, y, one cycle after the other; cycle i has the
  // entries +1 (x, i), -1 (x, i + 1), +1 (y, i + 1), -1 (y, i), in this order. Where column i has a
  // zero its step does nothing; else it moves columns i and k, k the first later column without
  // one (see perturb.hpp).
  std::vector<std::int32_t> next;
  bool skips_zeros() const { return !next.empty(); }

  std::size_t size() const { return start.size() - 1; }
  void add(std::int32_t where, std::int8_t by) {
    cell.push_back(where);
    coef.push_back(by);
  }
  void close() { start.push_back(cell.size()); }
};

// A two-way table seen along one of its dimensions: lines (rows, or columns when transposed) of
// `length` cells each. Cell (line, position) of the lines is one cell of the dense table.
struct Lines {
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  bool transposed = false;

  std::size_t count() const { return transposed ? n_columns : n_rows; }
  std::size_t length() const { return transposed ? n_rows : n_columns; }
  std::int32_t cell(std::size_t line, std::size_t at) const {
    return static_cast<std::int32_t>(transposed ? at + n_rows * line : line + n_rows * at);
  }
};

// Some lines, the order of the positions on their common ring, and a closed walk on the ring. An
// open band leaves out the cycle that would close the ring; its walk is 0, 1.
struct Band {
  std::vector<std::int32_t> lines;
  std::vector<std::int32_t> ring;
  std::vector<std::int32_t> walk;
  bool open = false;
};

// Groups of two or three lines, each with its ring. In a set of triads a group of three (a, b, c)
// is three bands of two lines on the same ring, ab, bc and ca, and one cover sweeps a pair twice,
// so that every cell has equally many chances. Elsewhere a group is one band, swept once.
struct Groups {
  std::vector<std::vector<std::int32_t>> lines;
  std::vector<std::vector<std::int32_t>> rings;
  bool triads = false;
  bool open = false;
  bool skip_zeros = false;
};

// Why the groups cannot make a set on these lines, or nullptr: every line in one group of two or
// three, every ring a permutation, no band of three lines where it cannot be (on a ring of two
// positions both entries of a line fall on one cell; an open one has two ends of different kinds),
// and open rings where zeros are skipped.
const char* find_fault(const Lines& lines, const Groups& groups);

// The cycles of such a set, and the steps of one cover: n = length() - open for each band.
std::size_t count_cycles(const Lines& lines, const Groups& groups);
std::size_t count_steps(const Lines& lines, const Groups& groups);

// The closed walks of the rules, as positions a_0, ..., a_{h-1} for h lines; the walk then returns
// to a_0. All want a ring of n >= 2 positions.
std::vector<std::int32_t> walk_lenz(std::size_t n_lines, std::size_t n_ring);
std::vector<std::int32_t> walk_chain(std::size_t n_lines, std::size_t n_ring);

// Throws unless there are at least 2 rows and 2 columns, and at most 2^31 - 1 cells.
void check_shape(std::size_t n_rows, std::size_t n_columns);

// Whether the rule must run along the columns instead of the rows.
bool lenz_is_transposed(std::size_t n_rows, std::size_t n_columns);
bool chain_is_transposed(std::size_t n_rows, std::size_t n_columns);

// Adds the cycles of a band, one for each position of its ring (but the last of an open one).
// Linear in the entries.
void add_band(const Lines& lines, const Band& band, CycleSet& cycles);

CycleSet cycles_lenz(std::size_t n_rows, std::size_t n_columns);
CycleSet cycles_chain(std::size_t n_rows, std::size_t n_columns);
// Group after group, band after band, along the ring. Throws InputError where find_fault() finds
// one.
CycleSet cycles_banded(const Lines& lines, const Groups& groups);

// Throws InputError unless every cycle has entries, on cells of the table, each once, with
// coefficients from -127 to 127 other than 0.
void validate(const CycleSet& cycles);

// Where a cycle first fails to keep a margin: the cycle, the margin, and the cells of the cycle
// that stand for the broken levels, one per level.
struct BrokenMargin {
  bool found = false;
  std::size_t cycle = 0;
  std::size_t margin = 0;
  std::vector<std::int32_t> cells;
};

// `dim` is the shape of the table, `margins` the dimensions (0-based) that each margin keeps.
BrokenMargin find_broken_margin(const CycleSet& cycles, const std::vector<std::size_t>& dim,
                                const std::vector<std::vector<std::size_t>>& margins,
                                const Tick& tick = {});

// Per cell: the number of steps of one cover that touch it, and the sum of the sizes of its
// coefficients, which is how far one cover can move it either way.
struct Chances {
  std::vector<std::int32_t> cycles;
  std::vector<std::int64_t> reach;
};
Chances chances(const CycleSet& cycles);

// Per cell: whether some cycle of its touches no cell that is zero in `counts`; where zeros are
// skipped, whether its column and another one of some band have none.
std::vector<std::uint8_t> on_free_cycle(const CycleSet& cycles,
                                        const std::vector<std::int64_t>& counts);

}  // namespace sdclattice
