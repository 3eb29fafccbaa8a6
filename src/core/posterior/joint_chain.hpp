// Several chains that tell of the same laws, as one chain.
//
// What is computed. The chains come from publications of one table: they have the same steps and
// laws, and the change of a law in chain k is that in the first plus a known offset, since all lead
// back to the same original. The states of the joint chain are the tuples of states that some tuple
// of paths reaches with such changes, numbered as they are met; its weights are the products.
// Why it is right. Given the original the publications are independent, and the original is what
// the changes of the laws say.
// What it costs. Linear in the entries of the joint kernels: tuples of states times the ways on
// that agree. Tuples are much fewer than the product of the states: the offsets rule out most.
// Agrees with enumerate.hpp and with the union of the cycles in elimination.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "posterior/chain.hpp"

namespace sdclattice {

// offsets[k][law] is that of chain k + 1. Throws TooLargeError where the kernels would need too
// much memory, InfeasibleError where no paths agree.
Chain join_chains(const std::vector<Chain>& chains,
                  const std::vector<std::vector<std::int32_t>>& offsets, const Tick& tick);

}  // namespace sdclattice
