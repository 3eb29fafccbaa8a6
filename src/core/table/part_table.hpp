// The table over a few variables of a sparse one, laid out, with what is asked of it: the cells
// that the cells at risk of the whole table fall into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "sets/chordal.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

inline bool holds(SubTable whole, SubTable part) {
  return (part & ~whole) == 0;
}
inline bool has_variable(SubTable set, std::size_t v) {
  return (set >> v & 1) != 0;
}
// How many variables a set has.
inline std::size_t set_size(SubTable set) {
  return static_cast<std::size_t>(count_bits(set));
}
SubTable as_mask(const VariableSet& set);
VariableSet as_set(SubTable mask);
std::vector<SubTable> maximal_masks(std::vector<SubTable> sets);  // each once
double n_cells(const RiskCells& risk, SubTable set);              // rounded above 2^53

class PartTable {
 public:
  // TooLargeError above max_cells cells. Variables are numbered anew, in their order.
  PartTable(const RiskCells& risk, SubTable variables, std::size_t max_cells);

  std::size_t n_variables() const { return levels_.size(); }
  const std::vector<std::uint32_t>& levels() const { return levels_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  std::size_t stride(std::size_t v) const { return strides_[v]; }
  std::uint32_t level(std::size_t cell, std::size_t v) const {
    return static_cast<std::uint32_t>(cell / strides_[v] % levels_[v]);
  }
  // A set of variables of the whole table as one of this, without those that it lacks.
  SubTable local(SubTable whole) const;

  // The cells asked about, ascending, and for each cell at risk the position of its own.
  const std::vector<std::size_t>& asked() const { return asked_; }
  const std::vector<std::uint32_t>& position() const { return position_; }

  // The margin over some variables, the first fastest; and where each cell falls in it.
  std::vector<std::int64_t> margin(SubTable set) const;
  std::size_t place_in(SubTable set, std::size_t cell) const;
  // The margin at the cells asked about.
  std::vector<std::int64_t> margin_at_asked(SubTable set) const;

 private:
  std::vector<std::uint32_t> levels_;
  std::vector<std::size_t> strides_;
  std::vector<std::uint32_t> variables_;
  std::vector<std::int64_t> counts_;
  std::vector<std::size_t> asked_;
  std::vector<std::uint32_t> position_;
};

}  // namespace sdclattice
