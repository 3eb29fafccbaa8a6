// Linear programmes over a system of whole numbers, solved exactly.
//
// The vertices are those of a tableau of whole numbers (tableau.hpp): nothing is ever rounded and
// no tolerance decides, so that an optimum is a fraction and "no solution" is a proof.
//
// One object serves many objectives, each the largest or least value of one cell: the next search
// starts from where the last one ended. Limits of cells may change in between (branch and bound).
#pragma once

#include <cstddef>
#include <cstdint>

#include "linear/tableau.hpp"

namespace sdclattice {

class ExactSimplex : public Tableau {
 public:
  using Tableau::Tableau;

  // Whether a solution over the real numbers exists. Moves to a vertex within the limits.
  bool restore();
  // From a vertex within the limits, where restore() has come to, to one where sign (1 or -1) times
  // the cell is largest; false when it has no limit.
  bool climb(std::size_t cell, int sign);
  // The vertex may then be outside: restore() it.
  void set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper);

 private:
  void fill_prices(std::size_t cell, int sign);
  std::size_t violated_row() const;
  std::size_t strongest_column(std::size_t r, bool raise) const;
  bool fill_violation_prices();
  std::size_t rising_column(bool first) const;
  bool stops(std::size_t r, bool rises, WideInt& left, std::int64_t& target) const;
  bool advance(std::size_t c, bool first, bool& moved);

  Row price_;
};

}  // namespace sdclattice
