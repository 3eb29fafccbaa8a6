#include "base/batches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

double log_mean_exp(const std::vector<double>& x) {
  const double top = *std::max_element(x.begin(), x.end());
  if (top == kNever) return kNever;
  double sum = 0;
  for (double v : x) sum += std::exp(v - top);
  return top + std::log(sum / static_cast<double>(x.size()));
}

void no_run_left() {
  throw InfeasibleError("No simulated run reaches an original that the prior allows.");
}

void Batches::add(double log_evidence, std::vector<double> laws) {
  logs_.push_back(log_evidence);
  laws_.push_back(std::move(laws));
}

SimulatedLaws Batches::estimate() const {
  const auto n = static_cast<double>(logs_.size());
  SimulatedLaws out;
  out.log_evidence = log_mean_exp(logs_);
  if (out.log_evidence == kNever) no_run_left();
  out.laws.assign(laws_[0].size(), 0.0);
  out.law_error.assign(laws_[0].size(), 0.0);
  double square = 0;
  for (std::size_t b = 0; b < logs_.size(); ++b) {
    const double share = std::exp(logs_[b] - out.log_evidence);
    square += (share - 1) * (share - 1);
    for (std::size_t i = 0; i < out.laws.size(); ++i) out.laws[i] += share * laws_[b][i] / n;
  }
  out.evidence_error = std::sqrt(square / (n * (n - 1)));
  for (std::size_t b = 0; b < logs_.size(); ++b) {
    const double share = std::exp(logs_[b] - out.log_evidence);
    for (std::size_t i = 0; i < out.laws.size(); ++i) {
      const double apart = share * (laws_[b][i] - out.laws[i]);
      out.law_error[i] += apart * apart / (n * (n - 1));
    }
  }
  for (double& x : out.law_error) x = std::sqrt(x);
  return out;
}

}  // namespace sdclattice
