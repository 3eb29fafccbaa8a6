// The cheapest set of cells that has a cell of each cut: weighted set covering.
//
// A bound that always holds charges each cut what its cheapest cell has left (the dual of the
// linear programme, raised greedily). The rest is an integer programme (best_table.hpp), which
// falls into parts where the cuts do.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "base/tick.hpp"

namespace sdclattice {

// Cells ascending, none twice, at least one.
using CellCut = std::vector<std::uint32_t>;

struct CellCover {
  std::vector<std::uint32_t> cells;  // ascending
  std::int64_t cost = 0;
  std::int64_t bound = 0;  // no set that hits all cuts costs less
  bool interrupted = false;
  bool proved() const { return cost == bound; }
};

// How many bits such costs lose in a programme, whose sums must stay below 2^52.
int lost_bits(const std::vector<std::int64_t>& cost);

// The cuts without those that hold another one, in the order of their sizes.
std::vector<CellCut> strongest_cuts(std::vector<CellCut> cuts);

// `cost` > 0, of each cell; their sum is below 2^61. Above 2^52 the programme works with rounded
// costs, so that the bound may stay a little below the cost. Exponential at worst: after `seconds`
// of processor time the best cover and the bound so far remain.
// `known`: a cover that somebody has found, or nothing.
CellCover cheapest_cover(std::vector<CellCut> cuts, const std::vector<std::int64_t>& cost,
                         double seconds, const Tick& tick,
                         const std::vector<std::uint32_t>& known = {});

// The cheapest of some covers that are made at once, another one each time; no more of them when
// one costs no more than `enough`. Its bound is the greedy one.
CellCover quick_cover(std::vector<CellCut> cuts, const std::vector<std::int64_t>& cost,
                      std::size_t tries, std::int64_t enough, PublicRandom& random);

}  // namespace sdclattice
