#include "table/risk_cells.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

std::vector<std::uint64_t> field_masks(const Layout& layout, SubTable set) {
  std::vector<std::uint64_t> out(layout.n_words(), 0);
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    if ((set >> v & 1) == 0) continue;
    const KeyField& f = layout.field(v);
    out[f.word] |= f.mask << f.shift;
  }
  return out;
}

RiskCells::RiskCells(Layout layout, const CellsView& cells, std::vector<std::uint32_t> at_risk)
    : layout_(std::move(layout)), cells_(cells), at_risk_(std::move(at_risk)) {
  if (layout_.n_variables() > kMaxSubTableVariables)
    throw TooLargeError("The search for releases supports at most 64 variables.");
  if (cells.n >= UINT32_MAX)
    throw TooLargeError("The search for releases supports fewer than 2^32 - 1 stored cells.");
  assert(std::is_sorted(at_risk_.begin(), at_risk_.end()));
  assert(at_risk_.empty() || at_risk_.back() < cells.n);
  counts_.reserve(at_risk_.size());
  for (std::uint32_t at : at_risk_) counts_.push_back(static_cast<std::int64_t>(cells.counts[at]));
  for (std::size_t i = 0; i < cells.n; ++i) total_ += static_cast<std::int64_t>(cells.counts[i]);
}

SubTable RiskCells::all_variables() const {
  return n_variables() == 64 ? ~SubTable{0} : (SubTable{1} << n_variables()) - 1;
}

std::int64_t RiskCells::least_count() const {
  return counts_.empty() ? 0 : *std::min_element(counts_.begin(), counts_.end());
}

std::vector<std::int64_t> RiskCells::margin(SubTable set) const {
  const std::vector<std::uint64_t> masks = field_masks(layout_, set);
  std::vector<std::uint32_t> id(cells_.n);
  std::vector<std::int64_t> sums;
  with_width(masks.size(), [&](auto width) {
    KeyNumbers<decltype(width)> margin_cells(width, 0, cells_.n);
    std::vector<std::uint64_t> key(width);
    for (std::size_t i = 0; i < cells_.n; ++i) {
      poll_at(i);
      for (std::size_t w = 0; w < width; ++w) key[w] = cells_.keys[i * width + w] & masks[w];
      id[i] = margin_cells.number(key.data());
      if (id[i] == sums.size()) sums.push_back(0);
      sums[id[i]] += static_cast<std::int64_t>(cells_.counts[i]);
    }
  });
  std::vector<std::int64_t> out;
  out.reserve(size());
  for (std::uint32_t at : at_risk_) out.push_back(sums[id[at]]);
  return out;
}

}  // namespace sdclattice
