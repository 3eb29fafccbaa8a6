// Systems of linear constraints over whole numbers: what any release says about the cells of a
// table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// Stands for "no upper limit", and negated for "no lower limit" of a row. Limits of cells and rows
// stay below 2^53 otherwise.
constexpr std::int64_t kNoLimit = INT64_MAX / 4;

// All whole numbers x with lower <= x <= upper and row_lower <= A x <= row_upper. Row r of A has
// the entries start[r], ..., start[r + 1] - 1, each with a cell and a coefficient that is not 0.
struct LinearSystem {
  std::vector<std::int64_t> lower, upper;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> coefficient;
  std::vector<std::int64_t> row_lower, row_upper;

  std::size_t n_cells() const { return lower.size(); }
  std::size_t n_rows() const { return row_lower.size(); }
  bool is_fixed(std::size_t i) const { return lower[i] == upper[i]; }
};

// The entries of a system by cell: row[at[i]], ..., row[at[i + 1] - 1] are the rows of cell i.
struct RowsByCell {
  std::vector<std::size_t> at;
  std::vector<std::uint32_t> row;

  explicit RowsByCell(const LinearSystem& system);
};

// Narrows the limits of the cells by what each row implies, rounded to whole numbers, until no row
// narrows any. For margins this is the shuttle algorithm over their cells (Buzzigoli and Giusti).
// Limits stay outer: no solution is lost. Returns false when some interval became empty, which
// proves that there is no solution. Where limits creep by single units without end the work stops
// after `max_visits` visits of rows, which leaves valid limits too; 0 chooses a number.
bool tighten(LinearSystem& system, const Tick& tick, std::size_t max_visits = 0);

// The same from the rows of some cells, whose limits were changed, onwards: at most `max_visits`
// rows are looked at. The cells that it narrows are added to `changed`, each as often as it was
// narrowed.
bool tighten_from(LinearSystem& system, const RowsByCell& rows, std::vector<std::uint32_t>& changed,
                  std::size_t max_visits);

// Narrows once by every row, all from the limits that the cells had before.
bool tighten_once(LinearSystem& system);

// The row that, by itself and from the limits of the others, limits a cell most from either side,
// and the limit that it gives; no row where the cell's own limits are as good.
struct Reason {
  std::int64_t lower = 0, upper = 0;
  std::size_t lower_row = SIZE_MAX, upper_row = SIZE_MAX;
};
std::vector<Reason> find_reasons(const LinearSystem& system,
                                 const std::vector<std::uint32_t>& cells);

// The cells that are not fixed, in groups that no row connects, each ascending.
std::vector<std::vector<std::uint32_t>> components(const LinearSystem& system);

// The parts of a system over its components, or over other groups of cells that no row connects.
// What fixed cells hold of a row moves into its limits; rows of fixed cells alone are left out.
std::vector<LinearSystem> split(const LinearSystem& system,
                                const std::vector<std::vector<std::uint32_t>>& groups);

// Whether x satisfies every limit.
bool satisfies(const LinearSystem& system, const std::vector<std::int64_t>& x);

}  // namespace sdclattice
