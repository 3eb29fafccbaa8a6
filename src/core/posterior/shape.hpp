// One step of an elimination but for the published values: which cycles it joins and finishes, and
// in which order their coins fall. Makes the kernel (chain.hpp) for given values.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "perturb/coins.hpp"
#include "posterior/chain.hpp"
#include "posterior/problem.hpp"

namespace sdclattice {

class Shape {
 public:
  // A cycle of the step. The first n_touched are on the front before it, the others enter; those
  // that leave get the weight of their coins.
  struct Variable {
    const CoinStates* states;
    double alpha, beta;
    bool leaves;
    bool operator==(const Variable& other) const {
      return std::tie(states, alpha, beta, leaves) ==
             std::tie(other.states, other.alpha, other.beta, other.leaves);
    }
  };
  // One application of one of the variables, as a law sees it.
  struct Application {
    std::int32_t source;
    std::uint32_t variable, time;
    std::int32_t coef;
    bool operator==(const Application& other) const {
      return std::tie(source, variable, time, coef) ==
             std::tie(other.source, other.variable, other.time, other.coef);
    }
  };
  using Law = std::vector<Application>;  // in the order of steps, source after source

  Shape(std::vector<Variable> variables, std::size_t n_touched, std::vector<Law> laws,
        int n_sources)
      : variables_(std::move(variables)),
        n_touched_(n_touched),
        laws_(std::move(laws)),
        n_sources_(n_sources),
        kernels_(std::make_unique<Kernels>()) {}
  bool operator==(const Shape& other) const {
    return n_touched_ == other.n_touched_ && variables_ == other.variables_ && laws_ == other.laws_;
  }

  // The kernel for the values of the laws, n_sources for each; kept for the next who asks. Several
  // threads may ask at the same time: the first makes it, others who want the same one wait.
  std::shared_ptr<const Kernel> kernel(const std::vector<Problem::Values>& values) const;

 private:
  class Maker;

  std::vector<Variable> variables_;
  std::size_t n_touched_;
  std::vector<Law> laws_;
  int n_sources_;
  struct Kernels {
    struct Slot {
      std::once_flag once;
      std::shared_ptr<const Kernel> kernel;
    };
    std::mutex mutex;
    std::unordered_map<std::u32string, Slot> slots;  // which stay where they are
  };
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace sdclattice
