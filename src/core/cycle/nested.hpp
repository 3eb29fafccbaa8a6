// Cycles of a table with trees: sets on blocks of its cells, and what cycles do to totals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"

namespace sdclattice {

// The levels of each dimension that a block holds (0-based). Its cells are all their combinations.
using Block = std::vector<std::vector<std::int32_t>>;

// The shape of the block. InputError unless it holds levels of a table of the shape `dim`, each
// once, at least one in each dimension.
std::vector<std::size_t> block_dim(const std::vector<std::size_t>& dim, const Block& block);

// Adds cycles of the block, on a table of its own, to cycles of the whole table. Either both skip
// zeros, or neither does.
void append_block(const std::vector<std::size_t>& dim, const Block& block, const CycleSet& of_block,
                  CycleSet& cycles);

// The nodes of one dimension in one crossing: those that hold level l are node[start[l]], ...,
// node[start[l + 1] - 1], in increasing order. The first nodes, as many as there are levels, are
// the levels themselves.
struct NodeLists {
  std::vector<std::int32_t> start;
  std::vector<std::int32_t> node;
};

// A crossing publishes every combination of its nodes, one from each dimension.
using NodeCrossing = std::vector<NodeLists>;

// A published total that a cycle changes: the node of each dimension, and by how much.
struct ChangedTotal {
  std::size_t cycle = 0;
  std::vector<std::int32_t> node;
  std::int64_t change = 0;
};

// The published totals (combinations of nodes that are not all levels) that cycles change, cycle
// after cycle. Of a crossing that publishes all levels of all dimensions only totals over one
// dimension are listed: the others are sums of them, so that nothing changes where none of these
// does. `n_nodes`: of each dimension. Stops after the first cycle that changes one when
// `first_cycle`. Linear in the entries times the combinations that hold a cell, but for sorting
// those of one cycle. InputError where the lists do not fit the table; TooLargeError when
// combinations cannot be numbered in 64 bits or there are more than `limit` changed totals.
std::vector<ChangedTotal> changed_totals(const CycleSet& cycles,
                                         const std::vector<std::size_t>& dim,
                                         const std::vector<std::size_t>& n_nodes,
                                         const std::vector<NodeCrossing>& crossings,
                                         bool first_cycle, std::size_t limit,
                                         const Tick& tick = {});

}  // namespace sdclattice
