// Tables whose sums form a network: every cell and every sum is an edge of a directed graph, and at
// each node as much flows in as out. A two-way table with its margins is one: the total flows to
// the rows, through the cells to the columns, and back.
//
// Which tables are. A family of sets of cells, any two nested or disjoint, is a tree. Where the
// released sums are the union of two such families, the first tree hands the total down to the
// cells and the second one collects it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// Edge e runs from from[e] to to[e] and carries value[e] >= 0. The cells are the first edges, in
// their order; the last edge is the total. `above` has for each partition the edge of each cell's
// sum, kNoEdge where there is none.
struct Circulation {
  static constexpr std::uint32_t kNoEdge = UINT32_MAX;

  std::size_t n_nodes = 0;
  std::size_t n_cells = 0;
  std::vector<std::uint32_t> from, to;
  std::vector<std::int64_t> value;
  std::vector<std::vector<std::uint32_t>> above;

  std::size_t n_edges() const { return value.size(); }
  // Gives the edges these cells, and the sums that follow.
  void load(const std::vector<std::int64_t>& cells);
};

// A partition of some of the cells: for each cell the number of its part, from 1, or 0.
using Partition = std::vector<std::uint32_t>;

// `down` and `up`: the partitions of either family from coarse to fine, without that into one part.
// Throws InputError where a part lies in two parts of a coarser partition of its family.
Circulation make_circulation(const std::vector<std::int64_t>& cells,
                             const std::vector<Partition>& down, const std::vector<Partition>& up);

// The edges that are in play at each node, in ascending order; an edge is taken out in constant
// time. Half-edge 2e stands at from[e], 2e + 1 at to[e].
class EdgeLists {
 public:
  EdgeLists() = default;
  EdgeLists(const Circulation& circulation, const std::vector<bool>& in_play);
  std::uint32_t first(std::uint32_t node) const { return next_[head(node)]; }
  std::uint32_t next(std::uint32_t half) const { return next_[half]; }
  bool at_end(std::uint32_t half) const { return half >= node_.size(); }
  // The node at the other end of a half-edge's edge.
  std::uint32_t across(std::uint32_t half) const { return node_[half ^ 1U]; }
  bool holds(std::uint32_t edge) const { return in_[edge]; }
  void remove(std::uint32_t edge);

 private:
  std::size_t head(std::uint32_t node) const { return node_.size() + node; }
  void unlink(std::uint32_t half);

  std::vector<std::uint32_t> node_;         // of a half-edge
  std::vector<std::uint32_t> next_, prev_;  // of a half-edge; the heads of the nodes stand behind
  std::vector<bool> in_;
};

}  // namespace sdclattice
