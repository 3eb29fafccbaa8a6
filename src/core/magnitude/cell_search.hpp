// Where the cells of a magnitude table lie, and which are near.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sdclattice {

enum class CellMetric { steps, hexagon, graph };

// Where the cells lie. steps: `n_axes` whole coordinates for each cell, and the number of steps
// along `open` axes (on the others neighbours are equal). hexagon: two axial coordinates. graph:
// pairs of neighbours.
struct CellMap {
  CellMetric metric = CellMetric::steps;
  std::size_t n_axes = 0;
  std::vector<std::int32_t> at;
  std::vector<std::uint8_t> open;
  std::vector<std::uint32_t> from, to;
};

// Finds the nearest cells on a map.
class CellSearch {
 public:
  using Accept = std::function<bool(std::uint32_t)>;
  using Key = std::function<std::int64_t(std::uint32_t)>;
  struct Found {
    std::uint32_t cell;
    std::int64_t distance;
  };

  // The map must live as long.
  CellSearch(const CellMap& map, std::size_t n_cells);

  // The accepted cell of least distance from `origin`, and among these of least key, then the
  // first. Returns whether there is one.
  bool nearest(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
               const Key& key, Found& found) const;

 private:
  bool by_layers(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
                 const Key& key, Found& found) const;
  bool by_scan(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
               const Key& key, Found& found) const;
  const std::int32_t* place(std::uint32_t c) const { return map_.at.data() + c * map_.n_axes; }
  std::int64_t distance(std::uint32_t a, std::uint32_t b) const;
  std::vector<std::vector<std::int32_t>> directions() const;
  void join_coordinates();

  const CellMap& map_;
  std::vector<std::vector<std::uint32_t>> next_;  // the neighbours of each cell, ascending
};

}  // namespace sdclattice
