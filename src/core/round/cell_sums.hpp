// The published cells of a table, and which of them each leaf cell is part of.
//
// What is computed. Every published cell that is not zero, with its count, and for chosen leaf
// cells the positions of the published cells above them. What it costs. published_cells(), and a
// look-up in a hash table for each pair of a chosen cell and a published cell above it. Agrees with
// adding up the leaf cells below each published cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "base/tick.hpp"
#include "round/lists.hpp"
#include "table/published.hpp"

namespace sdclattice {

class CellSums {
 public:
  // What it is given must live as long. TooLargeError above max_cells published cells.
  CellSums(const Layout& from, const CellsView& cells, const Layout& to,
           const std::vector<Crossing>& crossings, std::size_t max_cells, const Tick& tick);

  std::size_t n_sums() const { return numbers_.size(); }
  const std::uint64_t* key(std::size_t sum) const { return numbers_.key(sum); }
  std::int64_t value(std::size_t sum) const {
    return static_cast<std::int64_t>(*numbers_.extra(sum));
  }
  // The published cells above a leaf cell, each once, ascending. Valid until the next call.
  const std::vector<std::uint32_t>& above(std::size_t cell);

 private:
  void add_above(const Crossing& crossing, std::size_t variable, const std::uint64_t* leaf);

  const Layout& from_;
  const CellsView& cells_;
  const Layout& to_;
  const std::vector<Crossing>& crossings_;
  KeyNumbers<> numbers_;
  std::vector<std::uint64_t> key_;
  std::vector<std::uint32_t> above_;
};

// How far the published cells of a rounded table are from the original ones.
struct PublishedDistance {
  std::int64_t greatest = 0;
  double absolute = 0, squares = 0;  // sums over all published cells
  double roots = 0;                  // of (sqrt(a) - sqrt(b))^2
  double original = 0;               // the sum of the original ones
  std::size_t changed = 0;
  std::size_t small_left = 0;  // rounded ones in 1, ..., base - 1
  std::size_t far = 0;         // small before, and neither 0 nor the base now
};

// Both sorted by key.
PublishedDistance published_distance(const Cells& original, const Cells& rounded,
                                     std::int64_t base);

// The place of each cell of x among those of y, or kNoCell. Both sorted by key.
constexpr std::size_t kNoCell = SIZE_MAX;
std::vector<std::size_t> match_cells(const Layout& layout, const CellsView& x, const CellsView& y);

}  // namespace sdclattice
