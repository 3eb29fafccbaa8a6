#include "release/admissible.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "table/small_counts.hpp"

namespace sdclattice {

namespace {

// The stored cells by the cell of a sub-table to which they belong.
struct Grouping {
  std::vector<std::uint32_t> group;  // of each stored cell
  std::uint32_t n_groups = 1;
};

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

// Depth first, each set before the sets that add a lower variable to it, lower ones first: this is
// the order of the numbers, in which every part of a set comes before the set. So a set is counted
// only when all its parts with one variable less are admissible. A set splits the groups of the one
// that it extends: O(stored cells) each, and a grouping in memory for each level of the search.
class AdmissibleSearch {
 public:
  AdmissibleSearch(const RiskCells& cells, std::int64_t beta, std::size_t limit, const Tick& tick,
                   const std::vector<SubTable>& forbidden)
      : cells_(cells),
        beta_(beta),
        limit_(limit),
        tick_(tick),
        forbidden_(forbidden),
        small_(cells, beta) {
    by_depth_.resize(cells.n_variables() + 1);
    by_depth_[0].group.assign(cells.cells().n, 0);
  }

  std::vector<SubTable> run() {
    if (cells_.total() >= beta_) extend(0, cells_.n_variables(), 0);
    return std::move(found_);
  }

 private:
  // Adds each variable below `end` to `set`, whose groups stand at `depth`.
  void extend(SubTable set, std::size_t end, std::size_t depth) {
    for (std::size_t v = 0; v < end; ++v) {
      const SubTable next = set | SubTable{1} << v;
      if (!may_be_admissible(next)) continue;
      if (depth == 0) done_ = static_cast<double>(v) / static_cast<double>(end);
      if (++n_counted_ % 64 == 0) report(tick_, done_);
      if (small_.found_in(next) || !split(depth, v)) continue;
      if (found_.size() == limit_)
        throw TooLargeError("There are more than " + std::to_string(limit_) +
                            " sub-tables that could be released.");
      found_.push_back(next);
      known_.insert(next);
      extend(next, v, depth + 1);
    }
  }

  bool may_be_admissible(SubTable set) const {
    if ((set & (set - 1)) != 0)
      for (SubTable left = set; left != 0; left &= left - 1)
        if (!known_.contains(set ^ (left & -left))) return false;
    return std::none_of(forbidden_.begin(), forbidden_.end(),
                        [set](SubTable f) { return (f & ~set) == 0; });
  }

  // The groups of the set with one variable more, at depth + 1; false when a cell at risk is in one
  // with too small a count.
  bool split(std::size_t depth, std::size_t variable) {
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
    const std::vector<std::uint32_t>& at_risk = cells_.at_risk();
    const auto small = std::find_if(at_risk.begin(), at_risk.end(), [&](std::uint32_t at) {
      return counts_[to.group[at]] < beta_;
    });
    if (small == at_risk.end()) return true;
    small_.remember(static_cast<std::size_t>(small - at_risk.begin()));
    return false;
  }

  const RiskCells& cells_;
  std::int64_t beta_;
  std::size_t limit_;
  const Tick& tick_;
  const std::vector<SubTable>& forbidden_;
  SmallCounts small_;
  std::vector<Grouping> by_depth_;
  std::vector<std::int64_t> counts_;
  std::vector<SubTable> found_;
  FlatSet known_;
  std::size_t n_counted_ = 0;
  double done_ = 0;
};

}  // namespace

std::vector<SubTable> admissible_sets(const RiskCells& cells, std::int64_t beta, std::size_t limit,
                                      const Tick& tick, const std::vector<SubTable>& forbidden) {
  return AdmissibleSearch(cells, beta, limit, tick, forbidden).run();
}

}  // namespace sdclattice
