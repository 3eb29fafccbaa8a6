// From certificates of components to explicit pairs of full tables.
//
// Each table is written as its differences from the original. Two ways to change a table keep all
// margins of the components' neighbours:
//  * to lift a change of a component: the records of the cells that fall move to the cells that
//    rise, and what hangs on a separator is dealt anew among records that agree on it;
//  * to swap what hangs on a separator between two records that agree on it.
// Swaps alone take records away from a cell; a lift and swaps bring them to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "certify/component_table.hpp"
#include "certify/component_tree.hpp"
#include "table/table.hpp"

namespace sdclattice {

// Cells of tables by number, the stored ones first.
using CellPool = KeyNumbers<>;

class JointTables {
 public:
  // All must live as long.
  JointTables(const Layout& layout, const CellsView& cells, const ComponentTree& tree,
              std::vector<const ComponentTable*> components);

  // Each works on the table that the calls before have left.
  void reset();
  // Swaps until the stored cell is empty, or no swap empties it further. What is left.
  std::int64_t empty_cell(std::uint32_t cell);
  void lift(std::size_t component, const CellChanges& change);
  // Swaps until the cell holds `target` records; every component must.
  void gather(std::uint32_t cell, std::int64_t target);

  std::int64_t count(std::uint32_t cell) const { return base(cell) + by_[cell]; }
  CellChanges changes() const;  // of the table so far
  const CellPool& pool() const { return pool_; }

 private:
  // The stored cells in the order of a key: those of component j, or of its separator.
  struct Index {
    std::vector<std::uint32_t> order, value;  // cells; their key, ascending
  };
  using FieldMask = std::vector<std::uint64_t>;  // of some variables in each word

  Index make_index(std::size_t component, LocalSet set) const;
  const Index& cells_of(std::size_t component);
  std::int64_t base(std::uint32_t cell) const { return cell < n_stored_ ? stored_[cell] : 0; }
  void change(std::uint32_t cell, std::int64_t by);
  bool same(std::uint32_t a, std::uint32_t b, const FieldMask& mask) const;
  std::uint32_t mixed(std::uint32_t keep, std::uint32_t take, const FieldMask& mask);
  std::uint32_t component_cell(std::size_t component, std::uint32_t cell) const;
  // Calls `use(cell)` for the cells with records whose part is `value`, until it says stop.
  template <class Use>
  void visit(const Index& index, std::size_t component, LocalSet set, std::uint32_t value, Use use);
  void swap_below(std::size_t j, std::uint32_t a, std::uint32_t b);
  bool take_one(std::uint32_t cell);

  const Layout& layout_;
  const ComponentTree& tree_;
  const std::vector<const ComponentTable*> components_;
  CellPool pool_;
  std::size_t n_stored_;
  std::vector<std::int64_t> stored_, by_;
  std::vector<std::uint32_t> touched_;
  std::vector<char> is_touched_;
  std::vector<Index> cells_, shared_;            // of each component, when asked; of its separator
  std::vector<FieldMask> below_, above_;         // variables that hang on it; all others
  std::vector<FieldMask> inside_;                // of a component
  std::vector<std::vector<std::size_t>> edges_;  // incident to a component, by the child's number
};

}  // namespace sdclattice
