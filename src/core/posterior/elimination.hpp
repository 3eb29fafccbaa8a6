// Exact variable elimination: makes the chain (chain.hpp) of a component of cycles.
//
// What is computed. The cycles are variables: the state of a cycle (coins.hpp) says what its coins
// did. A law joins the cycles that its cells lie on: it forbids or flags combinations of their
// states, and once all laws of a cycle are seen its state has a weight.
// Why it is right. A step is prevented by cells of its own cycle only, and the value of a cell at
// any time depends on the states of the cycles that it lies on and on the published value alone. So
// the likelihood factorises over laws and cycles, and they can be taken one after the other,
// carrying only the states of cycles that are begun and not finished: the front.
// The order is greedy: next comes the law after which the front has the fewest states; ties go
// round a ring in one direction. Laws are fused into one step while that saves products.
// What it costs. Linear in the number of laws times the states of the front: 4^(r k) for a
// front of k cycles with r applications each (6^(r k) under "nonnegative"). A bidiagonal set has
// a front of two cycles, an open triad of three, a closed triad of six.
// Several publications of one table are the union of their sets, whose changes must lead back to
// the same original. Agrees with enumerate.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "perturb/coins.hpp"
#include "posterior/chain.hpp"
#include "posterior/problem.hpp"
#include "posterior/shape.hpp"

namespace sdclattice {

class Elimination {
 public:
  explicit Elimination(const Problem& problem);
  ~Elimination();

  // What a component would take, before anything large is made.
  struct Cost {
    double products = 0;  // of one pass
    double bytes = 0;     // of the messages of one pass
    double states = 0;    // the most that a message holds
    int width = 0;        // the most cycles on the front
  };
  // The order of a component's laws and its steps, but for the published values. Laws are counted
  // from the component's first. Components that differ in their place alone share it.
  struct Layout {
    struct Step {
      Shape* shape;
      std::size_t first_law, n_laws;  // in laws
      std::uint32_t lanes;
      std::shared_ptr<const std::vector<std::uint32_t>> permutation;
    };
    std::vector<std::int32_t> laws;
    std::vector<Step> steps;
    Cost cost;
  };
  // The cost alone is known until build() asks for the steps.
  const Cost& plan(const Component& part);
  // The same order and steps as another elimination of a problem with the same laws has planned.
  void plan_like(const Elimination& other, const Component& part);
  // The chain of the component that was planned last.
  Chain build();

 private:
  class Orderer;
  class Stepper;

  const CoinStates& states(std::int32_t cycle);
  bool like_last(const Component& part) const;
  Shape* intern(Shape shape);

  const Problem& problem_;
  std::vector<std::unique_ptr<CoinStates>> states_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::vector<std::int32_t> local_;  // of a cycle: its number in the component at hand
  const Component* part_ = nullptr;
  const Component* model_ = nullptr;  // the component that layout_ was made for
  std::unique_ptr<Layout> layout_;
  bool has_steps_ = false;
};

}  // namespace sdclattice
