// Sums of cells of a full table: each is named by a label for each variable, and a label holds some
// of the levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// A variable's labels: those of one level, and totals; and for each sum the label it names, or
// kAllLevels.
constexpr std::uint32_t kAllLevels = UINT32_MAX;
struct LabelledVariable {
  std::uint32_t n_levels = 0;
  std::vector<std::vector<std::uint32_t>> held;  // the levels of each label
  std::vector<std::uint32_t> label;              // of each sum
};

// The cells of each of n sums, first variable fastest: those of sum s are
// cell[start[s]], ..., cell[start[s + 1] - 1].
struct GroupSums {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> cell;
};
GroupSums expand_groups(const std::vector<LabelledVariable>& variables, std::size_t n);

}  // namespace sdclattice
