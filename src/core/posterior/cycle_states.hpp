// The states of the coins of each cycle of a problem.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "perturb/coins.hpp"
#include "posterior/problem.hpp"

namespace sdclattice {

class CycleStates {
 public:
  explicit CycleStates(const Problem& problem) : problem_(problem) {}

  // Cycles that are applied equally often under one rule share them.
  const CoinStates& of(std::int32_t cycle) {
    const int applications = problem_.applications(cycle);
    const ZeroRule rule = problem_.rule(problem_.source_of(cycle));
    const std::size_t at =
        static_cast<std::size_t>(applications) * kRules + static_cast<std::size_t>(rule);
    if (at >= states_.size()) states_.resize(at + 1);
    if (!states_[at]) states_[at] = std::make_unique<CoinStates>(rule, applications);
    return *states_[at];
  }

 private:
  static constexpr std::size_t kRules = 4;

  const Problem& problem_;
  std::vector<std::unique_ptr<CoinStates>> states_;
};

}  // namespace sdclattice
