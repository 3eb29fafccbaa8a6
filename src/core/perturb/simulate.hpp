// Publications simulated from a given table: what a mechanism will do to it on the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/perturb.hpp"

namespace sdclattice {

// Publication number `replicate` of a simulation: SplitMix64 on `seed`, never a release's coins.
Perturbed simulate_publication(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                               const Mechanism& mechanism, std::uint64_t seed,
                               std::size_t replicate);

// The figures of one simulated publication, in the order in which they are returned. NaN where the
// table has no such cell, coin or statistic.
enum class Figure {
  unchanged,        // share of cells with published = original
  unchanged_small,  // the same of small cells
  prevented,        // share of the coins asking for a move that were not obeyed
  zero_true,        // share of the published zeros that are original zeros
  positive_false,   // share of the published positive cells that are original zeros
  bias_zero,        // mean change of the original zeros
  bias_small,       // and of the small cells
  abs_change,       // mean size of the change
  abs_change_small,
  relative_change,  // mean of size / original, of the positive originals
  chi_square,       // |relative change| of Pearson's chi-square for mutual independence
  log_odds,         // mean size of the change of the adjacent 2 x 2 log odds ratios, 0.5 added
  hellinger         // Hellinger distance of the two distributions over the cells
};
constexpr auto kFigures = static_cast<std::size_t>(Figure::hellinger) + 1;

// Sums over the replicates for each cell, and the figures of each replicate, one after the other.
struct Simulation {
  std::vector<double> same, change, size, square;
  std::vector<double> figures;
};

// `dim`: shape of the table; `small`: which cells are small. Replicates first .. first + n - 1,
// which threads share: each has coins of its own, and sums over them are of whole numbers.
Simulation simulate_publications(const std::vector<std::int64_t>& counts,
                                 const std::vector<std::size_t>& dim,
                                 const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                                 const Mechanism& mechanism, std::size_t first, std::size_t n,
                                 std::uint64_t seed, const Tick& tick = {},
                                 std::size_t n_threads = 1);

}  // namespace sdclattice
