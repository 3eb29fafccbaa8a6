// Cycles through the non-zero cells of a two-way table (Lenz's theorem 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"

namespace sdclattice {

// The bipartite graph of the non-zero cells: rows are the nodes 0 .. m - 1, columns m .. m + n - 1,
// and each non-zero cell is the edge between its row and its column.
struct CellGraph {
  struct Edge {
    std::int32_t row, column, cell;
  };
  struct Step {
    std::int32_t to, edge;
  };
  std::size_t n_nodes = 0;
  std::vector<Edge> edges;  // in the order of their cells
  std::vector<std::size_t>
      start;  // the steps from node v are steps[start[v]] .. steps[start[v + 1] - 1]
  std::vector<Step> steps;
};

// `nonzero` has a flag for each cell, rows fastest. Linear in the cells.
CellGraph cell_graph(const std::vector<std::uint8_t>& nonzero, std::size_t n_rows,
                     std::size_t n_columns);

// Per edge: whether it is a bridge, that is, on no cycle of the graph. Linear in the edges.
std::vector<std::uint8_t> find_bridges(const CellGraph& graph);

// The edges of a cheapest path from the row of `edge` to its column without it, in their order;
// none where `edge` is a bridge. The costs must be positive and odd. The cover below searches so.
std::vector<std::int32_t> cheapest_path(const CellGraph& graph, std::int32_t edge,
                                        const std::vector<std::int64_t>& cost, std::uint64_t seed);

// `still`: the bridge cells, which are on no cycle of non-zero cells.
struct DataCycles {
  CycleSet cycles;
  std::vector<std::int32_t> still;
};

// Cycles of +1 and -1 through non-zero cells alone, which keep row and column sums; every cell that
// is no bridge lies on at least `chances` of them, and on as few more as a greedy choice allows. A
// function of the zero pattern, `chances` and `seed`. InputError without chances or cells; where
// all non-zero cells are bridges there are no cycles.
DataCycles cycles_data(const std::vector<std::uint8_t>& nonzero, std::size_t n_rows,
                       std::size_t n_columns, int chances, std::uint64_t seed,
                       const Tick& tick = {});

}  // namespace sdclattice
