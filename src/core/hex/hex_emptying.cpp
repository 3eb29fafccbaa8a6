#include "hex/hex_emptying.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "hex/hex_moves.hpp"

namespace sdclattice {

namespace {

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

}  // namespace sdclattice
