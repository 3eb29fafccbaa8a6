#include "hex/hex_net.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace sdclattice {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

std::int64_t floor_half(std::int64_t x) {
  return x >= 0 ? x / 2 : -((1 - x) / 2);
}

}  // namespace

HexGrid::HexGrid(const HexMap& map) {
  if (map.size() == 0) return;
  std::int64_t low[2] = {kNoEnd, kNoEnd}, high[2] = {-kNoEnd, -kNoEnd};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::int64_t column[2] = {map.q[i], map.q[i] + floor_half(map.r[i])};
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], column[k]);
      high[k] = std::max(high[k], column[k]);
    }
  }
  slanted_ = high[0] - low[0] <= high[1] - low[1];
  const int k = slanted_ ? 0 : 1;
  // a margin of one hexagon: the border
  r0_ = map.r.front() - 1;
  column0_ = low[k] - 1;
  width_ = high[k] - low[k] + 3;
  height_ = map.r.back() - map.r.front() + 3;
  odd_start_ = static_cast<std::size_t>(r0_ - 2 * floor_half(r0_));
  for (std::int64_t odd = 0; odd < 2; ++odd)
    for (int d = 0; d < 6; ++d) {
      const std::int64_t dr = kHexStep[d][1];
      steps_[odd][d] = dr * width_ + kHexStep[d][0] + shift(odd + dr) - shift(odd);
    }
}

std::int64_t HexGrid::shift(std::int64_t r) const {
  return slanted_ ? 0 : floor_half(r);
}

std::size_t HexGrid::node(std::int64_t q, std::int64_t r) const {
  return static_cast<std::size_t>((r - r0_) * width_ + q + shift(r) - column0_);
}

HexNet::HexNet(const HexGrid& grid, const HexMap& map) : grid_(grid) {
  const std::size_t n = grid.width() * grid.height();
  row_.assign(n, kBorder);
  for (std::size_t y = 1; y + 1 < grid.height(); ++y)
    for (std::size_t x = 1; x + 1 < grid.width(); ++x)
      row_[y * grid.width() + x] = static_cast<std::uint8_t>(y % 2);
  flow_.assign(3 * n, 0);
  for (std::size_t i = 0; i < map.size(); ++i) node_of_.push_back(grid.node(map.q[i], map.r[i]));
}

std::vector<std::int64_t> HexNet::steps_to(const std::vector<bool>& marked) const {
  std::vector<std::int64_t> steps(size(), -1);
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < node_of_.size(); ++i)
    if (marked[i]) {
      steps[node_of_[i]] = 0;
      seen.push_back(node_of_[i]);
    }
  for (std::size_t k = 0; k < seen.size(); ++k)
    for (int d = 0; d < 6; ++d) {
      const std::size_t w = beside(seen[k], d);
      if (!inside(w) || steps[w] >= 0) continue;
      steps[w] = steps[seen[k]] + 1;
      seen.push_back(w);
    }
  std::vector<std::int64_t> out;
  for (std::size_t v : node_of_) out.push_back(steps[v]);
  return out;
}

// Follows what flows from a donor until it ends.
void HexNet::take_apart(std::size_t from, Ends& ends, std::vector<HexMove>& out) {
  std::vector<std::size_t> path;
  std::vector<int> steps;
  while (ends.given[node_of_[from]] > 0) {
    path.assign(1, node_of_[from]);
    steps.clear();
    std::int64_t by = ends.given[path.back()];
    while (ends.taken[path.back()] == 0) {
      const std::size_t v = path.back();
      int step = 0;
      while (!inside(beside(v, step)) || flow(v, step, beside(v, step)) <= 0) ++step;
      assert(step < 6);
      by = std::min(by, flow(v, step, beside(v, step)));
      steps.push_back(step);
      path.push_back(beside(v, step));
    }
    by = std::min(by, ends.taken[path.back()]);
    for (std::size_t k = 0; k < steps.size(); ++k) add_flow(path[k], steps[k], path[k + 1], -by);
    ends.given[path.front()] -= by;
    ends.taken[path.back()] -= by;
    out.push_back({static_cast<std::uint32_t>(from), ends.cell[path.back()], by});
  }
}

std::vector<HexMove> HexNet::moves(std::vector<std::int64_t> given,
                                   std::vector<std::int64_t> taken) {
  Ends ends{std::move(given), std::move(taken), std::vector<std::uint32_t>(size())};
  for (std::size_t i = 0; i < node_of_.size(); ++i)
    ends.cell[node_of_[i]] = static_cast<std::uint32_t>(i);
  std::vector<HexMove> out;
  for (std::size_t i = 0; i < node_of_.size(); ++i) take_apart(i, ends, out);
  tidy_moves(out);
  return out;
}

std::vector<std::int64_t> distances_to_need(const HexMap& map,
                                            const std::vector<std::uint32_t>& cells,
                                            const std::vector<std::int64_t>& need,
                                            double most_nodes) {
  std::vector<bool> needy(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) needy[i] = need[i] > 0;
  std::vector<std::int64_t> out;
  const HexGrid grid(map);
  if (fits(grid, most_nodes)) {
    const std::vector<std::int64_t> steps = HexNet(grid, map).steps_to(needy);
    for (std::uint32_t i : cells) out.push_back(steps[i]);
    return out;
  }
  const HexIndex index(map);
  for (std::uint32_t i : cells) {
    std::int64_t nearest = 0;
    index.each_shell(i, [&](std::int64_t d, const std::vector<std::uint32_t>& found) {
      nearest = d;
      return std::none_of(found.begin(), found.end(), [&](std::uint32_t j) { return needy[j]; });
    });
    out.push_back(nearest);
  }
  return out;
}

}  // namespace sdclattice
