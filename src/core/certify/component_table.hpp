// A component of a release: the dense table over a few of the variables, and which of its margins
// are released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/risk_cells.hpp"
#include "table/table.hpp"

namespace sdclattice {

// Variables of a component by their positions in it: bit i stands for its variable i.
using LocalSet = std::uint32_t;
constexpr std::size_t kMaxComponentVariables = 16;

struct ComponentTable {
  // `variables` of the table, as bits. TooLargeError above max_cells cells or 16 variables.
  ComponentTable(const Layout& layout, const CellsView& cells, SubTable variables,
                 std::size_t max_cells);

  SubTable set = 0;
  std::vector<std::uint32_t> variables;  // ascending, numbers in the whole table
  std::vector<std::uint32_t> levels;
  std::vector<std::uint32_t> stride;
  std::vector<std::int32_t> count;  // at most kCountCap: more than any search takes away

  std::size_t size() const { return variables.size(); }
  LocalSet all() const { return static_cast<LocalSet>((std::uint64_t{1} << size()) - 1); }
  std::uint32_t cell_of(const Layout& layout, const std::uint64_t* key) const;
  std::uint32_t level(std::uint32_t cell, std::size_t i) const {
    return cell / stride[i] % levels[i];
  }
  // The cell of the margin over `face`: its other variables at their first level.
  std::uint32_t project_cell(std::uint32_t cell, LocalSet face) const;
  SubTable global(LocalSet face) const;
  LocalSet local(SubTable part) const;

  static constexpr std::int32_t kCountCap = 1 << 28;
};

// How a component table differs from the original: only the cells that do.
struct CellChange {
  std::uint32_t cell;
  std::int32_t by;
};
using CellChanges = std::vector<CellChange>;

// Is some cell of the margin over `face` changed?
bool changes_margin(const ComponentTable& table, const CellChanges& change, LocalSet face);

// The same question for many changes and one face: without divisions for each variable, and with a
// margin that stays. Memory of some bytes for each cell of the component.
class MarginProbe {
 public:
  MarginProbe(const ComponentTable& table, LocalSet face);
  bool changes(const CellChanges& change);

 private:
  std::uint32_t split_ = 1;                // a cell is high * split_ + low
  std::vector<std::uint32_t> low_, high_;  // what they are in the margin
  std::vector<std::int64_t> sum_;          // 0 between calls
};

// Sets of the variables of a component that are closed under taking parts (without the empty set).
class FaceComplex {
 public:
  explicit FaceComplex(std::size_t n_variables)
      : n_(n_variables), holds_(std::size_t{1} << n_variables, 0) {}

  std::size_t n_variables() const { return n_; }
  bool holds(LocalSet face) const { return holds_[face] != 0; }
  std::size_t size() const { return size_; }
  void add(LocalSet face);                           // all of its parts must be there
  std::vector<LocalSet> above(LocalSet face) const;  // in the complex, `face` included
  void remove_above(LocalSet face);
  bool can_add(LocalSet face) const;    // not there, but all of its parts
  std::vector<LocalSet> faces() const;  // by size, then by number
  std::vector<LocalSet> maximal() const;
  std::vector<LocalSet> minimal_missing() const;  // not there, but all of their parts

 private:
  std::size_t n_;
  std::vector<char> holds_;
  std::size_t size_ = 0;
};

}  // namespace sdclattice
