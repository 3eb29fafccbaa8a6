// A solution of whole numbers near a vertex of an exact linear programme: branch and bound.
#pragma once

#include <cstddef>

#include "linear/exact_simplex.hpp"

namespace sdclattice {

class WholeSearch {
 public:
  explicit WholeSearch(ExactSimplex& simplex) : simplex_(simplex) {}

  // Moves the programme to a solution of whole numbers within its limits, which stay as they are;
  // false when there is none. Depth first, each time into the nearer half. The first fractional
  // cell keeps the denominators small; the most fractional one took four times as long.
  // TooLargeError when too many choices are open at a time.
  bool find();
  std::size_t n_branches() const { return n_branches_; }

 private:
  ExactSimplex& simplex_;
  std::size_t depth_ = 0, n_branches_ = 0;
};

}  // namespace sdclattice
