// Solutions in which cells stand at given ends.
//
// They are found part by part, by the engines of the search; each one serves all cells that it
// brings to an end. Between two of them only the part of the asked cell differs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// The cells that differ from the base, ascending, and their values.
struct TableChange {
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> value;
};

class PartTables;

class EndTables {
 public:
  // Keeps a reference. InfeasibleError when there is no solution. `check` is called now and then
  // and may throw.
  EndTables(const LinearSystem& system, std::size_t max_entries, std::function<void()> check);
  ~EndTables();

  // Some solution; empty when none was found.
  const std::vector<std::int64_t>& base() const { return base_; }
  // The number of a table in which the cell, sign times as large as it may be, has this value;
  // SIZE_MAX when none was found.
  std::size_t reach(std::size_t cell, int sign, std::int64_t value);
  const TableChange& operator[](std::size_t t) const { return tables_[t]; }
  std::size_t size() const { return tables_.size(); }

 private:
  std::size_t keep(std::size_t group, const std::vector<std::int64_t>& x);
  void find_base(std::size_t group);

  std::size_t max_entries_;
  std::function<void()> check_;
  LinearSystem narrowed_;
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<LinearSystem> parts_;
  std::vector<std::unique_ptr<PartTables>> engines_;
  std::vector<std::size_t> group_, place_;  // of a cell
  std::vector<std::int64_t> base_, least_, most_;
  std::vector<std::size_t> at_least_, at_most_;  // tables with the least and the largest value
  std::vector<TableChange> tables_;
};

}  // namespace sdclattice
