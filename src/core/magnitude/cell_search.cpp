#include "magnitude/cell_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <map>

namespace sdclattice {

namespace {

constexpr std::int64_t kUnreachable = -1;

bool best_of(const std::vector<std::uint32_t>& cells, std::uint32_t origin,
             const CellSearch::Accept& accept, const CellSearch::Key& key, std::uint32_t& best) {
  bool any = false;
  std::int64_t least = 0;
  for (const std::uint32_t c : cells) {
    if (c == origin || !accept(c)) continue;
    const std::int64_t k = key(c);
    if (any && k >= least) continue;
    any = true;
    least = k;
    best = c;
  }
  return any;
}

}  // namespace

CellSearch::CellSearch(const CellMap& map, std::size_t n_cells) : map_(map), next_(n_cells) {
  assert(map.metric == CellMetric::graph ? map.from.size() == map.to.size()
                                         : map.at.size() == n_cells * map.n_axes);
  if (map.metric == CellMetric::graph) {
    for (std::size_t e = 0; e < map.from.size(); ++e) next_[map.from[e]].push_back(map.to[e]);
  } else {
    join_coordinates();
  }
  for (auto& cells : next_) {
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  }
}

bool CellSearch::nearest(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
                         const Key& key, Found& found) const {
  if (max_distance < 1) return false;
  if (best_of(next_[origin], origin, accept, key, found.cell)) {
    found.distance = 1;
    return true;
  }
  return map_.metric == CellMetric::graph ? by_layers(origin, max_distance, accept, key, found)
                                          : by_scan(origin, max_distance, accept, key, found);
}

bool CellSearch::by_layers(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
                           const Key& key, Found& found) const {
  std::vector<std::uint8_t> seen(next_.size(), 0);
  std::vector<std::uint32_t> layer{origin};
  seen[origin] = 1;
  for (std::int64_t d = 1; d <= max_distance && !layer.empty(); ++d) {
    std::vector<std::uint32_t> beyond;
    for (const std::uint32_t c : layer)
      for (const std::uint32_t to : next_[c])
        if (!seen[to]) {
          seen[to] = 1;
          beyond.push_back(to);
        }
    std::sort(beyond.begin(), beyond.end());
    found.distance = d;
    if (best_of(beyond, origin, accept, key, found.cell)) return true;
    layer.swap(beyond);
  }
  return false;
}

bool CellSearch::by_scan(std::uint32_t origin, std::int64_t max_distance, const Accept& accept,
                         const Key& key, Found& found) const {
  bool any = false;
  std::int64_t least = 0;
  for (std::uint32_t c = 0; c < next_.size(); ++c) {
    if (c == origin) continue;
    const std::int64_t d = distance(origin, c);
    if (d == kUnreachable || d > max_distance || (any && d > found.distance) || !accept(c))
      continue;
    const std::int64_t k = key(c);
    if (any && d == found.distance && k >= least) continue;
    any = true;
    found = {c, d};
    least = k;
  }
  return any;
}

std::int64_t CellSearch::distance(std::uint32_t a, std::uint32_t b) const {
  const std::int32_t *x = place(a), *y = place(b);
  if (map_.metric == CellMetric::hexagon) {
    const std::int64_t q = std::int64_t{x[0]} - y[0], r = std::int64_t{x[1]} - y[1];
    return std::max({std::abs(q), std::abs(r), std::abs(q + r)});
  }
  std::int64_t out = 0;
  for (std::size_t i = 0; i < map_.n_axes; ++i) {
    if (x[i] != y[i] && !map_.open[i]) return kUnreachable;
    out += std::abs(std::int64_t{x[i]} - y[i]);
  }
  return out;
}

// The steps to neighbours, one of each opposite pair.
std::vector<std::vector<std::int32_t>> CellSearch::directions() const {
  if (map_.metric == CellMetric::hexagon) return {{1, 0}, {0, 1}, {1, -1}};
  std::vector<std::vector<std::int32_t>> out;
  for (std::size_t i = 0; i < map_.n_axes; ++i) {
    if (!map_.open[i]) continue;
    out.emplace_back(map_.n_axes, 0);
    out.back()[i] = 1;
  }
  return out;
}

void CellSearch::join_coordinates() {
  std::map<std::vector<std::int32_t>, std::uint32_t> where;
  for (std::uint32_t c = 0; c < next_.size(); ++c)
    where[std::vector<std::int32_t>(place(c), place(c) + map_.n_axes)] = c;
  const auto ways = directions();
  for (std::uint32_t c = 0; c < next_.size(); ++c) {
    for (const auto& way : ways) {
      std::vector<std::int32_t> there(place(c), place(c) + map_.n_axes);
      for (std::size_t i = 0; i < there.size(); ++i) there[i] += way[i];
      const auto hit = where.find(there);
      if (hit == where.end()) continue;
      next_[c].push_back(hit->second);
      next_[hit->second].push_back(c);
    }
  }
}

}  // namespace sdclattice
