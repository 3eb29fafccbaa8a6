// The rows around a cell as a system of their own. Leaving rows out loses no solution, so that
// whatever bounds the cell there bounds it in the whole system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

struct Neighbourhood {
  LinearSystem system;
  std::vector<std::uint32_t> cell;  // of the whole system; the first is that in the middle
  bool whole = false;               // are all rows of the system in it?

  // The values of its cells in a table of the whole system.
  std::vector<std::int64_t> pick(const std::vector<std::int64_t>& x) const;
};

// Makes neighbourhoods in one system. Each costs what it holds, not what the system holds.
class Neighbourhoods {
 public:
  // Keeps references. The limits of the cells are those that the system has when one is made.
  Neighbourhoods(const LinearSystem& system, const RowsByCell& rows);
  // Breadth first from the cell's rows, at most `most_rows` of them.
  Neighbourhood around(std::uint32_t cell, std::size_t most_rows);

 private:
  void see_row(std::uint32_t row);
  void see_cell(std::uint32_t cell);

  const LinearSystem& system_;
  const RowsByCell& rows_;
  std::vector<std::uint32_t> place_;  // of a cell that was seen, from 1
  std::vector<char> row_seen_;
  std::vector<std::uint32_t> cells_, found_;
};

}  // namespace sdclattice
