// One step of a mechanism, seen from the table that it left.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "cycle/mechanism.hpp"

namespace sdclattice {

struct CellMove {
  std::int32_t place;  // of a cell, wherever the caller keeps the values
  int coef;
};

// `Value` is a function of a CellMove: the cell's value in some table.
struct Undo {
  const CellMove* begin;
  const CellMove* end;
  ZeroRule rule;
  double alpha, beta;

  // Whether adding sign * cycle keeps every cell non-negative.
  template <typename Value>
  bool fits(const Value& value, int sign) const {
    for (const CellMove* m = begin; m != end; ++m)
      if (value(*m) + sign * m->coef < 0) return false;
    return true;
  }
  // Whether no cell is smaller than its coefficient ("blocked"); for "roehrig", no cell is 0.
  template <typename Value>
  bool open(const Value& value) const {
    for (const CellMove* m = begin; m != end; ++m)
      if (value(*m) < (rule == ZeroRule::roehrig ? 1 : std::abs(m->coef))) return false;
    return true;
  }
  // Probability that the step added sign * cycle to the table before it.
  template <typename Value>
  double moved(const Value& before, int sign) const {
    const double p = sign > 0 ? alpha : beta;
    if (rule == ZeroRule::none) return p;
    if (!fits(before, 0)) return 0;
    return rule == ZeroRule::blocked && !open(before) ? 0 : p;
  }
  // Probability that the step left the table as it was.
  template <typename Value>
  double stayed(const Value& table) const {
    const double gamma = stay_probability(alpha, beta);
    if (rule == ZeroRule::none) return gamma;
    if (rule != ZeroRule::nonnegative) return open(table) ? gamma : 1;
    return gamma + (fits(table, 1) ? 0 : alpha) + (fits(table, -1) ? 0 : beta);
  }
};

}  // namespace sdclattice
