#include "hex/hex_grid.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

void check_hex_map(const HexMap& map) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map.q[i] > kHexReach || map.q[i] < -kHexReach || map.r[i] > kHexReach ||
        map.r[i] < -kHexReach)
      throw InputError("Axial coordinates must be within 2^40 of 0.");
    if (map.count[i] <= 0) throw InputError("Data cells must have positive counts.");
    if (i > 0 && std::make_pair(map.r[i - 1], map.q[i - 1]) >= std::make_pair(map.r[i], map.q[i]))
      throw InputError("Data cells must be distinct and in order of position.");
  }
}

namespace {

// The upper bits of such a sum spread the neighbours of a grid evenly.
std::uint64_t hash_position(std::int64_t q, std::int64_t r) {
  return static_cast<std::uint64_t>(q) * 0x9e3779b97f4a7c15u +
         static_cast<std::uint64_t>(r) * 0xc2b2ae3d27d4eb4fu;
}

}  // namespace

HexIndex::HexIndex(const HexMap& map) : map_(map), cells_(map.size()) {
  const auto hash = [&map](const Slot& slot) {
    return hash_position(map.q[slot.cell], map.r[slot.cell]);
  };
  for (std::size_t i = 0; i < map.size(); ++i)
    cells_.fill(slot(map.q[i], map.r[i]), {static_cast<std::uint32_t>(i)}, hash);
  assert(cells_.size() == map.size());
}

// Where a hexagon is, or could be put.
const HexIndex::Slot& HexIndex::slot(std::int64_t q, std::int64_t r) const {
  return cells_.find(hash_position(q, r), [&](const Slot& slot) {
    return map_.q[slot.cell] == q && map_.r[slot.cell] == r;
  });
}

std::uint32_t HexIndex::at(std::int64_t q, std::int64_t r) const {
  return slot(q, r).cell;
}

void HexIndex::collect_ring(std::size_t from, std::int64_t distance,
                            std::vector<std::uint32_t>& cells) const {
  cells.clear();
  std::int64_t q = map_.q[from] + distance * kHexStep[4][0];
  std::int64_t r = map_.r[from] + distance * kHexStep[4][1];
  for (const auto& step : kHexStep)
    for (std::int64_t k = 0; k < distance; ++k) {
      // from the corner in direction 4, direction 0 comes first on the way around
      const std::uint32_t found = at(q, r);
      if (found != kNone) cells.push_back(found);
      q += step[0];
      r += step[1];
    }
  std::sort(cells.begin(), cells.end());
}

void HexIndex::each_shell(std::size_t from, const Act& act) const {
  const auto budget = static_cast<std::int64_t>(2 * map_.size());
  std::vector<std::uint32_t> cells;
  std::size_t left = map_.size() - 1;
  std::int64_t distance = 1;
  for (; left > 0 && 3 * distance * (distance + 1) <= budget; ++distance) {
    collect_ring(from, distance, cells);
    left -= cells.size();
    if (!cells.empty() && !act(distance, cells)) return;
  }
  if (left == 0) return;
  std::vector<std::pair<std::int64_t, std::uint32_t>> rest;
  for (std::size_t i = 0; i < map_.size(); ++i) {
    const std::int64_t d = map_.distance(from, i);
    if (d >= distance) rest.emplace_back(d, static_cast<std::uint32_t>(i));
  }
  // a heap gives the nearest first without sorting what is never asked for
  std::make_heap(rest.begin(), rest.end(), std::greater<>());
  while (!rest.empty()) {
    const std::int64_t d = rest.front().first;
    cells.clear();
    while (!rest.empty() && rest.front().first == d) {
      std::pop_heap(rest.begin(), rest.end(), std::greater<>());
      cells.push_back(rest.back().second);
      rest.pop_back();
    }
    if (!act(d, cells)) return;
  }
}

}  // namespace sdclattice
