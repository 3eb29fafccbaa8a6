// Utilities of a release that are sums over its sub-tables.
#pragma once

#include <cstddef>
#include <vector>

#include "table/level_steps.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// A non-empty sub-table is worth the product of its variables' factors, and what stands in `values`
// if it is one of `sets`. All are at least 0. What all sub-tables inside a set are worth together
// is prod(1 + factor) - 1, and the listed ones among them.
//
// By level factors are those of steps, a closed set is worth what its finest steps are, and `sets`
// have these alone. Only closed sets count, and all sets that are asked for are closed, except by
// of(), which takes finest steps.
class AdditiveUtility {
 public:
  AdditiveUtility(std::vector<double> factors, std::vector<SubTable> sets,
                  std::vector<double> values);
  AdditiveUtility(std::vector<double> factors, std::vector<SubTable> sets,
                  std::vector<double> values, LevelSteps steps);

  // One sub-table; the empty one is worth nothing.
  double of(SubTable set) const;
  // What a variable, or the next step of one, adds to a clique: all sub-tables inside both that
  // hold it, as the finest of its variable.
  double gain(std::size_t step, SubTable clique) const;
  // Everything inside a set, the set itself included.
  double below(SubTable set) const;
  // Everything inside `within` that holds both variables, or steps, the finest of theirs there.
  double with_edge(SubTable within, std::size_t u, std::size_t v) const;
  // A decomposable release, by its cliques and separators.
  double release(const std::vector<SubTable>& cliques,
                 const std::vector<SubTable>& separators) const;
  // Are all values whole, so that sums of them are exact up to 2^53?
  bool whole() const { return whole_; }
  // Is every sub-table worth 1?
  bool counts_sub_tables() const;
  const LevelSteps& steps() const { return steps_; }

 private:
  // The product over the variables of 1 + the factors of their steps in the set. `but`: variables
  // with one of these steps are left out.
  double product_inside(SubTable set, SubTable but = 0) const;

  std::vector<double> factors_;
  std::vector<SubTable> sets_;
  std::vector<double> values_;
  LevelSteps steps_;
  bool whole_;
};

// By level a closed set is worth what its finest steps are. The sum over all closed sets inside of
// some, the empty one left out. TooLargeError above 2^25 closed sets.
double sum_inside(const LevelSteps& steps, const std::vector<SubTable>& sets,
                  const AdditiveUtility& utility);

}  // namespace sdclattice
