#include "hex/hex_outliers.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "hex/hex_moves.hpp"

namespace sdclattice {

namespace {

std::vector<std::uint32_t> neighbours(const HexMap& map, const HexIndex& index, std::uint32_t i) {
  std::vector<std::uint32_t> out;
  for (const auto& step : kHexStep) {
    const std::uint32_t j = index.at(map.q[i] + step[0], map.r[i] + step[1]);
    if (j != HexIndex::kNone) out.push_back(j);
  }
  return out;
}

// Is every data cell but these further away than t?
bool is_remote(const HexIndex& index, const HexOutlier& cells, std::int64_t t) {
  bool remote = true;
  for (std::size_t k = 0; k < cells.size && remote; ++k)
    index.each_shell(cells.cell[k], [&](std::int64_t d, const std::vector<std::uint32_t>& found) {
      if (d > t) return false;
      for (std::uint32_t j : found)
        remote = remote && (j == cells.cell[0] || j == cells.cell[cells.size - 1]);
      return remote;
    });
  return remote;
}

// The cells that receive the counts of an outlier, nearest to this one of its cells first.
std::vector<std::uint32_t> outlier_targets(const HexMap& map, const HexIndex& index,
                                           const HexOutlier& outlier, std::uint32_t from,
                                           std::int64_t most) {
  std::vector<std::uint32_t> out;
  index.each_shell(from, [&](std::int64_t, const std::vector<std::uint32_t>& found) {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t j : found)
      if (map.count[j] > 0 && j != outlier.cell[0] && j != outlier.cell[outlier.size - 1])
        cells.push_back(j);
    sort_by_count(map, cells);
    out.insert(out.end(), cells.begin(), cells.end());
    return static_cast<std::int64_t>(out.size()) < most;
  });
  if (static_cast<std::int64_t>(out.size()) > most) out.resize(static_cast<std::size_t>(most));
  return out;
}

class OutlierQueue {
 public:
  OutlierQueue(HexMap& map, std::int64_t t)
      : map_(map), t_(t), index_(map), all_(find_outliers(map, t)), of_(map.size(), kNobody) {
    for (std::uint32_t k = 0; k < all_.size(); ++k) {
      for (std::size_t c = 0; c < all_[k].size; ++c) of_[all_[k].cell[c]] = k;
      queue_.insert(key(k));
    }
  }
  std::vector<HexMove> run() {
    while (!queue_.empty()) {
      const std::uint32_t k = std::get<2>(*queue_.begin());
      queue_.erase(queue_.begin());
      move_out(k);
    }
    return std::move(moves_);
  }

 private:
  using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  Key key(std::uint32_t k) const {
    std::int64_t total = 0;
    for (std::size_t c = 0; c < all_[k].size; ++c) total += map_.count[all_[k].cell[c]];
    return {total, all_[k].cell[0], k};
  }
  void move_out(std::uint32_t k) {
    const HexOutlier& outlier = all_[k];
    std::vector<std::uint32_t> cells(outlier.cell, outlier.cell + outlier.size);
    std::stable_sort(cells.begin(), cells.end(), [&](std::uint32_t a, std::uint32_t b) {
      return map_.count[a] < map_.count[b];
    });
    // counts before this outlier's moves decide
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> plan;
    for (std::uint32_t from : cells)
      plan.emplace_back(from, outlier_targets(map_, index_, outlier, from, map_.count[from]));
    for (const auto& p : plan) {
      const std::int64_t n = map_.count[p.first];
      const auto places = static_cast<std::int64_t>(p.second.size());
      for (std::int64_t i = 0; i < places; ++i)
        give(p.first, p.second[static_cast<std::size_t>(i)], (n - i + places - 1) / places);
    }
  }
  void give(std::uint32_t from, std::uint32_t to, std::int64_t amount) {
    const std::uint32_t k = of_[to];
    if (k != kNobody) queue_.erase(key(k));
    map_.count[from] -= amount;
    map_.count[to] += amount;
    moves_.push_back({from, to, amount});
    if (k == kNobody) return;
    const HexOutlier& o = all_[k];
    const bool still =
        std::all_of(o.cell, o.cell + o.size, [&](std::uint32_t i) { return map_.count[i] < t_; });
    if (still) {
      queue_.insert(key(k));
    } else {
      for (std::size_t c = 0; c < o.size; ++c) of_[o.cell[c]] = kNobody;
    }
  }

  HexMap& map_;
  std::int64_t t_;
  HexIndex index_;
  std::vector<HexOutlier> all_;
  std::vector<std::uint32_t> of_;  // of a cell: its outlier
  std::set<Key> queue_;
  std::vector<HexMove> moves_;
};

}  // namespace

std::vector<HexOutlier> find_outliers(const HexMap& map, std::int64_t t) {
  const HexIndex index(map);
  std::vector<HexOutlier> out;
  for (std::uint32_t i = 0; i < map.size(); ++i) {
    if (map.count[i] >= t) continue;
    const std::vector<std::uint32_t> near = neighbours(map, index, i);
    if (near.size() > 1 || (near.size() == 1 && (near[0] < i || map.count[near[0]] >= t))) continue;
    const HexOutlier candidate = near.empty() ? HexOutlier{{i, i}, 1} : HexOutlier{{i, near[0]}, 2};
    if (is_remote(index, candidate, t)) out.push_back(candidate);
  }
  return out;
}

std::vector<HexMove> redistribute_outliers(HexMap& map, std::int64_t t) {
  return OutlierQueue(map, t).run();
}

}  // namespace sdclattice
