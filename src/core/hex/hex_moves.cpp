#include "hex/hex_moves.hpp"

#include <algorithm>
#include <cassert>

#include "base/error.hpp"

namespace sdclattice {

void carry_out(HexMap& map, const std::vector<HexMove>& moves) {
  for (const HexMove& m : moves) {
    map.count[m.from] -= m.amount;
    map.count[m.to] += m.amount;
    assert(m.amount >= 0 && map.count[m.from] >= 0);
  }
}

void sort_by_count(const HexMap& map, std::vector<std::uint32_t>& cells) {
  std::sort(cells.begin(), cells.end(), [&](std::uint32_t a, std::uint32_t b) {
    return map.count[a] != map.count[b] ? map.count[a] > map.count[b] : a < b;
  });
}

std::vector<std::uint32_t> sensitive_cells(const HexMap& map, std::int64_t t) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < map.size(); ++i)
    if (map.count[i] < t) out.push_back(i);
  return out;
}

std::int64_t total_distance(const HexMap& map, const std::vector<HexMove>& moves) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  std::int64_t out = 0;
  for (const HexMove& m : moves) {
    const std::int64_t d = map.distance(m.from, m.to);
    if (d > 0 && m.amount > (kMost - out) / d)
      throw TooLargeError("The total distance must not exceed 2^53.");
    out += d * m.amount;
  }
  return out;
}

}  // namespace sdclattice
