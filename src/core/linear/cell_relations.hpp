// What published tables with totals say, as a system whose unknowns are cells, totals among them.
//
// What is computed. A cell has a node of each variable: a level, a total, or the root of a variable
// that its table lacks, so that tables share the cells that they have in common. Where a family of
// one variable says that a node is the sum of others, the cells that differ in that variable alone
// add up likewise: one row, as long as the family. Cells whose limits meet are known and stand on
// the right-hand side; the other cells are the unknowns.
// Which cells are needed. Real tables are made of the cells of the finest nodes. The system is as
// exact as one in these cells when each cell is split, family by family, down to them: add what a
// split lacks by split(). Several boxes of nodes, which together are all that is published, may be
// split each by itself, as long as the finest cells that neighbours share are split in both.
// What it costs. One look-up in a hash table for each term of a row that has an unknown.
// Agrees with the system in the finest cells, in which a total is one long row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/flat_map.hpp"
#include "base/wide_int.hpp"
#include "linear/linear.hpp"
#include "linear/node_families.hpp"

namespace sdclattice {

// The nodes of all variables in words, some bits for each.
class CellKeys {
 public:
  explicit CellKeys(const std::vector<NodeFamilies>& variables);
  std::size_t width() const { return width_; }
  void set(std::uint64_t* key, std::size_t variable, std::uint32_t node) const {
    const Place& at = places_[variable];
    key[at.word] = (key[at.word] & ~(at.mask << at.shift)) | (std::uint64_t{node} << at.shift);
  }
  std::uint32_t get(const std::uint64_t* key, std::size_t variable) const {
    const Place& at = places_[variable];
    return static_cast<std::uint32_t>((key[at.word] >> at.shift) & at.mask);
  }

 private:
  struct Place {
    std::size_t word;
    unsigned shift;
    std::uint64_t mask;
  };
  std::vector<Place> places_;
  std::size_t width_ = 1;
};

// Row r: the parts of a family of `variable` add up to the cell `parent`, which has the family's
// parent for that variable.
struct CellRow {
  std::uint32_t parent, variable, family;
};

struct CellSystem {
  LinearSystem system;
  std::vector<std::uint32_t> cell;     // of each unknown
  std::vector<std::uint32_t> unknown;  // of each cell, CellRelations::kNone where it is known
  std::vector<CellRow> rows;           // what each row of the system says
};

class CellRelations {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // A cell, and the number of the box in which it is to be split.
  using Wanted = std::pair<std::uint32_t, std::uint32_t>;

  // TooLargeError above `max_cells` cells.
  CellRelations(std::vector<NodeFamilies> variables, std::size_t max_cells);

  std::size_t n_cells() const { return lower_.size(); }
  std::size_t n_variables() const { return variables_.size(); }
  std::uint32_t node(std::uint32_t cell, std::size_t variable) const {
    return keys_.get(cells_.key(cell), variable);
  }
  std::int64_t lower(std::uint32_t cell) const { return lower_[cell]; }
  std::int64_t upper(std::uint32_t cell) const { return upper_[cell]; }

  // The number of the cell with these nodes. A cell that is there has its limits narrowed;
  // InfeasibleError when nothing is left between them.
  std::uint32_t add(const std::vector<std::uint32_t>& nodes, std::int64_t lower,
                    std::int64_t upper);

  // Splits cells along the families of a box until only its finest nodes are left. A box has for
  // each variable the deepest level of its families. Of several ways the one is taken that lacks
  // the fewest cells; these are added, with any count.
  void split(const std::vector<std::vector<std::uint32_t>>& boxes, std::vector<Wanted> wanted);

  // The rows of all families whose cells are all there. With `check` all of them are looked at, and
  // InfeasibleError says that published parts do not add up; otherwise those of unknowns alone.
  CellSystem system(bool check) const;

 private:
  struct Links {  // the families of a variable by a node, `family[at[node]]` and so on
    std::vector<std::size_t> at;
    std::vector<std::uint32_t> family;
  };
  struct Terms {
    std::vector<std::uint32_t> unknowns;
    WideInt known = 0;
  };

  Links links_of(const NodeFamilies& variable, bool by_child) const;
  std::uint32_t beside(std::uint32_t cell, std::size_t variable, std::uint32_t node) const;
  std::uint32_t add_key(const std::uint64_t* key, std::int64_t lower, std::int64_t upper);
  std::size_t count_absent(std::uint32_t cell, std::size_t variable, std::uint32_t family) const;
  void split_cell(Wanted of, const std::vector<std::uint32_t>& box, std::vector<Wanted>& out);
  void add_row(CellSystem& out, CellRow row, Terms& terms) const;
  void add_touching(CellSystem& out, std::size_t variable, Terms& terms) const;
  void add_all(CellSystem& out, std::size_t variable, Terms& terms) const;

  std::vector<NodeFamilies> variables_;
  std::size_t max_cells_;
  CellKeys keys_;
  std::vector<Links> of_parent_, of_child_;
  KeyNumbers<> cells_;
  std::vector<std::int64_t> lower_, upper_;
  mutable std::vector<std::uint64_t> scratch_;
};

}  // namespace sdclattice
