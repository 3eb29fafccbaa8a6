#include "table/part_table.hpp"

#include <algorithm>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

SubTable as_mask(const VariableSet& set) {
  SubTable out = 0;
  for (std::uint32_t v : set) out |= SubTable{1} << v;
  return out;
}

VariableSet as_set(SubTable mask) {
  VariableSet out;
  for (std::uint32_t v = 0; mask != 0; ++v, mask >>= 1)
    if ((mask & 1) != 0) out.push_back(v);
  return out;
}

std::vector<SubTable> maximal_masks(std::vector<SubTable> sets) {
  std::stable_sort(sets.begin(), sets.end(),
                   [](SubTable a, SubTable b) { return set_size(a) > set_size(b); });
  std::vector<SubTable> out;
  for (SubTable set : sets)
    if (std::none_of(out.begin(), out.end(), [&](SubTable o) { return holds(o, set); }))
      out.push_back(set);
  return out;
}

double n_cells(const RiskCells& risk, SubTable set) {
  double n = 1;
  for (std::uint32_t v : as_set(set)) n *= risk.layout().n_levels(v);
  return n;
}

PartTable::PartTable(const RiskCells& risk, SubTable variables, std::size_t max_cells)
    : variables_(as_set(variables)) {
  const Layout& layout = risk.layout();
  if (n_cells(risk, variables) > static_cast<double>(max_cells))
    throw TooLargeError("A component of the release has too many cells.");
  std::size_t n = 1;
  for (std::uint32_t v : variables_) {
    strides_.push_back(n);
    levels_.push_back(layout.n_levels(v));
    n *= layout.n_levels(v);
  }
  assign_polled(counts_, n, std::int64_t{0});
  const auto number = [&](const std::uint64_t* key) {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      cell += layout.level(key, variables_[k]) * strides_[k];
    return cell;
  };
  const CellsView& cells = risk.cells();
  for (std::size_t i = 0; i < cells.n; ++i) {
    poll_at(i);
    counts_[number(cells.keys + i * layout.n_words())] +=
        static_cast<std::int64_t>(cells.counts[i]);
  }
  std::vector<std::size_t> of_risk;
  for (std::uint32_t at : risk.at_risk()) {
    poll_at(of_risk.size());
    of_risk.push_back(number(cells.keys + at * layout.n_words()));
  }
  asked_ = of_risk;
  std::size_t compared = 0;
  std::sort(asked_.begin(), asked_.end(), [&](std::size_t a, std::size_t b) {
    poll_at(++compared);
    return a < b;
  });
  asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
  for (std::size_t cell : of_risk) {
    poll_at(position_.size());
    position_.push_back(static_cast<std::uint32_t>(
        std::lower_bound(asked_.begin(), asked_.end(), cell) - asked_.begin()));
  }
}

SubTable PartTable::local(SubTable whole) const {
  SubTable out = 0;
  for (std::size_t k = 0; k < variables_.size(); ++k)
    if (has_variable(whole, variables_[k])) out |= SubTable{1} << k;
  return out;
}

std::size_t PartTable::place_in(SubTable set, std::size_t cell) const {
  std::size_t place = 0, stride = 1;
  for (std::size_t v = 0; v < levels_.size(); ++v) {
    if (!has_variable(set, v)) continue;
    place += level(cell, v) * stride;
    stride *= levels_[v];
  }
  return place;
}

std::vector<std::int64_t> PartTable::margin(SubTable set) const {
  std::size_t size = 1;
  std::vector<std::size_t> step(levels_.size(), 0);
  for (std::size_t v = 0; v < levels_.size(); ++v) {
    if (!has_variable(set, v)) continue;
    step[v] = size;
    size *= levels_[v];
  }
  std::vector<std::int64_t> out;
  assign_polled(out, size, std::int64_t{0});
  std::vector<std::uint32_t> at(levels_.size(), 0);
  std::size_t place = 0;
  for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
    poll_at(cell);
    out[place] += counts_[cell];
    for (std::size_t v = 0; v < levels_.size(); ++v) {
      place += step[v];
      if (++at[v] < levels_[v]) break;
      place -= step[v] * levels_[v];
      at[v] = 0;
    }
  }
  return out;
}

std::vector<std::int64_t> PartTable::margin_at_asked(SubTable set) const {
  const std::vector<std::int64_t> values = margin(set);
  std::vector<std::int64_t> out;
  out.reserve(asked_.size());
  for (std::size_t cell : asked_) {
    poll_at(16 * out.size());
    out.push_back(values[place_in(set, cell)]);
  }
  return out;
}

}  // namespace sdclattice
