// The margins of a sparse table at its cells at risk: what every search for a release asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

// A sub-table, by its variables: bit v stands for variable v.
using SubTable = std::uint64_t;
constexpr std::size_t kMaxSubTableVariables = 64;

// The fields of some variables in each word of a key.
std::vector<std::uint64_t> field_masks(const Layout& layout, SubTable set);

class RiskCells {
 public:
  // `at_risk`: positions among the stored cells, ascending. TooLargeError above 64 variables. The
  // cells are not copied: they must live as long.
  RiskCells(Layout layout, const CellsView& cells, std::vector<std::uint32_t> at_risk);

  std::size_t size() const { return at_risk_.size(); }
  std::size_t n_variables() const { return layout_.n_variables(); }
  SubTable all_variables() const;
  std::int64_t total() const { return total_; }
  // Some variable that the cells do not show is in no released sub-table: each cell may be empty,
  // and its lower bound is 0.
  bool may_be_empty() const { return may_be_empty_; }
  void let_be_empty() { may_be_empty_ = true; }
  std::int64_t count(std::size_t i) const { return counts_[i]; }
  std::int64_t least_count() const;
  const Layout& layout() const { return layout_; }
  const CellsView& cells() const { return cells_; }
  const std::vector<std::uint32_t>& at_risk() const { return at_risk_; }
  std::uint32_t level(std::size_t i, std::size_t variable) const {
    return layout_.level(cells_.keys + at_risk_[i] * layout_.n_words(), variable);
  }

  // The count of the margin over `set` at each cell at risk. O(stored cells).
  std::vector<std::int64_t> margin(SubTable set) const;

 private:
  Layout layout_;
  CellsView cells_;
  std::vector<std::uint32_t> at_risk_;
  std::vector<std::int64_t> counts_;
  std::int64_t total_ = 0;
  bool may_be_empty_ = false;
};

}  // namespace sdclattice
