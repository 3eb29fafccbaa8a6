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

#include <memory>

#include "posterior/chain.hpp"
#include "posterior/chain_layout.hpp"
#include "posterior/problem.hpp"

namespace sdclattice {

class Elimination {
 public:
  explicit Elimination(const Problem& problem) : problem_(problem), maker_(problem) {}

  // The layout of a component, and its cost; components that differ in their place alone share it.
  std::shared_ptr<ChainLayout> plan(const Component& part);
  // Fills a layout that was planned for a component, here or by the elimination of another problem
  // with the same laws, where it is not filled yet.
  void fill(const Component& part, ChainLayout& layout);
  // The chain of a component with its layout. Where all layouts are filled several threads may
  // build at the same time.
  Chain build(const Component& part, ChainLayout& layout);

 private:
  const Problem& problem_;
  LayoutMaker maker_;
  Component model_;  // the component that the last layout was made for
  std::shared_ptr<ChainLayout> layout_;
};

}  // namespace sdclattice
