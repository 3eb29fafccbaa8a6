// The generalized shuttle algorithm (Buzzigoli and Giusti 1999; Dobra and Fienberg).
//
// A super-cell has each variable at a level or collapsed; there are prod(k_i + 1) of them. For each
// super-cell with a collapsed variable v, it is the sum over the levels of v. Released super-cells
// are known; the limits of all others follow from those of their sums, over and over, until none
// changes. Lines whose sum is 0 are emptied once and never looked at again. The limits are outer.
// A sweep costs O(k prod(k_i + 1)) for k variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "bounds/released_margin.hpp"

namespace sdclattice {

class GeneralizedShuttle {
 public:
  // TooLargeError above max_super_cells; `has_room` says so beforehand.
  GeneralizedShuttle(const std::vector<std::uint32_t>& levels,
                     const std::vector<ReleasedMargin>& margins, std::size_t max_super_cells);
  static bool has_room(const std::vector<std::uint32_t>& levels, std::size_t max_super_cells);

  // False when the limits cross: there is no table. Stops after max_sweeps, with valid limits.
  bool run(std::size_t max_sweeps, const Tick& tick);
  std::size_t n_sweeps() const { return n_sweeps_; }

  // Of a super-cell: 0-based levels, the number of levels for a collapsed variable.
  std::size_t place(const std::vector<std::uint32_t>& levels) const;
  std::int64_t lower(std::size_t place) const { return lower_[place]; }
  std::int64_t upper(std::size_t place) const { return upper_[place]; }
  const std::vector<std::size_t>& stride() const { return stride_; }

 private:
  void release(const ReleasedMargin& margin);
  bool sweep_variable(std::size_t v, bool& changed);
  bool narrow_line(std::size_t first, std::size_t v, bool& changed);
  bool cap(std::size_t place, std::int64_t limit);
  bool raise(std::size_t place, std::int64_t limit);

  std::vector<std::uint32_t> levels_;
  std::vector<std::size_t> stride_;
  std::vector<std::int64_t> lower_, upper_;
  std::vector<std::vector<bool>> settled_;  // for each variable its lines, by their first place
  std::size_t n_sweeps_ = 0;
};

}  // namespace sdclattice
