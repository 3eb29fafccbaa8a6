// The order in which elimination takes the laws of a component.
//
// Greedy: next comes the law after which the front, the cycles that are begun and not finished, has
// the fewest states; ties go to the one met last, round a ring in one direction.
#pragma once

#include <cstdint>
#include <vector>

#include "cycle/linkage.hpp"
#include "posterior/cycle_states.hpp"

namespace sdclattice {

struct LawOrder {
  std::vector<std::int32_t> laws;  // counted from the component's first
  bool too_wide = false;  // the front has grown beyond anything that can be held: not complete
  int width = 0;          // of the front in the end
};

// `local` is room for a number for each cycle.
LawOrder order_laws(const Linkage& linkage, const Component& part, CycleStates& states,
                    std::vector<std::int32_t>& local);

}  // namespace sdclattice
