// The posterior of several publications of one table by weighted draws, for sets that have no exact
// messages together.
//
// What is computed. One publication, the lead, has exact draws of originals from its own posterior
// under a prior that is multiplied, cell by cell, by guesses: the laws of the cell under each other
// publication alone, to the power 1/2 (cells depend on each other: a move changes four or more).
// A draw gets the weight: the product of the other publications' likelihoods of it, exactly, over
// the guesses. Why it is right. Lead, prior and weight multiply to the joint posterior; a guess is
// positive wherever its publication is possible. Weighted means estimate the posterior, and mean
// weight times the lead's evidence under the guesses is an unbiased estimate of the evidence.
// What it costs. For each draw one pass of messages for each other publication.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/batches.hpp"
#include "posterior/posterior.hpp"

namespace sdclattice {

class WeightedDraws {
 public:
  // The published tables and the prior's numbers must outlive the object. Throws TooLargeError
  // where some publication has no exact posterior of its own.
  WeightedDraws(std::vector<Publication> sources, const Prior& prior, std::size_t max_tables,
                const Tick& tick);

  // Laws are changes of the first source.
  const Linkage& linkage() const { return models_[0]->linkage(); }
  int reach() const { return models_[0]->reach(); }

  // `batches` (at least 2) of `draws` each. InfeasibleError when no draw has a weight.
  SimulatedLaws infer(std::size_t batches, std::size_t draws,
                      const std::function<double()>& uniform, const Tick& tick);

  // n draws of `draws` in proportion to their weights: shifts[draw * n_laws + law].
  void sample(std::size_t n, std::size_t draws, const std::function<double()>& uniform,
              std::int8_t* shifts, const Tick& tick);

 private:
  struct Batch {
    std::vector<std::int8_t> shift;  // [draw][law]
    std::vector<double> weight;      // sum 1; empty where no draw has any
    double log_evidence = 0;
  };
  Batch run(std::size_t draws, const std::function<double()>& uniform, const Tick& tick);
  void add_guesses(std::size_t k, const Tick& tick);
  double log_weight(const std::int8_t* shift);

  std::vector<const double*> published_;
  std::vector<std::unique_ptr<PosteriorModel>> models_;
  std::vector<std::vector<double>> guesses_;  // of sources after the first
  Prior lead_;                                // prior times guesses
  std::size_t n_guesses_from_;                // factors of the lead before the guesses
  double log_lead_ = 0;                       // evidence of the lead
  std::vector<double> original_;              // of the draw at hand
};

}  // namespace sdclattice
