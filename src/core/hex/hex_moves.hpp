// What all redistributions of a map do: cells in order, moves carried out and measured.
#pragma once

#include <cstdint>
#include <vector>

#include "hex/hex_grid.hpp"
#include "hex/hex_transport.hpp"

namespace sdclattice {

// The sum of the counts stays.
void carry_out(HexMap& map, const std::vector<HexMove>& moves);

// Larger counts first, then position.
void sort_by_count(const HexMap& map, std::vector<std::uint32_t>& cells);

// Those with a count below t, by position.
std::vector<std::uint32_t> sensitive_cells(const HexMap& map, std::int64_t t);

// The sum of distances; throws TooLargeError beyond 2^53.
std::int64_t total_distance(const HexMap& map, const std::vector<HexMove>& moves);

}  // namespace sdclattice
