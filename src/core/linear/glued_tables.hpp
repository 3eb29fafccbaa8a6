// Solutions of a system in cells, as real tables: counts of the finest cells of all variables.
//
// What is computed. The release was laid out in boxes of nodes (cell_relations.hpp): each box has
// for each variable the deepest level that it knows, and a solution has a count for each of its
// finest cells. Two boxes have the same sums over the cells where they meet. Within each such cell
// the counts of one box are handed out to those of the other, in order, until both are used up.
// Then the third box follows, and so on. A table that differs a little from the first one takes its
// pairs as far as they fit, so that it differs a little, too. Which levels lie below the finest
// nodes nobody asks: any one will do.
// Why. Whoever checks such a table adds up its counts, and needs no theorem on boxes.
// What it costs. For a table, time in proportion to the pairs of the cells that change.
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
            const std::vector<std::vector<std::uint32_t>>& boxes,
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
  using Cut = std::vector<std::uint32_t>;
  struct Deltas {  // cells by `keys_`, and by how much their counts change
    std::vector<std::uint64_t> key;
    std::vector<std::int64_t> by;
  };
  struct Pair {
    std::uint32_t member[2];
    std::int64_t count, delta;
  };
  struct Side {
    Cut cut;
    KeyNumbers<> keys;
    std::vector<std::vector<std::uint32_t>> pairs;  // of each key
    std::vector<std::int64_t> lack;                 // what its pairs do not have yet
    std::vector<std::uint32_t> touched;
  };
  struct Lack {
    std::uint32_t member;
    std::vector<std::uint64_t> meet;  // the cell where the boxes meet
  };
  struct Seam {  // between what is glued so far and the next box
    Side sides[2];
    KeyNumbers<> keys;
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> touched;
    bool is_base = true;
  };

  bool is_finest(std::size_t cell, const Cut& cut) const;
  std::uint32_t coarse(std::size_t variable, std::uint32_t node, std::uint32_t cut) const;
  Deltas deltas_of(std::size_t box, const TableChange& cells) const;
  bool glue(const TableChange& cells, Deltas& out);
  bool join(Seam& seam, const Deltas& left, const Deltas& right, Deltas& out);
  void demand(Seam& seam, int side, const Deltas& deltas);
  void take_back(Seam& seam, int side, std::uint32_t member);
  bool fill(Seam& seam);
  std::vector<Lack> lacking(Seam& seam, int side) const;
  void pair_up(Seam& seam, std::uint32_t left, std::uint32_t right, std::int64_t count);
  Deltas finish(Seam& seam) const;

  CellKeys keys_;
  std::vector<Cut> boxes_;
  std::vector<std::vector<std::uint32_t>> nodes_;
  std::vector<std::vector<std::uint32_t>> level_, above_, below_;  // of each node of a variable
  std::vector<Seam> seams_;
  KeyNumbers<> leaves_;
  std::vector<std::int64_t> counts_, base_;
};

}  // namespace sdclattice
