#include "release/cell_groups.hpp"

#include <algorithm>

#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

// Numbers pairs (group, level) in the order in which they come: an array where that is small beside
// the number of cells, else a hash table.
class PairNumbers {
 public:
  PairNumbers(std::uint64_t n_pairs, std::size_t n_cells)
      : by_pair_(n_pairs <= 8 * n_cells + 1024 ? static_cast<std::size_t>(n_pairs) : 0, kFree),
        sparse_(by_pair_.empty() ? n_cells : 0) {}

  std::uint32_t number(std::uint64_t pair) {
    if (by_pair_.empty()) {
      const auto [id, is_new] = sparse_.try_emplace(pair, size_);
      size_ += is_new;
      return *id;
    }
    std::uint32_t& id = by_pair_[static_cast<std::size_t>(pair)];
    if (id == kFree) id = size_++;
    return id;
  }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  std::vector<std::uint32_t> by_pair_;
  FlatMap<std::uint32_t, kFree> sparse_;
  std::uint32_t size_ = 0;
};

}  // namespace

CellGroups::CellGroups(const RiskCells& cells) : cells_(cells) {
  by_depth_.resize(cells.n_variables() + 1);
  by_depth_[0].group.assign(cells.cells().n, 0);
}

void CellGroups::split(std::size_t depth, std::size_t variable) {
  const Layout& layout = cells_.layout();
  const CellsView& stored = cells_.cells();
  const KeyField& field = layout.field(variable);
  const std::uint64_t n_levels = layout.n_levels(variable);
  const Grouping& from = by_depth_[depth];
  Grouping& to = by_depth_[depth + 1];
  PairNumbers pairs(from.n_groups * n_levels, stored.n);
  to.group.resize(stored.n);
  counts_.clear();
  const std::uint64_t* word = stored.keys + field.word;
  for (std::size_t i = 0; i < stored.n; ++i, word += layout.n_words()) {
    const std::uint64_t level = (*word >> field.shift) & field.mask;
    const std::uint32_t id = pairs.number(from.group[i] * n_levels + level);
    if (id == counts_.size()) counts_.push_back(0);
    counts_[id] += static_cast<std::int64_t>(stored.counts[i]);
    to.group[i] = id;
  }
  to.n_groups = pairs.size();
  last_ = depth + 1;
}

std::size_t CellGroups::first_small(std::int64_t beta) const {
  const std::vector<std::uint32_t>& at_risk = cells_.at_risk();
  const std::vector<std::uint32_t>& group = by_depth_[last_].group;
  const auto small = std::find_if(at_risk.begin(), at_risk.end(),
                                  [&](std::uint32_t at) { return counts_[group[at]] < beta; });
  return static_cast<std::size_t>(small - at_risk.begin());
}

}  // namespace sdclattice
