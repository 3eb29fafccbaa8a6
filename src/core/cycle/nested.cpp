#include "cycle/nested.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

std::vector<std::size_t> block_dim(const std::vector<std::size_t>& dim, const Block& block) {
  if (block.size() != dim.size()) throw InputError("A block must have levels in each dimension.");
  std::vector<std::size_t> out;
  for (std::size_t v = 0; v < dim.size(); ++v) {
    std::vector<std::int32_t> levels = block[v];
    std::sort(levels.begin(), levels.end());
    const bool fits = !levels.empty() && levels.front() >= 0 &&
                      static_cast<std::size_t>(levels.back()) < dim[v] &&
                      std::adjacent_find(levels.begin(), levels.end()) == levels.end();
    if (!fits) throw InputError("A block must hold levels of the table, each once.");
    out.push_back(levels.size());
  }
  return out;
}

namespace {

// The cell of the whole table for each cell of a block.
std::vector<std::int32_t> cells_of(const std::vector<std::size_t>& dim, const Block& block) {
  std::vector<std::int32_t> cells{0};
  std::size_t stride = 1;
  for (std::size_t v = 0; v < dim.size(); ++v) {
    std::vector<std::int32_t> longer;
    longer.reserve(cells.size() * block[v].size());
    for (const std::int32_t level : block[v]) {
      for (const std::int32_t cell : cells)
        longer.push_back(static_cast<std::int32_t>(cell + level * stride));
    }
    cells = std::move(longer);
    stride *= dim[v];
  }
  return cells;
}

// Written down where it was 0, 1, ...
void write_cover(CycleSet& cycles) {
  if (!cycles.cover.empty()) return;
  for (std::size_t c = 0; c < cycles.size(); ++c)
    cycles.cover.push_back(static_cast<std::int32_t>(c));
}

void append_cover(const CycleSet& of_block, CycleSet& cycles) {
  if (of_block.cover.empty() && cycles.cover.empty()) return;
  const std::int32_t first = static_cast<std::int32_t>(cycles.size());
  write_cover(cycles);
  CycleSet block = of_block;
  write_cover(block);
  for (const std::int32_t c : block.cover) cycles.cover.push_back(first + c);
}

}  // namespace

void append_block(const std::vector<std::size_t>& dim, const Block& block, const CycleSet& of_block,
                  CycleSet& cycles) {
  if (cycles.size() > 0 && cycles.skips_zeros() != of_block.skips_zeros())
    throw InputError("All blocks must skip zeros, or none.");
  const std::vector<std::int32_t> cells = cells_of(dim, block);
  append_cover(of_block, cycles);
  const std::int32_t first = static_cast<std::int32_t>(cycles.size());
  for (const std::int32_t next : of_block.next) cycles.next.push_back(next < 0 ? -1 : first + next);
  for (std::size_t c = 0; c < of_block.size(); ++c) {
    for (std::size_t i = of_block.start[c]; i < of_block.start[c + 1]; ++i)
      cycles.add(cells[of_block.cell[i]], of_block.coef[i]);
    cycles.close();
  }
}

// Changed totals. The entries of a cycle are added up by the combinations of nodes that hold their
// cells, as sorted numbers of mixed radix. The tests compare with sums over dense arrays.
namespace {

using Sum = std::pair<std::uint64_t, std::int64_t>;

void check_lists(const NodeLists& lists, std::size_t n_levels, std::size_t n_nodes) {
  const bool fits = lists.start.size() == n_levels + 1 && lists.start.front() == 0 &&
                    std::is_sorted(lists.start.begin(), lists.start.end()) &&
                    static_cast<std::size_t>(lists.start.back()) == lists.node.size() &&
                    std::all_of(lists.node.begin(), lists.node.end(), [&](std::int32_t node) {
                      return node >= 0 && static_cast<std::size_t>(node) < n_nodes;
                    });
  if (!fits) throw InputError("The nodes of a crossing must hold the levels of the table.");
}

// Whether each level stands in its own list, where it comes first.
bool holds_levels(const NodeLists& lists) {
  for (std::size_t l = 0; l + 1 < lists.start.size(); ++l) {
    const std::int32_t at = lists.start[l];
    if (at == lists.start[l + 1] || lists.node[at] != static_cast<std::int32_t>(l)) return false;
  }
  return true;
}

class Totals {
 public:
  Totals(const std::vector<std::size_t>& dim, const std::vector<std::size_t>& n_nodes,
         const NodeCrossing& crossing)
      : dim_(dim), crossing_(crossing) {
    if (crossing.size() != dim.size() || n_nodes.size() != dim.size())
      throw InputError("A crossing must have nodes of each dimension.");
    std::uint64_t size = 1;
    for (std::size_t v = 0; v < dim.size(); ++v) {
      check_lists(crossing[v], dim[v], n_nodes[v]);
      radix_.push_back(size);
      if (n_nodes[v] > std::numeric_limits<std::uint64_t>::max() / size)
        throw TooLargeError("The published cells cannot be numbered.");
      size *= n_nodes[v];
    }
    complete_ = std::all_of(crossing.begin(), crossing.end(), holds_levels);
  }

  // Adds the totals that hold the cell.
  void add(std::int32_t cell, std::int64_t by, std::vector<Sum>& sums) const {
    std::vector<std::size_t> level(dim_.size());
    std::size_t rest = static_cast<std::size_t>(cell);
    for (std::size_t v = 0; v < dim_.size(); ++v) {
      level[v] = rest % dim_[v];
      rest /= dim_[v];
    }
    if (complete_)
      add_single(level, by, sums);
    else
      add_all(level, 0, 0, false, by, sums);
  }

  std::vector<std::int32_t> nodes_of(std::uint64_t key) const {
    std::vector<std::int32_t> out(dim_.size());
    for (std::size_t v = dim_.size(); v-- > 0;) {
      out[v] = static_cast<std::int32_t>(key / radix_[v]);
      key %= radix_[v];
    }
    return out;
  }

 private:
  // Totals over one dimension: an inner node there, levels elsewhere.
  void add_single(const std::vector<std::size_t>& level, std::int64_t by,
                  std::vector<Sum>& sums) const {
    std::uint64_t leaf = 0;
    for (std::size_t v = 0; v < dim_.size(); ++v) leaf += radix_[v] * level[v];
    for (std::size_t v = 0; v < dim_.size(); ++v) {
      const NodeLists& lists = crossing_[v];
      for (std::int32_t i = lists.start[level[v]] + 1; i < lists.start[level[v] + 1]; ++i) {
        const std::uint64_t node = static_cast<std::uint64_t>(lists.node[i]);
        sums.emplace_back(leaf + radix_[v] * (node - level[v]), by);
      }
    }
  }

  void add_all(const std::vector<std::size_t>& level, std::size_t v, std::uint64_t key, bool total,
               std::int64_t by, std::vector<Sum>& sums) const {
    if (v == dim_.size()) {
      if (total) sums.emplace_back(key, by);
      return;
    }
    const NodeLists& lists = crossing_[v];
    for (std::int32_t i = lists.start[level[v]]; i < lists.start[level[v] + 1]; ++i) {
      const std::uint64_t node = static_cast<std::uint64_t>(lists.node[i]);
      add_all(level, v + 1, key + radix_[v] * node, total || node >= dim_[v], by, sums);
    }
  }

  const std::vector<std::size_t>& dim_;
  const NodeCrossing& crossing_;
  std::vector<std::uint64_t> radix_;
  bool complete_ = false;
};

// The sums other than 0 of one cycle in one crossing.
std::vector<Sum> sums_of(const CycleSet& cycles, std::size_t c, const Totals& totals) {
  std::vector<Sum> all, out;
  for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i)
    totals.add(cycles.cell[i], cycles.coef[i], all);
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size();) {
    Sum sum{all[i].first, 0};
    for (; i < all.size() && all[i].first == sum.first; ++i) sum.second += all[i].second;
    if (sum.second != 0) out.push_back(sum);
  }
  return out;
}

}  // namespace

std::vector<ChangedTotal> changed_totals(const CycleSet& cycles,
                                         const std::vector<std::size_t>& dim,
                                         const std::vector<std::size_t>& n_nodes,
                                         const std::vector<NodeCrossing>& crossings,
                                         bool first_cycle, std::size_t limit, const Tick& tick) {
  std::vector<Totals> totals;
  for (const NodeCrossing& crossing : crossings) totals.emplace_back(dim, n_nodes, crossing);
  std::vector<ChangedTotal> out;
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    if (c % 65536 == 0) report(tick, double(c) / double(cycles.size()));
    std::vector<Sum> changed;
    for (const Totals& each : totals) {
      const std::vector<Sum> some = sums_of(cycles, c, each);
      changed.insert(changed.end(), some.begin(), some.end());
    }
    // a total may stand in two crossings
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    if (out.size() + changed.size() > limit)
      throw TooLargeError("The cycles change too many totals to be listed.");
    for (const Sum& sum : changed) out.push_back({c, totals[0].nodes_of(sum.first), sum.second});
    if (first_cycle && !out.empty()) break;
  }
  return out;
}

}  // namespace sdclattice
