// Shows quickly that a sub-table has a small count, by cells that had one in other sub-tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "table/risk_cells.hpp"

namespace sdclattice {

// A few cells at risk tend to have the smallest counts in most sub-tables. Those are remembered,
// and asked first: the stored cells that agree with one of them are an intersection of bit sets,
// one for each variable and level, that can be left as soon as beta cells are found. O(cells / 64)
// words a variable, where the whole margin takes O(cells) look-ups.
class SmallCounts {
 public:
  SmallCounts(const RiskCells& cells, std::int64_t beta) : cells_(cells), beta_(beta) {}

  // Has a remembered cell a count below beta? The one that has moves to the front.
  bool found_in(SubTable set);
  // Cell number `at` of those at risk, which is not remembered yet.
  void remember(std::size_t at);

 private:
  using Bits = std::vector<std::uint64_t>;
  // For each variable the stored cells that have the cell's level.
  using Cell = std::vector<const Bits*>;

  const Bits* cells_with(std::size_t variable, std::uint32_t level);
  bool is_small(const Cell& cell, SubTable set) const;

  static constexpr std::size_t kMostCells = 64;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  const RiskCells& cells_;
  std::int64_t beta_;
  std::size_t bytes_ = 0;
  std::unordered_map<std::uint64_t, Bits> bits_;  // by variable and level
  std::vector<Cell> remembered_;
};

}  // namespace sdclattice
