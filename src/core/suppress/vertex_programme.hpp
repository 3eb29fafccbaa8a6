// Differences between a table and others that agree with all that is published, by linear
// programmes: of those that move one cell as far as is wanted, one that changes few cells which
// cost something.
//
// Unknowns are by how much each cell rises and by how much it falls, so that a price can be put on
// both. The programme starts where nothing changes: there all prices are in order, and the dual
// simplex touches only what the wanted change leads to. A vertex with fractions is multiplied;
// where that does not make it whole, a dive looks for a whole difference among the cells that the
// vertex changes and those that cost little, and branch and bound among all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "linear/linear.hpp"
#include "linear/repair_walk.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// sign * d[cell] >= amount, and d is 0 on the cells `shut`.
struct WantedChange {
  std::uint32_t cell;
  int sign;
  std::int64_t amount;
  std::vector<std::uint32_t> shut;
};

// none: proved, there is no such difference. unknown: none was found.
enum class VertexEnd { found, none, unknown };

class VertexProgramme {
 public:
  // Differences that change `usable` cells only, of which none is open. Keeps references to problem
  // and clock.
  VertexProgramme(const SuppressionProblem& problem, const std::vector<char>& usable,
                  WorkClock& clock);

  // `price` of each cell of the problem, for each unit of its change, above 0. On found `out` is a
  // certificate where all usable cells are hidden. `thorough`: branch and bound and a dive among
  // all cells are tried, too. The clock's exceptions pass.
  VertexEnd find(const WantedChange& wanted, const std::vector<double>& price, bool thorough,
                 Certificate& out);
  // Fractional vertices are kept for what is wanted next: dives may use the cells that they change.
  void forget_vertices() { seen_.assign(seen_.size(), 0); }
  bool has(std::uint32_t cell) const { return place_[cell] != kNone; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Limits {
    std::vector<std::int64_t> lower, upper;
  };

  void list_cells(const std::vector<char>& usable);
  void add_row(const LinearSystem& system, std::size_t row);
  bool narrow(const WantedChange& wanted, Limits& limits) const;
  bool accept(const std::vector<std::int64_t>& change, const WantedChange& wanted,
              Certificate& out) const;
  bool multiply(const std::vector<double>& change, const WantedChange& wanted,
                Certificate& out) const;
  void narrow_to_cheap(const WantedChange& wanted, const std::vector<double>& price,
                       Limits& limits) const;
  bool repair(const std::vector<double>& change, const WantedChange& wanted, const Limits& limits,
              Certificate& out);
  bool dive_for(const WantedChange& wanted, const Limits& limits, Certificate& out);
  VertexEnd find_anyhow(const WantedChange& wanted, const std::vector<double>& price,
                        const Limits& limits, Certificate& out);
  VertexEnd branch(const WantedChange& wanted, const Limits& limits,
                   const std::vector<double>& price, Certificate& out);

  const SuppressionProblem& problem_;
  WorkClock& clock_;
  RowsByCell rows_;
  std::vector<char> hidden_;          // what certificates may change
  std::vector<std::uint32_t> cell_;   // those that can change
  std::vector<std::uint32_t> place_;  // of each cell of the problem
  LinearSystem change_;               // unknown k: the change of cell_[k]
  LinearSystem both_;                 // unknown 2 k: its rise, 2 k + 1: its fall
  std::unique_ptr<RepairWalk> walk_;  // over change_
  std::vector<char> seen_;            // cells that a fractional vertex has changed
  PublicRandom random_{0};
};

}  // namespace sdclattice
