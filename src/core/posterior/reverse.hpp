// The posterior by simulation, for sets of any form and size: weighted runs of the mechanism in
// reverse.
//
// What is computed. From the published table each particle undoes the steps from the last to the
// first: it goes back by +cycle, -cycle or not at all, with probabilities in proportion to those
// with which the step leads from there to where it is. The sum of these three is the particle's
// weight for the step. The prior guides the run: each cell has a potential, its prior weight where
// that is not zero, else a guess of the chance that earlier steps still lead to such a value; both
// are multiplied by the ratio of the potentials after and before, and with no step left the
// potential is the prior weight. When the weights have become uneven the particles are drawn anew
// in proportion to them. Why it is right. The product of the chosen proportions and the weights is
// likelihood times prior (the potentials in between cancel), so weighted means over particles
// estimate the posterior, and the product of the mean weights between redraws is an unbiased
// estimate of the evidence. Independent batches give the error. In the symmetric case
// ("nonnegative", alpha = beta, uniform prior) every weight is exactly 1: the particles are
// independent exact draws, and the evidence is 1 for each component. What it costs. Steps x
// particles x cells of a cycle; memory: particles of a batch x moving cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/batches.hpp"
#include "base/tick.hpp"
#include "perturb/undo.hpp"
#include "posterior/prior.hpp"
#include "posterior/problem.hpp"

namespace sdclattice {

class ReversePasses {
 public:
  // law_of_cell is room for a number for each cell that outlives the passes.
  ReversePasses(const Publication& source, const Problem& problem, const Prior& prior)
      : source_(source), problem_(problem), prior_(prior) {
    prepare();
  }

  // `batches` (at least 2) of `particles` each. InfeasibleError when no particle survives.
  SimulatedLaws infer(std::size_t batches, std::size_t particles,
                      const std::function<double()>& uniform, const Tick& tick);

  // n draws of particles of one batch: shifts[draw * n_laws + law].
  void sample(std::size_t n, std::size_t particles, const std::function<double()>& uniform,
              std::int8_t* shifts, const Tick& tick);

 private:
  class Particles;
  struct Batch {
    std::vector<std::int16_t> shift;  // [particle][moving cell]: published - value
    std::vector<double> weight;       // sum 1; empty where no particle survived
    double log_evidence = 0;
    std::size_t redraws = 0;
    bool even = false;  // all particles have weight 1, and none was drawn anew
  };
  void prepare();
  Batch run(std::size_t particles, const std::function<double()>& uniform, const Tick& tick) const;
  double log_potential(std::int32_t place, int shift, std::int32_t chances) const;
  double take_back(std::size_t step, const std::vector<std::int32_t>& chances, std::int16_t* shift,
                   const std::function<double()>& uniform) const;
  int law_change(const Batch& batch, std::size_t particle, std::size_t law) const;

  const Publication& source_;
  const Problem& problem_;
  const Prior& prior_;
  std::vector<std::int32_t> cells_;  // that move
  std::vector<CellMove> moves_;      // of the cycles, places in cells_
  std::vector<std::int32_t> chances_,
      size_;                                // steps that change a cell, and its largest coefficient
  std::vector<std::int32_t> place_of_law_;  // a cell of each law, with its sign
  double log_fixed_ = 0;                    // prior weight of the cells that never move
};

}  // namespace sdclattice
