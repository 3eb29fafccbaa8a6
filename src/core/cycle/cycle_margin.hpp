// Cycles of tables with any number of dimensions, and tables seen with dimensions merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cycle/cycle.hpp"

namespace sdclattice {

// The dimensions of at least two levels: the others play no part in a move.
std::vector<std::size_t> long_dimensions(const std::vector<std::size_t>& dim);

// The dimension that is best made the ring: an odd one if there is one, since a ring of two goes
// with even other dimensions only, and among those the longest (the first of equals). Any odd one
// leaves as many odd others. InputError when no dimension has two levels.
std::size_t best_ring(const std::vector<std::size_t>& dim);

// How many cycles cycles_margin() makes. InputError as there.
std::size_t count_cycles_margin(const std::vector<std::size_t>& dim, std::size_t ring);

// The cycles that keep every margin which leaves out one dimension of at least two levels, along
// the dimension `ring`: band after band (first dimension fastest), and along the ring in a band.
// InputError when the ring has one level, or two while another dimension is odd. Linear in the
// entries, of which there are two for each cell.
CycleSet cycles_margin(const std::vector<std::size_t>& dim, std::size_t ring);

// The cells of a table whose dimensions are merged into ways, first way fastest and in a way its
// first dimension, as cells of the table itself. `ways` holds each dimension once (else
// InputError).
std::vector<std::int32_t> merged_cells(const std::vector<std::size_t>& dim,
                                       const std::vector<std::vector<std::size_t>>& ways);

// The number of cells in each way.
std::vector<std::size_t> merged_dim(const std::vector<std::size_t>& dim,
                                    const std::vector<std::vector<std::size_t>>& ways);

// Turns cycles of the merged table into cycles of the table itself.
void unmerge(const std::vector<std::size_t>& dim, const std::vector<std::vector<std::size_t>>& ways,
             CycleSet& cycles);

}  // namespace sdclattice
