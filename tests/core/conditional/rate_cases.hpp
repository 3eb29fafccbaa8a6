// Small tables of rates, and all tables with such rates one by one.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "conditional/rates.hpp"

namespace rate_cases {

using namespace sdclattice;

struct RateDice {
  std::mt19937_64 source{17};
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(source() % static_cast<std::uint64_t>(n));
  }
};

using Vectors = std::vector<std::vector<std::int64_t>>;

inline void list_cells(const RateRow& row, std::int64_t t, std::vector<std::int64_t>& cells,
                       std::int64_t left, Vectors& out) {
  const std::size_t j = cells.size();
  if (j == row.n_cells) {
    if (left == 0) out.push_back(cells);
    return;
  }
  for (std::int64_t x = 0; x <= left; ++x) {
    if (row.scale * x < row.low[j] * t || row.scale * x > row.high[j] * t) continue;
    cells.push_back(x);
    list_cells(row, t, cells, left - x, out);
    cells.pop_back();
  }
}

// All tables, each as its cells row by row.
inline Vectors list_tables(const RateRows& rows, std::size_t r, std::int64_t n) {
  if (r == rows.size()) return n == 0 ? Vectors{{}} : Vectors{};
  const RateRow row{&rows.low[r * rows.n_cells], &rows.high[r * rows.n_cells], rows.n_cells,
                    rows.scale[r]};
  Vectors out;
  for (std::int64_t t = 1; t <= n; ++t) {
    Vectors here;
    std::vector<std::int64_t> cells;
    list_cells(row, t, cells, t, here);
    if (here.empty()) continue;
    for (const auto& rest : list_tables(rows, r + 1, n - t))
      for (const auto& x : here) {
        out.push_back(x);
        out.back().insert(out.back().end(), rest.begin(), rest.end());
      }
  }
  return out;
}

struct RateCase {
  std::vector<std::int64_t> units, scale;
  std::size_t n_cells;
  std::int64_t n;
};

inline RateCase random_rates(RateDice& dice, bool exact, std::int64_t digits_scale) {
  RateCase out;
  out.n_cells = static_cast<std::size_t>(1 + dice.below(3));
  const std::int64_t n_rows = 1 + dice.below(3);
  out.n = 0;
  for (std::int64_t r = 0; r < n_rows; ++r) {
    std::vector<std::int64_t> counts;
    std::int64_t total = 0;
    for (std::size_t j = 0; j < out.n_cells; ++j) {
      counts.push_back(dice.below(4));
      total += counts.back();
    }
    if (total == 0) counts[0] = total = 1;
    for (std::int64_t x : counts)
      out.units.push_back(exact ? x : round_rate(x, total, digits_scale));
    out.scale.push_back(exact ? total : digits_scale);
    out.n += total;
  }
  return out;
}

}  // namespace rate_cases
