// Tables that were listed one by one: which of them a judge would have released a margin of, and
// between what their cells lie. It is how one learns what a reader learns who knows the judge.
//
// A judge who releases a margin sees, for its own table, the tables that agree with all that is
// out: of the listed ones, those with the same margin. So the tables are put into groups by their
// margin; a group's cells lie in an interval; and a table is safe when the intervals of its cells
// at risk are wide enough. Exact, because all tables are listed. O(tables times cells) for a
// margin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// `n_tables` tables of `n_cells` counts, one behind the other; they must outlive the view.
struct ListedTables {
  const double* counts = nullptr;
  std::size_t n_cells = 0, n_tables = 0;
  const double* table(std::size_t t) const { return counts + t * n_cells; }
};

// Which cells are at risk, and how wide their intervals must be: those with one of `counts`, or, if
// there are none, the same `cells` in every table.
struct ListedRisk {
  std::vector<double> counts;
  std::vector<std::size_t> cells;
  double width = 0;
};

// Numbers the distinct margins of the tables `among` in the order of their first table, and gives
// the number of each. `sum_of`: to which count of the margin each cell adds.
std::vector<std::uint32_t> group_tables(const ListedTables& tables,
                                        const std::vector<std::size_t>& among,
                                        const std::vector<std::uint32_t>& sum_of, const Tick& tick);

struct JudgedTables {
  std::vector<std::uint32_t> group;  // of each table asked about: those with the same margin
  std::vector<std::uint8_t> safe;    // would the margin have been released?
};

// Of the tables `among`, which agree with all that is out.
JudgedTables judge_tables(const ListedTables& tables, const std::vector<std::size_t>& among,
                          const std::vector<std::uint32_t>& sum_of, const ListedRisk& risk,
                          const Tick& tick);

struct ListedRange {
  std::vector<double> lower, upper;  // of each cell
};

// `among` must not be empty.
ListedRange range_of_tables(const ListedTables& tables, const std::vector<std::size_t>& among);

}  // namespace sdclattice
