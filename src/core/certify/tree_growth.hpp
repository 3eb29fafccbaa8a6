// How a tree of components grows: changes of one component that make room for more sub-tables.
//
// What is computed. Three kinds of steps: two neighbours become one component; a component takes a
// variable of a neighbour, where the separator with it is released as well; a leaf hangs on another
// separator. Each makes one new component and leaves the others, with what they release, as they
// are.
// What it guarantees. Every step is a tree of components again (component_tree.hpp) that covers the
// same variables, fits the limits, and has each forced sub-table in some component.
// What it costs. A count of admissible sub-tables for each step, and for each leaf and each maximal
// released set of another component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/component_tree.hpp"
#include "certify/part_counts.hpp"

namespace sdclattice {

// What is released now: a list of the sets of each component, all of their parts with them.
using ReleasedParts = std::vector<std::vector<SubTable>>;

struct TreeStep {
  static constexpr std::size_t kNew = static_cast<std::size_t>(-1);

  ComponentTree tree;
  std::vector<std::size_t> from;  // the number that a component had, or kNew
  std::size_t made = 0;           // the number of the new component
  std::int64_t gain = 0;          // sub-tables that it brings at most
};

// Steps that may bring something, the most first.
std::vector<TreeStep> growth_steps(const Layout& layout, const ComponentTree& tree,
                                   const ReleasedParts& released, const TreeLimits& limits,
                                   PartCounts& counts);

}  // namespace sdclattice
