// The unbounded lattice of hexagons, in axial coordinates, and the data cells of a map on it.
//
// A hexagon (q, r) touches (q +- 1, r), (q, r +- 1), (q + 1, r - 1) and (q - 1, r + 1). Nothing
// here grows with the area of the map: data cells are found by a hash of their coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/flat_map.hpp"

namespace sdclattice {

// The directions to the neighbours; d and d + 3 are opposite.
constexpr std::int64_t kHexStep[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};

// Coordinates are at most this far from 0, so that no distance overflows.
constexpr std::int64_t kHexReach = std::int64_t{1} << 40;

// Data cells by position: r ascending, then q ascending.
struct HexMap {
  std::vector<std::int64_t> q, r, count;

  std::size_t size() const { return count.size(); }
  std::int64_t distance(std::size_t i, std::size_t j) const;
};

// Least number of steps between two hexagons.
inline std::int64_t hex_distance(std::int64_t dq, std::int64_t dr) {
  const auto positive = [](std::int64_t x) { return x < 0 ? -x : x; };
  const std::int64_t a = positive(dq), b = positive(dr), c = positive(dq + dr);
  return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

inline std::int64_t HexMap::distance(std::size_t i, std::size_t j) const {
  return hex_distance(q[i] - q[j], r[i] - r[j]);
}

// Throws InputError unless the cells are in order of position, distinct and within reach, and their
// counts positive.
void check_hex_map(const HexMap& map);

// Finds data cells by coordinates, and the others by their distance from one of them.
class HexIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit HexIndex(const HexMap& map);
  // kNone where there is no data cell.
  std::uint32_t at(std::int64_t q, std::int64_t r) const;

  // Calls act(distance, cells) for growing distances at which there are other cells, in order of
  // position, until it returns false. Rings are walked as long as they are short beside the map.
  // What is left then is sorted.
  using Act = std::function<bool(std::int64_t, const std::vector<std::uint32_t>&)>;
  void each_shell(std::size_t from, const Act& act) const;

 private:
  void collect_ring(std::size_t from, std::int64_t distance,
                    std::vector<std::uint32_t>& cells) const;

  struct Slot {
    std::uint32_t cell = kNone;
    bool is_free() const { return cell == kNone; }
  };
  const Slot& slot(std::int64_t q, std::int64_t r) const;

  const HexMap& map_;
  FlatSlots<Slot, 2> cells_;
};

}  // namespace sdclattice
