// The nodes of a variable, and which nodes add up to which: levels, totals of one or several trees.
//
// What is computed. The labels of a variable, its levels and totals, become nodes. Labels that hold
// the same levels are one node: a total with a single part is that part, and the roots of two trees
// are one root. Each tree gives families: a node and the largest nodes of the tree below it.
// What it costs. Time and memory go with the levels that all totals hold, added up.
// Agrees with the sets of levels: the parts of a family are disjoint, and together they are it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// Family f: node parent[f] is the sum of the nodes child[start[f]], ..., child[start[f + 1] - 1].
// `level` says how deep the family lies: 1 below the root, 2 below nodes of level 1, and so on.
struct NodeFamilies {
  std::uint32_t n_nodes = 0;
  std::vector<std::uint32_t> parent, level;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> child;

  std::size_t n_families() const { return parent.size(); }
};

// The levels are the first nodes. The root has level 0, and other nodes that of the families in
// which they are parts. Where trees differ, all families have level 1.
struct LabelNodes {
  std::vector<std::uint32_t> node;   // of each label: the levels, then the totals
  std::vector<std::uint32_t> level;  // of each node
  std::uint32_t root = 0;
  NodeFamilies families;
};

// `held`: the levels of each total; `trees`: the totals of each tree, in any order. InputError for
// a tree in which two totals overlap and neither holds the other, or a total without levels.
LabelNodes merge_labels(std::size_t n_levels, const std::vector<std::vector<std::uint32_t>>& held,
                        const std::vector<std::vector<std::uint32_t>>& trees);

}  // namespace sdclattice
