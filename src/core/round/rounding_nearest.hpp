// The nearest controlled rounding of tables whose sums form a network.
//
// What is computed. Among all roundings that move every cell and sum to an adjacent multiple of the
// base and add up, one of least distance; among those the one that is smallest cell by cell.
// How. Going up instead of down costs base - 2 * residue, so the distance is the cost of a flow of
// 0 or 1 on each edge. Every edge starts at its nearer multiple; what then does not add up at the
// nodes is sent along cheapest paths (primal-dual: potentials by Dijkstra, blocking flows among the
// edges of reduced cost 0). The potentials prove the optimum. All other optima differ from it by
// cycles of reduced cost 0: for each cell that went up in turn, such a cycle that takes it down is
// looked for and pushed, and the cell is then held.
// What it costs. A Dijkstra for each distinct path cost, O(edges log nodes) each; the last part at
// most O(edges nodes) for searches that fail, since each of these splits the graph.
// What it agrees with. Brute force over all roundings.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/circulation.hpp"

namespace sdclattice {

// What is made least: the distance of the cells, then that of the sums; or the distance of cells
// and sums together, then that of the cells.
enum class RoundingAim { cells, all };

// The rounded edges. `base` from 1 to 1e9.
std::vector<std::int64_t> round_nearest(const Circulation& circulation, std::int64_t base,
                                        RoundingAim aim, const Tick& tick);

}  // namespace sdclattice
