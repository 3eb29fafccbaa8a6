// Small networks of sums and all their controlled roundings, cell by cell.
#pragma once

#include "linear/circulation.hpp"
#include "small_tables.hpp"

namespace small_roundings {

using namespace small_tables;
using sdclattice::Circulation;
using sdclattice::Partition;

struct Table {
  Whole cells;
  std::vector<Partition> down, up;
  Circulation network() const { return sdclattice::make_circulation(cells, down, up); }
};

// Rows and columns, often with pairs of rows or columns, some sums left out.
inline Table random_table(Dice& dice, int most_cells, int largest) {
  Table out;
  int m = dice.between(1, 4), n = dice.between(1, 4);
  while (m * n > most_cells) (m > n ? m : n) -= 1;
  Partition row, column, pair;
  for (int i = 0; i < m * n; ++i) {
    out.cells.push_back(dice.below(4) == 0 ? 0 : dice.between(0, largest));
    row.push_back(static_cast<std::uint32_t>(i % m + 1));
    column.push_back(static_cast<std::uint32_t>(i / m + 1));
    pair.push_back(static_cast<std::uint32_t>(i % m / 2 + 1));
  }
  if (dice.below(3) == 0) out.down.push_back(pair);
  if (dice.below(6)) out.down.push_back(row);
  if (dice.below(6)) out.up.push_back(column);
  return out;
}

// The sums of other cells in the same network.
inline Whole all_sums(Circulation network, const Whole& cells) {
  network.load(cells);
  return network.value;
}

inline bool is_adjacent(std::int64_t rounded, std::int64_t value, std::int64_t base) {
  return rounded % base == 0 && std::abs(rounded - value) < base;
}

// Calls visit(edges) for every rounding: cells and sums at adjacent multiples, and they add up.
template <class Visit>
void each_rounding(const Circulation& network, std::int64_t base, Visit&& visit) {
  Whole low, high;
  for (std::size_t i = 0; i < network.n_cells; ++i) {
    low.push_back(network.value[i] / base);
    high.push_back(low.back() + (network.value[i] % base != 0));
  }
  each_between(low, high, [&](const Whole& multiples) {
    Whole cells = multiples;
    for (std::int64_t& x : cells) x *= base;
    const Whole edges = all_sums(network, cells);
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (!is_adjacent(edges[e], network.value[e], base)) return;
    visit(edges);
  });
}

}  // namespace small_roundings
