// Several sets of conditional rates of one table, and what else is known of it, as one system.
//
// Each rate speaks of a sum of cells and of the total of its row, which is a sum as well. Each such
// sum is an unknown of its own, so that a rate relates two unknowns and not many cells. Sums of the
// same cells are one unknown, whatever said them: the total of a row of one set may be a sum of
// another set, or a margin that was released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conditional/rates.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// A set of rates. Every row has a count. All sets are about the same cells: one that a set leaves
// out and another sums is 0. Cells that no set sums are further unknowns of the table's rows.
struct RateSet {
  RateRows rows;
  std::vector<std::size_t> start{0};  // the cells that a rate sums, row after row
  std::vector<std::uint32_t> cell;
};

// A row of rates in unknowns.
struct RateLine {
  RateRow row;
  std::vector<std::uint32_t> sum;  // a rate each
  std::uint32_t total = 0;
};

// The rates themselves are not among the rows of the system.
struct RateSystem {
  LinearSystem system;  // first the cells of the table, then sums
  std::vector<std::vector<RateLine>> sets;
  std::vector<const RateRows*> rows;  // of each set
  std::uint32_t all = 0;              // the sum of all cells that rates sum
};

// `table`: limits of the cells, and rows of sums. Keeps pointers to the rates of `sets`, of which
// there is one at least.
// InfeasibleError when limits contradict each other.
RateSystem rate_system(const LinearSystem& table, const std::vector<RateSet>& sets);

// Adds a row of a system.
struct RowEntry {
  std::uint32_t cell;
  std::int64_t coefficient;
};
void add_row(LinearSystem& system, const std::vector<RowEntry>& entries, std::int64_t lower,
             std::int64_t upper);

}  // namespace sdclattice
