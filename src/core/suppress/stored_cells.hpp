// The cells of a published table that are not zero, totals among them, by packed keys.
//
// What is stored. A cell is a node of each variable (linear/node_families.hpp): a leaf, or a total
// of one of its trees. An inner cell has leaves alone, and every other cell is the sum of the inner
// cells below it. A crossing is a set of nodes for each variable, and all cells that they make are
// published; linked tables are several crossings of one table. Stored are all cells above an inner
// cell that may have a count: one that is not zero, or one that nobody publishes and that no
// published zero forbids to rise. So what is not stored is zero in every table that agrees with the
// published zeros. Where zeros are not published (`zeros_rise`) all cells are stored, in an order
// that does not depend on which of them are zero. Where only some of them are not published, the
// inner ones among these (`rises`) are stored with all cells above them. A fibre of a cell along a
// variable is the list of the leaves of that variable with which the cell, all other nodes being
// kept, is stored. What it costs. For each inner cell as many look-ups as it has cells above it;
// memory is about 16 to 32 bytes a cell for its key and its number, 9 for its value and role, and
// for each variable 4 bytes and a third to a half of a key. Where unpublished inner cells could
// rise from zero, all combinations of leaves are looked at: TooLargeError above `max_rises` of
// them. Agrees with sums over all inner cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/flat_map.hpp"
#include "linear/node_families.hpp"

namespace sdclattice {

// Of each variable the nodes that a table has.
using TableCrossing = std::vector<std::vector<std::uint32_t>>;

struct StoredLimits {
  std::size_t max_cells = std::size_t{1} << 30;
  std::size_t max_rises = 20000000;
  bool zeros_rise = false;  // no zero is published
  // The leaves of inner cells of a table without crossings that are zero and not published.
  std::vector<std::uint32_t> rises = {};
};

// Some nodes of one variable.
struct NodeRange {
  const std::uint32_t *first = nullptr, *last = nullptr;
  const std::uint32_t* begin() const { return first; }
  const std::uint32_t* end() const { return last; }
  std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

class StoredCells {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // `leaves`: the leaves of inner cell i in all variables are leaves[i * K], ..., [i * K + K - 1];
  // the same cell may be there several times. No crossing: all cells are published.
  StoredCells(std::vector<NodeFamilies> variables, const std::vector<std::uint32_t>& leaves,
              const std::vector<std::int64_t>& counts, const std::vector<TableCrossing>& crossings,
              const StoredLimits& limits = {});

  std::size_t n_cells() const { return value_.size(); }
  std::size_t n_variables() const { return variables_.size(); }
  const NodeFamilies& families(std::size_t variable) const { return variables_[variable]; }
  std::int64_t value(std::uint32_t cell) const { return value_[cell]; }
  bool is_published(std::uint32_t cell) const { return is_published_[cell] != 0; }
  bool is_inner(std::uint32_t cell) const;

  std::uint64_t key(std::uint32_t cell) const { return *cells_.key(cell); }
  std::uint64_t key_of(const std::uint32_t* nodes) const;
  std::uint32_t node(std::uint64_t key, std::size_t variable) const {
    return static_cast<std::uint32_t>((key >> shift_[variable]) & mask_[variable]);
  }
  std::uint64_t beside(std::uint64_t key, std::size_t variable, std::uint32_t node) const {
    return (key & ~(mask_[variable] << shift_[variable])) |
           (std::uint64_t{node} << shift_[variable]);
  }
  // kNone where the cell is not stored.
  std::uint32_t find(std::uint64_t key) const { return cells_.find(&key); }

  NodeRange fibre(std::uint64_t key, std::size_t variable) const;
  // The nodes that hold a node, ascending, the node itself among them.
  NodeRange above(std::size_t variable, std::uint32_t node) const {
    const std::uint32_t* all = above_[variable].data();
    return {all + above_start_[variable][node], all + above_start_[variable][node + 1]};
  }
  bool is_leaf(std::size_t variable, std::uint32_t node) const {
    return is_leaf_[variable][node] != 0;
  }

  // Calls visit(key) for each cell above an inner one, itself among them.
  template <class Visit>
  void each_above(std::uint64_t inner, Visit visit) const {
    each_above_from(inner, 0, visit);
  }

 private:
  using OneWord = std::integral_constant<std::size_t, 1>;
  using Keys = KeyNumbers<OneWord>;
  struct Fibres {
    Keys keys{OneWord{}};
    std::vector<std::size_t> start;
    std::vector<std::uint32_t> leaf;
  };
  using NodeSets = std::vector<std::vector<char>>;  // of each variable: is the node in it

  template <class Visit>
  void each_above_from(std::uint64_t key, std::size_t variable, Visit& visit) const {
    if (variable == variables_.size()) return visit(key);
    for (const std::uint32_t node : above(variable, this->node(key, variable)))
      each_above_from(beside(key, variable, node), variable + 1, visit);
  }

  void pack();
  void set_above(const NodeFamilies& variable);
  std::uint64_t key_of_leaves(const std::uint32_t* nodes) const;
  void add_inner(std::uint64_t key, std::int64_t count);
  void set_crossings(const std::vector<TableCrossing>& crossings);
  void publish();
  bool is_in(const NodeSets& crossing, std::uint64_t key) const;
  void add_rises(const StoredLimits& limits);
  bool shows_all_leaves(const NodeSets& crossing) const;
  template <class Visit>
  void each_combination(const StoredLimits& limits, Visit visit) const;
  bool may_rise(std::uint64_t key) const;
  bool is_nonzero_above(std::uint64_t key, const NodeSets& crossing, std::size_t variable) const;
  void set_fibres();

  std::vector<NodeFamilies> variables_;
  std::size_t max_cells_;
  std::vector<unsigned> shift_;
  std::vector<std::uint64_t> mask_;
  std::vector<std::vector<char>> is_leaf_;
  std::vector<std::vector<std::size_t>> above_start_;  // of each variable, by node
  std::vector<std::vector<std::uint32_t>> above_;
  std::vector<NodeSets> crossings_;
  Keys cells_{OneWord{}};
  std::vector<std::int64_t> value_;
  std::vector<char> is_published_;
  std::vector<Fibres> fibres_;
};

}  // namespace sdclattice
