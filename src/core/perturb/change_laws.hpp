// The exact law of what a mechanism does to each cell of a given table.
//
// What is computed. Where nothing can stop a step that reaches the cell: the convolution of its
// steps' coins. Elsewhere the sum over all tables of its component (component_tables.hpp).
// Why it is right. A cell that holds at least what all steps of the mechanism together can take
// from it never stops a step; a cycle of such cells is never stopped; and a cell all of whose
// cycles are never stopped changes by the sum of their coins. Steps that skip zeros reach beyond
// their cycle: there all cells of the component must be such.
// What it costs. The steps of a cell times its reach. Agrees with enumeration, and with Lenz's
// theorem 4 as corrected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/component_tables.hpp"

namespace sdclattice {

// The exact law of published - original: probability[i] belongs to the change lowest + i.
// `convolution`: no zero can stop a step that reaches the cell, and its coins are independent.
// `enumeration`: all tables of its component, each with its probability.
struct ChangeLaw {
  enum class Kind { convolution, enumeration };
  Kind kind = Kind::convolution;
  int lowest = 0;
  std::vector<double> probability;
};

// Calls on_law(cell, law) for each cell whose law can be had within the limits.
using OnLaw = std::function<void(std::size_t, const ChangeLaw&)>;
void forward_laws(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                  const Mechanism& mechanism, const ForwardLimits& limits, const OnLaw& on_law,
                  const Tick& tick = {});

}  // namespace sdclattice
