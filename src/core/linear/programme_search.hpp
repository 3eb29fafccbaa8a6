// Bounds of the cells of a small part by the exact tableau: each ends with a proof.
#pragma once

#include <cstddef>

#include "base/work_clock.hpp"
#include "linear/bounds_knowledge.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

// TooLargeError, here and later, when the tableau has more than `max_entries` entries, or too large
// ones.
class ProgrammeSearch {
 public:
  ProgrammeSearch(const LinearSystem& part, std::size_t max_entries, Knowledge& known,
                  Effort& effort, WorkClock& watch)
      : simplex_(part, max_entries, [&watch] { watch.check(); }), known_(known), effort_(effort) {}

  // InfeasibleError when there is no solution of whole numbers.
  void start();
  // The bound of the linear programme is tried first, then what is next to it, and so on, down to
  // what a witness attains.
  void close(std::size_t cell, int sign);

  // The same over the real numbers.
  void start_relaxed();
  // The optimum of the linear programme, times `sign`; what it says of whole numbers is noted.
  double relax(std::size_t cell, int sign);

 private:
  bool climb(std::size_t cell, int sign);
  bool record_if_whole();
  bool search();

  ExactSimplex simplex_;
  WholeSearch whole_{simplex_};
  Knowledge& known_;
  Effort& effort_;
};

}  // namespace sdclattice
