#include "linear/conflict_weights.hpp"

#include <cmath>

namespace sdclattice {

namespace {

constexpr double kGrowth = 1.01;
constexpr double kLargest = 1e100;
constexpr double kSmallMultiplier = 1e-9;  // smaller multipliers are rounding errors

}  // namespace

void ConflictWeights::add(const std::vector<double>& multipliers) {
  for (std::size_t r = 0; r < multipliers.size(); ++r)
    if (std::fabs(multipliers[r]) > kSmallMultiplier) weight_[r] += step_;
  grow();
}

void ConflictWeights::grow() {
  step_ *= kGrowth;
  if (step_ < kLargest) return;
  for (double& weight : weight_) weight /= step_;
  step_ = 1.0;
}

}  // namespace sdclattice
