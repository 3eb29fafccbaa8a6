// The posterior by enumeration: the reference for everything faster, and the method for small sets
// of any form (coefficients of any size, any overlap).
//
// What is computed. All tables that can have been the original, each with its likelihood, by
// undoing the steps from the last to the first and adding up the weights of equal tables.
// Why it is right. Before a step the table was T - M, T + M or T; each is kept with the probability
// that the step leads from it to T.
// What it costs. Up to 3^steps tables; in fact as many as there are distinct ones.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "cycle/cycle.hpp"
#include "cycle/linkage.hpp"
#include "cycle/mechanism.hpp"
#include "posterior/prior.hpp"

namespace sdclattice {

// The originals of one component: original i changes cell cells[k] by -shift[i * n_cells + k],
// so that shift = published - original; `weight` is likelihood times prior, divided by its sum.
struct Originals {
  std::vector<std::int16_t> shift;
  std::vector<double> weight;
  double log_evidence = 0;
  std::size_t size() const { return weight.size(); }
};

// `cells`: those that the component's cycles touch, ascending. Throws TooLargeError beyond
// `max_tables` tables at one time. Without any original: size() == 0.
Originals enumerate_originals(const CycleSet& cycles, const Mechanism& mechanism,
                              const Component& part, const std::vector<std::int32_t>& cells,
                              const double* published, const Prior& prior, std::size_t max_tables,
                              const Tick& tick);

// Keeps the originals of publication `a` that publication `b` of the same table allows, with the
// product of both weights. `cells` are the cells of both.
void keep_common(Originals& a, const double* published_a, const Originals& b,
                 const double* published_b, const std::vector<std::int32_t>& cells);

}  // namespace sdclattice
