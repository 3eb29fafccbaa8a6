// Bounds of the cells of a part whose rows form a network.
#pragma once

#include <cstddef>
#include <functional>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "linear/bounds_knowledge.hpp"
#include "linear/network_flow.hpp"

namespace sdclattice {

class FlowSearch {
 public:
  FlowSearch(FlowNetwork& network, Knowledge& known, Effort& effort, WorkClock& watch)
      : network_(network), known_(known), effort_(effort), check_([&watch] { watch.check(); }) {}

  void start() {
    if (!network_.solve(check_)) throw InfeasibleError(kNoTable);
    known_.witness([this](std::size_t i) { return network_.flow(i); });
  }
  // Moves the flow to one with the largest or least value of the cell, which is proved to be so.
  void close(std::size_t cell, int sign) {
    if (!known_.open(cell, sign)) return;
    ++effort_.programmes;
    const bool has_end = network_.push(cell, sign, check_);
    known_.witness_at(network_.changed(), [this](std::size_t i) { return network_.flow(i); });
    if (has_end)
      known_.narrow(cell, sign, sign * network_.flow(cell));
    else
      known_.endless[cell] = true;
  }

 private:
  FlowNetwork& network_;
  Knowledge& known_;
  Effort& effort_;
  std::function<void()> check_;
};

}  // namespace sdclattice
