// What a rounded table tells of its original, cell by cell.
//
// What is computed. For each cell the weight of each possible original count, summed over all
// tables that agree with the intervals around the rounded cells and sums; a table weighs the
// product of its cells' prior weights times a likelihood: 1 for a reader who knows the intervals
// only, or the probability that the unbiased procedure leads from it to the rounded table.
// How. By a depth-first walk over all tables, cut where a sum can no longer come right; or by
// importance sampling: cells in order, each drawn from given weights within what the sums still
// allow, a table weighing the mass that was allowed at each step.
// What it agrees with. Enumeration in R of all tables and all coins.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "linear/circulation.hpp"
#include "linear/linear.hpp"
#include "round/rounding_nearest.hpp"

namespace sdclattice {

// The weights of the counts lower[i], lower[i] + 1, ... of cell i of a system are
// weight[start[i]], ..., weight[start[i + 1] - 1]. All limits of cells are finite.
struct CellWeights {
  std::vector<std::size_t> start;
  std::vector<double> weight;
};

using TableLikelihood = std::function<double(const std::vector<std::int64_t>&)>;

// `sums` is as CellWeights::weight; `total` the sum of all tables' weights; `n_tables` how many
// tables have a weight above 0, and `n_compatible` how many agree with the system and have a prior
// weight above 0.
struct RoundingLaw {
  std::vector<double> sums;
  double total = 0;
  double n_tables = 0;
  double n_compatible = 0;
};

// Throws TooLargeError beyond `max_tables` tables.
RoundingLaw sum_over_tables(const LinearSystem& system, const CellWeights& prior,
                            const TableLikelihood& likelihood, std::size_t max_tables,
                            const Tick& tick);

// Draws are made with the weights of `proposal`, which is positive where the prior is, and weighed
// by the ratio of prior and proposal. One law for each of `batches` batches of `each` draws, and
// the sum of the squares of all draws' weights in `squares`.
struct SampledLaws {
  std::vector<RoundingLaw> batch;
  double squares = 0;
};
SampledLaws sample_rounding_laws(const LinearSystem& system, const CellWeights& prior,
                                 const CellWeights& proposal, const TableLikelihood& likelihood,
                                 std::size_t batches, std::size_t each, std::uint64_t seed,
                                 const Tick& tick);

// The probability that round_randomly() leads from a table to the rounded one. `shape` has the sums
// of the table in any state; `rounded` is the cells' counts.
TableLikelihood procedure_likelihood(const Circulation& shape, std::int64_t base,
                                     const std::vector<std::int64_t>& rounded,
                                     std::size_t max_nodes);

// 1 where round_nearest() leads to the rounded cells, else 0.
TableLikelihood nearest_likelihood(const Circulation& shape, std::int64_t base,
                                   const std::vector<std::int64_t>& rounded, RoundingAim aim);

}  // namespace sdclattice
