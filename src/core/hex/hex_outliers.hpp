// Sensitive cells of a map of hexagons that lie far from all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// One cell or two adjacent ones, all sensitive, with no other data cell within distance t.
struct HexOutlier {
  std::uint32_t cell[2];
  std::size_t size;
};

// By position of their first cells.
std::vector<HexOutlier> find_outliers(const HexMap& map, std::int64_t t);

// Moves every outlier to the data cells around it, one count each: nearest first, then the larger
// count before these moves, then position; again from the first when there are fewer cells than
// counts. Smallest total first, then position; an outlier that received t by then is none any more.
// An outlier without any other data cell stays. The map keeps cells with a count of 0.
std::vector<HexMove> redistribute_outliers(HexMap& map, std::int64_t t);

}  // namespace sdclattice
