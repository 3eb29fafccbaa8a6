// Counting records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/column_values.hpp"
#include "table/table.hpp"

namespace sdclattice {

// A variable of microdata. It has codes, or values with numbers that are their codes. The level of
// a record is code - base, or lookup[code - base] when there is a lookup; a record whose value is
// missing has the level `level_of_missing`, or none at all when that is negative.
struct Column {
  const std::int32_t* codes = nullptr;
  ValueBits values;
  const ValueNumbers* numbers = nullptr;
  std::int32_t base = 1;
  const std::int32_t* lookup = nullptr;
  std::uint32_t lookup_size = 0;
  std::int64_t level_of_missing = -1;
};

// What tabulating found. When some record has no level, `missing` counts those records for each
// variable, and there are no cells.
struct Tabulation {
  Cells cells;
  std::vector<std::size_t> missing;
};

// Counts n records, each with its weight (1 when `weights` is null; checked whole numbers).
Tabulation tabulate(const Layout& layout, const std::vector<Column>& columns, std::size_t n,
                    const double* weights, const Tick& tick);

}  // namespace sdclattice
