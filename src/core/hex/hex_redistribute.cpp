#include "hex/hex_redistribute.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_moves.hpp"
#include "hex/hex_net.hpp"

namespace sdclattice {

namespace {

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

}  // namespace

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

}  // namespace sdclattice
