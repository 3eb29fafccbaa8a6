// The hexagons around a map as a graph, and what flows on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// Rows of hexagons around a map, with a border of one hexagon that nothing enters. In a slanted
// grid columns are q, otherwise q + floor(r / 2).
class HexGrid {
 public:
  explicit HexGrid(const HexMap& map);
  // As a real number: it may exceed every whole one.
  double size() const { return static_cast<double>(width_) * static_cast<double>(height_); }
  std::size_t node(std::int64_t q, std::int64_t r) const;
  std::size_t width() const { return static_cast<std::size_t>(width_); }
  std::size_t height() const { return static_cast<std::size_t>(height_); }
  // What to add to a node in the given row (from 0) to come to its neighbour.
  std::int64_t step(std::size_t row, int direction) const {
    return steps_[(row + odd_start_) % 2][direction];
  }

 private:
  std::int64_t shift(std::int64_t r) const;

  bool slanted_ = true;
  std::int64_t r0_ = 0, column0_ = 0, width_ = 2, height_ = 2;
  std::size_t odd_start_ = 0;
  std::int64_t steps_[2][6] = {};
};

// Flow between neighbours, without limits. `have` and `need` of each cell are not both positive.
class HexNet {
 public:
  HexNet(const HexGrid& grid, const HexMap& map);

  std::size_t size() const { return row_.size(); }
  std::size_t node_of(std::size_t cell) const { return node_of_[cell]; }
  bool inside(std::size_t node) const { return row_[node] != kBorder; }
  std::size_t beside(std::size_t node, int direction) const {
    return static_cast<std::size_t>(static_cast<std::int64_t>(node) +
                                    grid_.step(row_[node], direction));
  }
  // What flows from a node to its neighbour, less what flows back.
  std::int64_t flow(std::size_t node, int d, std::size_t other) const {
    return d < 3 ? flow_[3 * node + static_cast<std::size_t>(d)]
                 : -flow_[3 * other + static_cast<std::size_t>(d - 3)];
  }
  void add_flow(std::size_t node, int d, std::size_t other, std::int64_t by) {
    if (d < 3) {
      flow_[3 * node + static_cast<std::size_t>(d)] += by;
    } else {
      flow_[3 * other + static_cast<std::size_t>(d - 3)] -= by;
    }
  }
  // The number of steps from each cell to the nearest of the marked ones, of which there is one.
  std::vector<std::int64_t> steps_to(const std::vector<bool>& marked) const;
  // Takes a flow without circles apart into moves, and ends without any flow. Amounts by node.
  std::vector<HexMove> moves(std::vector<std::int64_t> given, std::vector<std::int64_t> taken);

 private:
  struct Ends {
    std::vector<std::int64_t> given, taken;
    std::vector<std::uint32_t> cell;  // at a node
  };
  void take_apart(std::size_t from, Ends& ends, std::vector<HexMove>& out);

  static constexpr std::uint8_t kBorder = 2;

  const HexGrid& grid_;
  std::vector<std::uint8_t> row_;     // of a node: even or odd, or the border
  std::vector<std::int64_t> flow_;    // three directions of each node
  std::vector<std::size_t> node_of_;  // of a cell
};

// Is the grid worth going through? Beyond 1e9 hexagons it never is.
inline bool fits(const HexGrid& grid, double most_nodes) {
  return grid.size() <= (most_nodes < 1e9 ? most_nodes : 1e9);
}

// How far each of these cells is from the nearest one in need, of which there is one: by one search
// of the grid, or around each cell where the grid has more than `most_nodes` hexagons.
std::vector<std::int64_t> distances_to_need(const HexMap& map,
                                            const std::vector<std::uint32_t>& cells,
                                            const std::vector<std::int64_t>& need,
                                            double most_nodes);

}  // namespace sdclattice
