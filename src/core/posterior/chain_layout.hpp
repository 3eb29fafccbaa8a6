// The steps by which elimination goes through a component, and what they cost.
//
// The front is followed along the laws, in their order, and cut into steps. Fusing the next law
// into a step multiplies the step's products by the states that enter; alone they multiply the
// states that the step leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cycle/linkage.hpp"
#include "posterior/cycle_states.hpp"
#include "posterior/problem.hpp"
#include "posterior/shape.hpp"

namespace sdclattice {

// What a component would take, before anything large is made.
struct ChainCost {
  double products = 0;  // of one pass
  double bytes = 0;     // of the messages of one pass
  double states = 0;    // the most that a message holds
  int width = 0;        // the most cycles on the front
};

// The order of a component's laws and its steps, but for the published values. Laws are counted
// from the component's first, so that components of the same form may share it.
struct ChainLayout {
  struct Step {
    Shape* shape;                   // the maker's; null until it is filled
    std::size_t first_law, n_laws;  // in laws
    std::uint32_t lanes;
    std::shared_ptr<const std::vector<std::uint32_t>> permutation;
  };
  std::vector<std::int32_t> laws;
  std::vector<Step> steps;
  ChainCost cost;

  bool is_filled() const { return steps.empty() || steps[0].shape != nullptr; }
  // The same order and steps, for another maker to fill.
  ChainLayout unfilled() const;
};

class LayoutMaker {
 public:
  explicit LayoutMaker(const Problem& problem);
  ~LayoutMaker();

  // Only the places where steps end, and what they cost.
  ChainLayout plan(const Component& part);
  // What the steps do.
  void fill(const Component& part, ChainLayout& layout);

 private:
  class Stepper;

  Shape* intern(Shape shape);

  const Problem& problem_;
  CycleStates states_;
  std::vector<std::unique_ptr<Shape>> shapes_;
  std::vector<std::int32_t> local_;  // of a cycle: its number in the component at hand
};

}  // namespace sdclattice
