// The nearest accepted cell against distances by breadth first search over pairs of cells.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "base/random.hpp"
#include "check.hpp"
#include "magnitude/cell_search.hpp"

using namespace sdclattice;

namespace {

constexpr std::int64_t kFar = 1000000;

// All distances of a graph, by Floyd and Warshall.
std::vector<std::vector<std::int64_t>> graph_distances(const CellMap& map, std::size_t n) {
  std::vector<std::vector<std::int64_t>> d(n, std::vector<std::int64_t>(n, kFar));
  for (std::size_t i = 0; i < n; ++i) d[i][i] = 0;
  for (std::size_t e = 0; e < map.from.size(); ++e) d[map.from[e]][map.to[e]] = 1;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

std::vector<std::vector<std::int64_t>> grid_distances(const CellMap& map, std::size_t n) {
  std::vector<std::vector<std::int64_t>> d(n, std::vector<std::int64_t>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<std::int64_t> step;
      bool open = true;
      for (std::size_t a = 0; a < map.n_axes; ++a) {
        step.push_back(std::int64_t{map.at[i * map.n_axes + a]} - map.at[j * map.n_axes + a]);
        open = open && (map.metric == CellMetric::hexagon || map.open[a] || step.back() == 0);
      }
      if (map.metric == CellMetric::hexagon) step.push_back(step[0] + step[1]);
      std::int64_t sum = 0;
      for (const std::int64_t x : step) sum += std::abs(x);
      d[i][j] = !open ? kFar : map.metric == CellMetric::hexagon ? sum / 2 : sum;
    }
  return d;
}

CellMap random_map(PublicRandom& random, CellMetric metric, std::size_t n) {
  CellMap map;
  map.metric = metric;
  if (metric == CellMetric::graph) {
    for (std::size_t e = random.below(2 * n); e > 0; --e) {
      const auto a = static_cast<std::uint32_t>(random.below(n)),
                 b = static_cast<std::uint32_t>(random.below(n));
      if (a == b) continue;
      map.from.insert(map.from.end(), {a, b});
      map.to.insert(map.to.end(), {b, a});
    }
    return map;
  }
  map.n_axes = 2;
  map.open = {1, static_cast<std::uint8_t>(random.below(2))};
  std::vector<std::int32_t> places(25);
  for (std::int32_t p = 0; p < 25; ++p) places[static_cast<std::size_t>(p)] = p;
  random.shuffle(places.begin(), places.end());
  for (std::size_t i = 0; i < n; ++i) map.at.insert(map.at.end(), {places[i] % 5, places[i] / 5});
  return map;
}

}  // namespace

TEST(the_nearest_cell_is_found_on_all_maps) {
  PublicRandom random(5);
  int wrong = 0, found_any = 0;
  for (int round = 0; round < 900; ++round) {
    const auto metric = static_cast<CellMetric>(round % 3);
    const std::size_t n = 1 + random.below(12);
    const CellMap map = random_map(random, metric, n);
    const auto d = metric == CellMetric::graph ? graph_distances(map, n) : grid_distances(map, n);
    std::vector<bool> accepted(n);
    std::vector<std::int64_t> key(n);
    for (std::size_t i = 0; i < n; ++i) {
      accepted[i] = random.below(2) == 0;
      key[i] = static_cast<std::int64_t>(random.below(3));
    }
    const auto origin = static_cast<std::uint32_t>(random.below(n));
    const auto most = static_cast<std::int64_t>(random.below(5));
    std::tuple<std::int64_t, std::int64_t, std::uint32_t> best{kFar, 0, 0};
    for (std::uint32_t c = 0; c < n; ++c)
      if (c != origin && accepted[c] && d[origin][c] <= most)
        best = std::min(best, std::make_tuple(d[origin][c], key[c], c));
    CellSearch::Found found{};
    const bool any = CellSearch(map, n).nearest(
        origin, most, [&](std::uint32_t c) { return accepted[c]; },
        [&](std::uint32_t c) { return key[c]; }, found);
    wrong += any != (std::get<0>(best) < kFar);
    wrong += any && (found.cell != std::get<2>(best) || found.distance != std::get<0>(best));
    found_any += any;
  }
  CHECK_EQ(wrong, 0);
  CHECK(found_any > 100);
}
