#include "hex/hex_redistribute.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_net.hpp"

namespace sdclattice {
namespace {

void carry_out(HexMap& map, const std::vector<HexMove>& moves) {
  for (const HexMove& m : moves) {
    map.count[m.from] -= m.amount;
    map.count[m.to] += m.amount;
  }
}

// Larger counts first, then position.
void sort_by_count(const HexMap& map, std::vector<std::uint32_t>& cells) {
  std::sort(cells.begin(), cells.end(), [&](std::uint32_t a, std::uint32_t b) {
    return map.count[a] != map.count[b] ? map.count[a] > map.count[b] : a < b;
  });
}

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

// A cluster in order of joining, that of the start cell first.
std::vector<std::uint32_t> grow_cluster(const HexMap& map, const HexIndex& index,
                                        std::uint32_t start, std::int64_t t) {
  std::vector<std::uint32_t> out{start};
  std::int64_t spare = map.count[start] - t;
  index.each_shell(start, [&](std::int64_t, const std::vector<std::uint32_t>& found) {
    std::vector<std::uint32_t> cells = found;
    sort_by_count(map, cells);
    for (std::size_t k = 0; k < cells.size() && spare < 0; ++k) {
      out.push_back(cells[k]);
      spare += map.count[cells[k]] - t;
    }
    return spare < 0;
  });
  if (spare < 0) throw InfeasibleError("The counts that may be given are too few.");
  return out;
}

std::vector<HexMove> level_cluster(const HexMap& map, const std::vector<std::uint32_t>& cluster,
                                   std::int64_t t, const Tick& tick) {
  std::vector<HexDonor> donors;
  std::vector<HexReceiver> receivers;
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    const std::uint32_t i = cluster[rank];
    const std::int64_t spare = map.count[i] - t;
    if (spare > 0) donors.push_back({i, spare, 0, static_cast<std::int64_t>(rank)});
    if (spare < 0) receivers.push_back({i, -spare});
  }
  return transport(map, donors, receivers, tick);
}

std::vector<std::uint32_t> sensitive_cells(const HexMap& map, std::int64_t t) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < map.size(); ++i)
    if (map.count[i] < t) out.push_back(i);
  return out;
}

std::vector<std::int64_t> needs(const HexMap& map, std::int64_t t) {
  std::vector<std::int64_t> out;
  for (std::int64_t c : map.count) out.push_back(std::max<std::int64_t>(0, t - c));
  return out;
}

// What each cell gives in rounds.
std::vector<std::int64_t> round_gifts(const HexMap& map, std::int64_t t,
                                      const std::vector<std::int64_t>& need, double most_nodes) {
  std::vector<std::int64_t> gift(map.size(), 0);
  std::vector<std::uint32_t> donors;
  for (std::uint32_t i = 0; i < map.size(); ++i)
    if (map.count[i] > t) donors.push_back(i);
  std::int64_t missing = std::accumulate(need.begin(), need.end(), std::int64_t{0});
  std::int64_t rounds = 0;  // of which all that are left took part
  while (!donors.empty() && missing >= static_cast<std::int64_t>(donors.size())) {
    std::int64_t least = map.count[donors[0]] - t;
    for (std::uint32_t i : donors) least = std::min(least, map.count[i] - t);
    const auto n = static_cast<std::int64_t>(donors.size());
    const std::int64_t more = std::min(least - rounds, missing / n);
    rounds += more;
    missing -= more * n;
    for (std::uint32_t i : donors) gift[i] = rounds;
    donors.erase(std::remove_if(donors.begin(), donors.end(),
                                [&](std::uint32_t i) { return map.count[i] - t == rounds; }),
                 donors.end());
  }
  if (missing == 0) return gift;
  if (donors.empty()) throw InfeasibleError("The counts that may be given are too few.");
  const std::vector<std::int64_t> far = distances_to_need(map, donors, need, most_nodes);
  std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> order;
  for (std::size_t k = 0; k < donors.size(); ++k)
    order.emplace_back(far[k], gift[donors[k]] - map.count[donors[k]], donors[k]);
  std::sort(order.begin(), order.end());
  for (std::int64_t k = 0; k < missing; ++k)
    ++gift[std::get<2>(order[static_cast<std::size_t>(k)])];
  return gift;
}

// The nearest cell that is neither marked nor this one; kNone without any.
std::pair<std::uint32_t, std::int64_t> nearest_unmarked(const HexIndex& index, std::uint32_t from,
                                                        const std::vector<bool>& marked) {
  std::pair<std::uint32_t, std::int64_t> out{HexIndex::kNone, 0};
  index.each_shell(from, [&](std::int64_t d, const std::vector<std::uint32_t>& found) {
    for (std::uint32_t j : found)
      if (!marked[j]) {
        out = {j, d};
        return false;
      }
    return true;
  });
  return out;
}

class ArcCollector {
 public:
  ArcCollector(const HexMap& map, std::int64_t t, double cost, std::size_t most)
      : map_(map), t_(t), cost_(cost), most_(most), index_(map), is_sensitive_(map.size()) {
    for (std::size_t i = 0; i < map.size(); ++i) is_sensitive_[i] = map.count[i] < t;
    out_.haven.assign(map.size(), HexIndex::kNone);
    out_.way.assign(map.size(), 0);
  }
  EmptyingArcs run(const Tick& tick) {
    const std::vector<std::uint32_t> cells = sensitive_cells(map_, t_);
    double longest = 0;
    for (std::uint32_t v : cells) {
      std::tie(out_.haven[v], out_.way[v]) = nearest_unmarked(index_, v, is_sensitive_);
      longest = std::max(longest, static_cast<double>(out_.way[v]));
    }
    for (std::uint32_t v : cells) {
      report(tick, 0);
      collect(v, longest);
    }
    return std::move(out_);
  }

 private:
  void collect(std::uint32_t v, double longest) {
    const bool all = out_.haven[v] == HexIndex::kNone;
    const double reach = static_cast<double>(t_ - 1) * static_cast<double>(out_.way[v]) + cost_;
    index_.each_shell(v, [&](std::int64_t d, const std::vector<std::uint32_t>& found) {
      const auto far = static_cast<double>(d);
      if (!all && far > reach + longest) return false;
      for (std::uint32_t i : found) {
        const bool gives = is_sensitive_[i] ? all || far <= reach + static_cast<double>(out_.way[i])
                                            : map_.count[i] > t_ && far <= reach;
        if (gives) add(i, v, d);
      }
      return true;
    });
  }
  void add(std::uint32_t from, std::uint32_t to, std::int64_t distance) {
    if (out_.from.size() >= most_) throw TooLargeError("There are too many pairs of cells.");
    out_.from.push_back(from);
    out_.to.push_back(to);
    out_.distance.push_back(distance);
  }

  const HexMap& map_;
  std::int64_t t_;
  double cost_;
  std::size_t most_;
  HexIndex index_;
  std::vector<bool> is_sensitive_;
  EmptyingArcs out_;
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

std::vector<HexMove> fill_locally(HexMap& map, std::int64_t t, HexOrder order, const Tick& tick) {
  const HexIndex index(map);
  std::vector<std::uint32_t> cells = sensitive_cells(map, t);
  const auto by_count = [&](std::uint32_t a, std::uint32_t b) {
    return order == HexOrder::smallest ? map.count[a] < map.count[b] : map.count[a] > map.count[b];
  };
  if (order != HexOrder::position) std::stable_sort(cells.begin(), cells.end(), by_count);
  std::vector<HexMove> out;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    report(tick, static_cast<double>(k) / static_cast<double>(cells.size()));
    if (map.count[cells[k]] >= t) continue;
    const std::vector<HexMove> moves =
        level_cluster(map, grow_cluster(map, index, cells[k], t), t, tick);
    carry_out(map, moves);
    out.insert(out.end(), moves.begin(), moves.end());
  }
  return out;
}

std::vector<HexMove> fill_globally(HexMap& map, std::int64_t t, double most_nodes,
                                   const Tick& tick) {
  const std::vector<std::int64_t> need = needs(map, t);
  const std::vector<HexMove> out =
      cheapest_moves(map, round_gifts(map, t, need, most_nodes), need, most_nodes, tick);
  carry_out(map, out);
  return out;
}

std::vector<HexMove> fill_optimally(HexMap& map, std::int64_t t, double most_nodes,
                                    const Tick& tick) {
  std::vector<std::int64_t> have;
  for (std::int64_t c : map.count) have.push_back(std::max<std::int64_t>(0, c - t));
  const std::vector<HexMove> out = cheapest_moves(map, have, needs(map, t), most_nodes, tick);
  carry_out(map, out);
  return out;
}

// A count of an emptied cell that no kept cell needs goes to the nearest cell that stays, so that
// giving it to a kept cell costs the difference only.
std::vector<HexMove> empty_and_fill(HexMap& map, std::int64_t t, const std::vector<bool>& emptied,
                                    const Tick& tick) {
  const HexIndex index(map);
  std::vector<HexDonor> donors;
  std::vector<HexReceiver> receivers;
  std::vector<std::uint32_t> nearest(map.size(), HexIndex::kNone);
  for (std::uint32_t i = 0; i < map.size(); ++i) {
    const std::int64_t c = map.count[i];
    if (emptied[i]) {
      std::int64_t way = 0;
      std::tie(nearest[i], way) = nearest_unmarked(index, i, emptied);
      if (nearest[i] == HexIndex::kNone) throw InfeasibleError("No cell is left.");
      donors.push_back({i, c, way, 0});
    } else if (c > t) {
      donors.push_back({i, c - t, 0, 0});
    } else if (c < t) {
      receivers.push_back({i, t - c});
    }
  }
  std::vector<HexMove> out = transport(map, donors, receivers, tick);
  carry_out(map, out);
  for (std::uint32_t i = 0; i < map.size(); ++i)
    if (emptied[i] && map.count[i] > 0) out.push_back({i, nearest[i], map.count[i]});
  for (std::uint32_t i = 0; i < map.size(); ++i)
    if (emptied[i]) {
      map.count[nearest[i]] += map.count[i];
      map.count[i] = 0;
    }
  tidy_moves(out);
  return out;
}

EmptyingArcs emptying_arcs(const HexMap& map, std::int64_t t, double cost, std::size_t most,
                           const Tick& tick) {
  return ArcCollector(map, t, cost, most).run(tick);
}

bool best_emptying(const HexMap& map, std::int64_t t, double cost, std::vector<bool>& emptied,
                   const Tick& tick) {
  const std::vector<std::uint32_t> cells = sensitive_cells(map, t);
  std::tuple<double, std::size_t> best;
  bool any = false;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << cells.size(); ++set) {
    std::vector<bool> marked(map.size(), false);
    std::size_t n = 0;
    for (std::size_t k = 0; k < cells.size(); ++k)
      if (set >> k & 1U) {
        marked[cells[k]] = true;
        ++n;
      }
    HexMap copy = map;
    try {
      const auto moved =
          static_cast<double>(total_distance(map, empty_and_fill(copy, t, marked, tick)));
      const std::tuple<double, std::size_t> now{moved + cost * static_cast<double>(n), n};
      if (any && now >= best) continue;
      best = now;
      any = true;
      emptied = marked;
    } catch (const InfeasibleError&) {
      continue;  // this choice leaves too little, or no cell at all
    }
  }
  return any;
}

std::int64_t total_distance(const HexMap& map, const std::vector<HexMove>& moves) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  std::int64_t out = 0;
  for (const HexMove& m : moves) {
    const std::int64_t d = map.distance(m.from, m.to);
    if (d > 0 && m.amount > (most - out) / d)
      throw TooLargeError("The total distance must not exceed 2^53.");
    out += d * m.amount;
  }
  return out;
}

}  // namespace sdclattice
