// Solutions of a system in cells, as real tables: counts of the finest cells of all variables.
//
// What is computed. The release was laid out in boxes of nodes (cell_relations.hpp): each box has
// for each variable the deepest level that it knows, and a solution has a count for each of its
// finest cells. Two boxes have the same sums over the cells where they meet. Within each such cell
// the counts of one box are handed out to those of the other, in order, until both are used up: so
// the table of both has at most as many cells as they have together. Then the third box follows,
// and so on. Which levels lie below the finest nodes nobody asks: any one will do.
// Why. Whoever checks such a table adds up its counts, and needs no theorem on boxes.
// What it costs. For one box a pass over the cells that change; else a sort of all cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "linear/cell_relations.hpp"
#include "linear/end_table.hpp"
#include "linear/node_families.hpp"

namespace sdclattice {

class TableGlue {
 public:
  // `boxes`: for each the deepest level of each variable. What a box shares with all boxes before
  // it, it shares with one of them. `nodes`: for each variable the node of each cell.
  TableGlue(const std::vector<NodeFamilies>& variables,
            std::vector<std::vector<std::uint32_t>> boxes,
            std::vector<std::vector<std::uint32_t>> nodes);

  // The table that all others are compared with, by the counts of all cells. False when two boxes
  // do not agree. It comes first.
  bool set_base(const std::vector<std::int64_t>& counts);
  // What differs from the base, by the cells that differ. False as above.
  bool change(const TableChange& cells, TableChange& out);

  // The finest cells that occur so far, and their counts in the base.
  std::size_t size() const { return leaves_.size(); }
  std::uint32_t node(std::size_t leaf, std::size_t variable) const {
    return keys_.get(leaves_.key(leaf), variable);
  }
  const std::vector<std::int64_t>& base() const { return base_; }

 private:
  struct Pieces {  // some cells, by `keys_`, and their counts
    std::vector<std::uint64_t> key;
    std::vector<std::int64_t> count;
  };
  struct Sorted {
    std::vector<std::uint64_t> met;  // of each piece the cell where two boxes meet
    std::vector<std::size_t> order;
  };
  using Cut = std::vector<std::uint32_t>;

  bool is_finest(std::size_t cell, const Cut& cut) const;
  std::uint32_t coarse(std::size_t variable, std::uint32_t node, std::uint32_t cut) const;
  void add_cell(std::size_t cell);
  Pieces pieces_of(std::size_t box, const std::vector<std::int64_t>& counts) const;
  Sorted sorted(const Pieces& of, const Cut& meet) const;
  bool glue(Pieces& table, const Cut& its_cut, const Pieces& next, const Cut& cut) const;
  std::vector<std::uint64_t> meets(const Pieces& of, const Cut& cut) const;
  bool glue_all(const std::vector<std::int64_t>& counts, std::vector<std::int64_t>& out);

  CellKeys keys_;
  std::vector<Cut> boxes_;
  std::vector<std::vector<std::uint32_t>> nodes_;
  std::vector<std::vector<std::uint32_t>> level_, above_, below_;  // of each node of a variable
  std::vector<std::vector<std::uint32_t>> finest_;                 // cells of each box
  KeyNumbers<> leaves_;
  std::vector<std::uint32_t> leaf_;  // of each cell, where there is one box
  std::vector<std::int64_t> counts_, base_;
};

}  // namespace sdclattice
