#include "sets/groups.hpp"

namespace sdclattice {

namespace {

std::size_t held_by(const LabelledVariable& variable, std::size_t sum) {
  const std::uint32_t label = variable.label[sum];
  return label == kAllLevels ? variable.n_levels : variable.held[label].size();
}

}  // namespace

GroupSums expand_groups(const std::vector<LabelledVariable>& variables, std::size_t n) {
  GroupSums out;
  for (std::size_t s = 0; s < n; ++s) {
    std::size_t size = 1;
    for (const LabelledVariable& variable : variables) size *= held_by(variable, s);
    out.start.push_back(out.start.back() + size);
  }
  out.cell.reserve(out.start.back());
  // The cells over the variables so far, all of them once for each level of the next: the last
  // variable is taken first, so that the first ends up fastest.
  std::vector<std::uint32_t> cells, next;
  for (std::size_t s = 0; s < n; ++s) {
    cells.assign(1, 0);
    for (std::size_t v = variables.size(); v-- > 0;) {
      const LabelledVariable& variable = variables[v];
      const std::uint32_t label = variable.label[s];
      next.clear();
      for (std::uint32_t cell : cells) {
        const std::uint32_t base = cell * variable.n_levels;
        if (label == kAllLevels)
          for (std::uint32_t level = 0; level < variable.n_levels; ++level)
            next.push_back(base + level);
        else
          for (std::uint32_t level : variable.held[label]) next.push_back(base + level);
      }
      cells.swap(next);
    }
    out.cell.insert(out.cell.end(), cells.begin(), cells.end());
  }
  return out;
}

}  // namespace sdclattice
