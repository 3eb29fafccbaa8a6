// The tables of any small system of linear constraints, as the paths of a layered diagram.
//
// What is counted. Cells are taken one after the other. A node of layer t stands for all beginnings
// of t cells that leave the same sums in the rows that still have cells to come; where neither
// limit of a row can be broken any more, its sum is forgotten. An arc is a value of the next cell.
// The recurrence. The number of endings of a node is the sum over its arcs of that of their ends;
// a row whose last cell was taken must hold its limits.
// Why it is right. Whether an ending fits depends on the open sums only, so beginnings with the
// same sums have the same endings; values that put a row out of reach of its limits are left out.
// What it costs. Nodes and arcs: the products over the open rows of the sums they can have, so the
// order of the cells counts; it is chosen greedily to close rows early. Agrees with twoway.hpp and
// with brute force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fibre/fibre_part.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

class Diagram : public FibrePart {
 public:
  // All cells of the part start at 0 and have upper limits, and every row has a cell. Throws
  // TooLargeError when nodes and arcs exceed the limit.
  Diagram(const LinearSystem& part, const FibreLimits& limits, const Tick& tick);

  BigCount count(const Tick& tick) override;
  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) override;
  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) override;
  // Each table once.
  void enumerate(const std::function<void(const std::vector<std::int64_t>&)>& visit) const;

 private:
  // The nodes of a layer; the arcs of node i lead to child[first_arc[i]], ..., by the values
  // first_value[i], first_value[i] + 1, ... of the cell.
  struct Layer {
    std::uint32_t cell;
    std::vector<std::uint64_t> first_arc;
    std::vector<std::int64_t> first_value;
    std::vector<std::uint32_t> child;
    std::vector<BigCount> endings;  // of each node
    std::size_t n_nodes() const { return first_value.size(); }
  };

  void walk(std::size_t t, std::uint32_t node, std::vector<std::int64_t>& x,
            const std::function<void(const std::vector<std::int64_t>&)>& visit) const;
  const BigCount& endings(std::size_t t, std::uint32_t node) const;

  std::vector<Layer> layer_;
  std::size_t n_cells_ = 0;
  BigCount one_ = 1, none_ = 0;
};

}  // namespace sdclattice
