#include "release/admissible.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "release/cell_groups.hpp"
#include "table/small_counts.hpp"

namespace sdclattice {

namespace {

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
        small_(cells, beta),
        groups_(cells) {}

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
    groups_.split(depth, variable);
    const std::size_t small = groups_.first_small(beta_);
    if (small == cells_.size()) return true;
    small_.remember(small);
    return false;
  }

  const RiskCells& cells_;
  std::int64_t beta_;
  std::size_t limit_;
  const Tick& tick_;
  const std::vector<SubTable>& forbidden_;
  SmallCounts small_;
  CellGroups groups_;
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
