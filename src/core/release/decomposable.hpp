// Decomposable releases: chordal graphs whose cliques are the sub-tables of the frontier, and the
// bounds that such a release leaves to the cells at risk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/risk_cells.hpp"

namespace sdclattice {

// The maximal cliques of a chordal graph, and the separators between them with multiplicity (empty
// ones too): one fewer than cliques.
struct CliqueTree {
  std::vector<SubTable> cliques, separators;
};

// A graph over at most 64 variables, a row of bits for each. `may_add` and `may_delete` are about
// chordal graphs and say whether the graph with one edge more, or less, is chordal too.
class DecomposableGraph {
 public:
  explicit DecomposableGraph(std::size_t n) : rows_(n, 0) {}
  // The graph in which the variables of each set are joined, chordal or not.
  DecomposableGraph(std::size_t n, const std::vector<SubTable>& sets);

  std::size_t size() const { return rows_.size(); }
  SubTable neighbours(std::size_t v) const { return rows_[v]; }
  bool edge(std::size_t u, std::size_t v) const { return (rows_[u] >> v & 1) != 0; }
  SubTable common(std::size_t u, std::size_t v) const { return rows_[u] & rows_[v]; }
  bool complete(SubTable set) const;

  // The edge lies in one clique only: the common neighbours are joined to each other. O(n).
  bool may_delete(std::size_t u, std::size_t v) const { return complete(common(u, v)); }
  // No path leads from u to v around their common neighbours, which are a clique then. O(n).
  bool may_add(std::size_t u, std::size_t v) const;
  void flip(std::size_t u, std::size_t v) {
    rows_[u] ^= SubTable{1} << v;
    rows_[v] ^= SubTable{1} << u;
  }

  // By maximum cardinality search (Tarjan and Yannakakis 1984; Blair and Peyton 1993), O(n^2). Of a
  // graph that is not chordal it gives some sets that need not be cliques.
  CliqueTree clique_tree() const;
  bool chordal() const;
  // A chordal graph with all edges of this one, and no others if it is chordal itself: the
  // variables are eliminated in an order that joins as few pairs as possible at each step. O(n^4 /
  // 64).
  DecomposableGraph triangulated() const;

 private:
  SubTable all() const;

  std::vector<SubTable> rows_;
};

// The sharp bounds of each cell at risk given the tables of a clique tree: the least clique count,
// and the sum of clique counts less that of separator counts, or 0 (Dobra and Fienberg 2000).
struct RiskBounds {
  std::vector<std::int64_t> lower, upper;
  std::int64_t width() const;
};
RiskBounds decomposable_bounds(const RiskCells& cells, const CliqueTree& tree);

}  // namespace sdclattice
