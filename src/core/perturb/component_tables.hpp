// All tables that a component of cycles can make of a given table, each with its probability.
//
// What is computed. All tables of one component with their probabilities, step by step, equal
// tables added up. Each step is run by the walker that perturb() runs on, so that whatever a step
// does there it does here.
// What it costs. The number of distinct tables times the cells of the component for each step.
// Agrees with the enumeration of all coins in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/shift.hpp"
#include "perturb/walker.hpp"

namespace sdclattice {

// Cells that share cycles, directly or through others, have one number, from 1 on; 0 marks a cell
// on no cycle. What happens in one component tells nothing about another.
std::vector<std::int32_t> cell_components(const CycleSet& cycles);

// Its cells, ascending, and the steps that apply its cycles. Component 0 has the cells on no cycle.
struct CellComponent {
  std::vector<std::int32_t> cells, steps;
};
std::vector<CellComponent> components_of(const CycleSet& cycles, const Mechanism& mechanism);

struct ForwardLimits {
  std::size_t max_tables = 0;  // of one component, at one time
  double max_work = 0;         // tables x steps x (cells + cycles of the whole set) x 2, of all
};

class Enumeration {
 public:
  Enumeration(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
              const Mechanism& mechanism, const ForwardLimits& limits, const Tick& tick)
      : counts_(counts),
        now_(counts),
        cycles_(cycles),
        mechanism_(mechanism),
        limits_(limits),
        tick_(tick) {}

  // The tables after the component's steps, as changes of its cells; empty beyond the limits.
  WeightedShifts run(const CellComponent& component);

 private:
  void step(const Shift& table, double p, std::int32_t c, WeightedShifts& after);
  Shift moved(const Shift& table, std::int32_t c, int side);

  const std::vector<std::int64_t>& counts_;
  std::vector<std::int64_t> now_;  // counts_, but within a step
  const CycleSet& cycles_;
  const Mechanism& mechanism_;
  const ForwardLimits& limits_;
  const Tick& tick_;
  std::optional<Walker> walker_;
  const std::vector<std::int32_t>* cells_ = nullptr;  // of the component at hand
  double work_ = 0;
};

// All tables that a component can become, for all components at once: table t of component c
// changes its cells as column t of `change` (a row for each cell of the whole table) says, and has
// probability weight[t * n_components + c - 1]. Components with fewer tables have weight 0 in the
// last columns. No columns beyond the limits, or where there is no component.
struct ComponentTables {
  std::size_t n_components = 0, n_tables = 0;
  std::vector<std::int32_t> change;
  std::vector<double> weight;
};
ComponentTables component_tables(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                                 const Mechanism& mechanism, const ForwardLimits& limits,
                                 const Tick& tick = {});

}  // namespace sdclattice
