// For what a pattern must have room: inequalities between hidden cells, by the multipliers of
// linear programmes (capacity constraints: Fischetti and Salazar 2001).
//
// Let cell p have to change by n, or more. For all whole multipliers Y of the relations and each D,
// D d_p is the sum of c_i d_i over all cells, c = D e_p - Y A, and each d_i has no more than the
// room of its cell, and that only where the cell is hidden: x_i = 1. So
//   sum over candidates |c_i| room_i x_i >= D n - sum over cells that are hidden anyway.
// A coefficient above the right side counts as the right side, as x is 0 or 1. Where the change may
// go either way, each coefficient is the larger one of the two ways. Floating point proposes Y at a
// point x that the inequality is to exclude; what is said of it is computed in whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/sparse_simplex.hpp"
#include "suppress/reader_demands.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// The sum of times * x over these candidates is at least `least` in each pattern that meets the
// demand. 0 < times <= least; cells ascend.
struct CapacityCut {
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> times;
  std::int64_t least = 0;

  // The share of what is needed that is there; below 1 where x is excluded.
  double share(const std::vector<double>& x) const;
};

class CapacityCuts {
 public:
  // Keeps a reference to the problem. `check` may throw; the object is of no more use then.
  CapacityCuts(const SuppressionProblem& problem, std::function<void()> check);

  // The point that cuts are to exclude: of each cell, how much of it is hidden, from 0 to 1.
  void move_to(const std::vector<double>& x);
  // Looks for a cut by a demand that can be met, of which x has a small share. False when none was
  // found.
  bool find(const ReaderDemand& reader, CapacityCut& out);

 private:
  // By how much one way the cell can change, times `denominator`: at most `fixed` and the sum of
  // the candidates' times, kNoLimit where there is no end.
  struct Reach {
    std::vector<std::uint32_t> cell;
    std::vector<std::int64_t> times;
    std::int64_t fixed = 0, denominator = 1;
  };

  std::int64_t room(std::size_t cell, bool up) const;
  void set_limits(std::int64_t cap, const std::vector<std::uint32_t>& known);
  bool reach(std::uint32_t cell, int sign, Reach& out);
  bool combine(const std::vector<std::uint32_t>& rows, std::uint32_t cell, int sign,
               std::int64_t denominator, Reach& out);
  bool add_cell(std::uint32_t cell, Reach& out) const;
  double real_size(const Reach& of) const;
  static bool one_way(const Reach& by, std::int64_t need, CapacityCut& out);
  static bool either(const CapacityCut& a, const CapacityCut& b, CapacityCut& out);
  static Reach sum(const Reach& a, const Reach& b);
  void keep(CapacityCut&& cut, CapacityCut& best) const;

  const SuppressionProblem& problem_;
  LinearSystem changes_;  // unknowns: the changes of all cells, in parts of a unit
  SparseSimplex simplex_;
  std::vector<double> x_;
  std::int64_t cap_ = 0;             // of the changes of candidates, for which the limits are set
  std::vector<std::uint32_t> shut_;  // the cells that the reader in question knows
  std::vector<char> is_shut_;
  std::vector<WideInt> rate_;         // c of each cell
  std::vector<std::uint32_t> rated_;  // where it may not be 0
};

}  // namespace sdclattice
