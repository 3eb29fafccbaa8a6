// Estimates from independent batches of weighted runs.
//
// What is computed. A batch has an unbiased estimate of the evidence and the weighted shares of the
// changes of each law. The evidence is the mean over batches, a law the mean of the batches' shares
// weighted by their evidences. Standard errors come from the spread of the batches (for laws, that
// of a ratio of means).
#pragma once

#include <cstddef>
#include <vector>

namespace sdclattice {

struct SimulatedLaws {
  double log_evidence = 0;        // log of the mean over batches
  double evidence_error = 0;      // standard error of the evidence, relative to it
  std::vector<double> laws;       // that of change d of law l at l * (2 reach + 1) + reach + d
  std::vector<double> law_error;  // standard errors, alike
  std::size_t redraws = 0;        // over all batches
  bool independent = true;        // all weights are 1: the runs are independent exact draws
};

// The logarithm of the mean of exp(x).
double log_mean_exp(const std::vector<double>& x);

class Batches {
 public:
  // `laws` sum to 1 for each law, or are all 0 where the log evidence is -Inf.
  void add(double log_evidence, std::vector<double> laws);
  // Throws InfeasibleError when every batch has found nothing.
  SimulatedLaws estimate() const;

 private:
  std::vector<double> logs_;
  std::vector<std::vector<double>> laws_;
};

// Simulation that finds nothing proves nothing.
[[noreturn]] void no_run_left();

}  // namespace sdclattice
