// What a mechanism will do to a given table, judged before anything is drawn: exact laws of the
// cells where they can be had, simulated publications for the rest, and what one known cell tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/perturb.hpp"

namespace sdclattice {

// Cells that share cycles, directly or through others, have one number, from 1 on; 0 marks a cell
// on no cycle. What happens in one component tells nothing about another.
std::vector<std::int32_t> cell_components(const CycleSet& cycles);

// The exact law of published - original: probability[i] belongs to the change lowest + i.
// `convolution`: no zero can stop a step that reaches the cell, and its coins are independent.
// `enumeration`: all tables of its component, each with its probability.
struct ChangeLaw {
  enum class Kind { convolution, enumeration };
  Kind kind = Kind::convolution;
  int lowest = 0;
  std::vector<double> probability;
};

struct ForwardLimits {
  std::size_t max_tables = 0;  // of one component, at one time
  double max_work = 0;         // numbers read by all enumerations together
};

// Calls on_law(cell, law) for each cell whose law can be had within the limits.
using OnLaw = std::function<void(std::size_t, const ChangeLaw&)>;
void forward_laws(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                  const Mechanism& mechanism, const ForwardLimits& limits, const OnLaw& on_law,
                  const Tick& tick = {});

// All tables that a component can become, for all components at once: table t of component c
// changes its cells as column t of `change` (a row for each cell of the whole table) says, and has
// probability weight[t * n_components + c - 1]. Components with fewer tables have weight 0 in the
// last columns. No columns beyond the limits, or where there is no component.
struct ComponentTables {
  std::size_t n_components = 0, n_tables = 0;
  std::vector<std::int32_t> change;
  std::vector<double> weight;
};
ComponentTables component_tables(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                                 const Mechanism& mechanism, const ForwardLimits& limits,
                                 const Tick& tick = {});

// Publication number `replicate` of a simulation: SplitMix64 on `seed`, never a release's coins.
Perturbed simulate_publication(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                               const Mechanism& mechanism, std::uint64_t seed,
                               std::size_t replicate);

// The figures of one simulated publication, in the order in which they are returned. NaN where the
// table has no such cell, coin or statistic.
enum Figure {
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
  hellinger,        // Hellinger distance of the two distributions over the cells
  n_figures
};

// Sums over the replicates for each cell, and the figures of each replicate, one after the other.
struct Simulation {
  std::vector<double> same, change, size, square;
  std::vector<double> figures;
};

// `dim`: shape of the table; `small`: which cells are small. Replicates first .. first + n - 1.
Simulation simulate_publications(const std::vector<std::int64_t>& counts,
                                 const std::vector<std::size_t>& dim,
                                 const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                                 const Mechanism& mechanism, std::size_t first, std::size_t n,
                                 std::uint64_t seed, const Tick& tick = {});

// From n posterior draws, shifts[draw * truth.size() + law]: for each law that is a target, the
// share of draws with its true shift among those in which one other law of its component has its
// true shift, for the law that reveals most. That law is chosen by the first half of the draws and
// judged by the second, so the choice does not make the share too large. Laws whose truth is in
// fewer than `least` of the first draws are not considered; -1 where none is left.
std::vector<double> most_revealing(const std::vector<std::int8_t>& shifts,
                                   const std::vector<std::int32_t>& truth,
                                   const std::vector<std::int32_t>& component,
                                   const std::vector<std::uint8_t>& target, std::size_t least);

}  // namespace sdclattice
