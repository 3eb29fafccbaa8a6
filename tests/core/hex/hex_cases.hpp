// Random maps of hexagons, and slow answers: distances by steps, cheapest transports by improving
// along circles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "hex/hex_grid.hpp"

namespace hex_cases {

using Values = std::vector<std::int64_t>;
using Place = std::pair<std::int64_t, std::int64_t>;  // q, r

inline std::int64_t sum(const Values& x) {
  return std::accumulate(x.begin(), x.end(), std::int64_t{0});
}

// Cells in a square of hexagons around 0, with counts from 1 to `most`.
inline sdclattice::HexMap random_map(sdclattice::PublicRandom& random, std::size_t cells,
                                     std::int64_t side, std::int64_t most) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(n)));
  };
  std::set<Place> places;  // r, q: the order of maps
  while (places.size() < cells) {
    const std::int64_t r = below(side) - side / 2;
    places.emplace(r, below(side) - side / 2);
  }
  sdclattice::HexMap out;
  for (const auto& place : places) {
    out.q.push_back(place.second);
    out.r.push_back(place.first);
    out.count.push_back(1 + below(most));
  }
  return out;
}

// The six neighbours, from their description.
inline std::vector<Place> beside(Place at) {
  const auto [q, r] = at;
  return {{q + 1, r}, {q, r + 1}, {q - 1, r + 1}, {q - 1, r}, {q, r - 1}, {q + 1, r - 1}};
}

// The number of steps from a hexagon to all others within `reach`, ring by ring.
inline std::map<Place, std::int64_t> steps_from(Place start, std::int64_t reach) {
  std::map<Place, std::int64_t> out{{start, 0}};
  std::vector<Place> ring{start};
  for (std::int64_t d = 1; d <= reach; ++d) {
    std::vector<Place> next;
    for (const Place& place : ring)
      for (const Place& other : beside(place))
        if (out.emplace(other, d).second) next.push_back(other);
    ring = std::move(next);
  }
  return out;
}

// The least cost of moving `need` from what donors have, by sending units along cheapest ways of
// the residual graph (Bellman and Ford); -1 where there is not enough. cost[i][j]: of a unit.
inline std::int64_t cheapest(Values have, Values need, const std::vector<Values>& cost) {
  if (sum(have) < sum(need)) return -1;
  std::vector<Values> flow(have.size(), Values(need.size(), 0));
  constexpr std::int64_t far = INT64_MAX / 4;
  while (sum(need) > 0) {
    // Distances of receivers and donors, from the donors that have something left.
    Values donor(have.size(), far), receiver(need.size(), far);
    std::vector<std::size_t> from_donor(need.size(), 0), from_receiver(have.size(), SIZE_MAX);
    for (std::size_t i = 0; i < have.size(); ++i)
      if (have[i] > 0) donor[i] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < have.size(); ++i)
        for (std::size_t j = 0; j < need.size(); ++j) {
          if (donor[i] < far && donor[i] + cost[i][j] < receiver[j]) {
            receiver[j] = donor[i] + cost[i][j];
            from_donor[j] = i;
            changed = true;
          }
          if (receiver[j] < far && flow[i][j] > 0 && receiver[j] - cost[i][j] < donor[i]) {
            donor[i] = receiver[j] - cost[i][j];
            from_receiver[i] = j;
            changed = true;
          }
        }
    }
    std::size_t j = 0;
    while (need[j] == 0) ++j;
    for (std::size_t k = j; k < need.size(); ++k)
      if (need[k] > 0 && receiver[k] < receiver[j]) j = k;
    --need[j];
    for (;;) {
      const std::size_t i = from_donor[j];
      ++flow[i][j];
      if (from_receiver[i] == SIZE_MAX) {
        --have[i];
        break;
      }
      j = from_receiver[i];
      --flow[i][j];
    }
  }
  std::int64_t out = 0;
  for (std::size_t i = 0; i < have.size(); ++i)
    for (std::size_t j = 0; j < need.size(); ++j) out += flow[i][j] * cost[i][j];
  return out;
}

}  // namespace hex_cases
