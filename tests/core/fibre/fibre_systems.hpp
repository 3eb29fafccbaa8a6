// Systems whose tables are counted: published kinds, random ones, and all their tables by brute
// force.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "linear/linear.hpp"

namespace fibre_systems {

using namespace sdclattice;

struct Dice {
  std::mt19937_64 source;
  explicit Dice(unsigned seed) : source(seed) {}
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
};

using Values = std::vector<std::int64_t>;

inline void add_row(LinearSystem& system, const std::vector<std::uint32_t>& cells,
                    const Values& coefficient, std::int64_t lower, std::int64_t upper) {
  system.cell.insert(system.cell.end(), cells.begin(), cells.end());
  system.coefficient.insert(system.coefficient.end(), coefficient.begin(), coefficient.end());
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(lower);
  system.row_upper.push_back(upper);
}

inline void add_sum(LinearSystem& system, const std::vector<std::uint32_t>& cells,
                    std::int64_t lower, std::int64_t upper) {
  add_row(system, cells, Values(cells.size(), 1), lower, upper);
}

// Row and column sums, and perhaps the total, each to within `by`; cells as in `lower` and `upper`.
inline LinearSystem two_way(std::size_t m, std::size_t n, const Values& row, const Values& column,
                            std::int64_t by = 0, std::int64_t total = -1) {
  LinearSystem out;
  out.lower.assign(m * n, 0);
  out.upper.assign(m * n, kNoLimit);
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < m; ++i) {
    std::vector<std::uint32_t> cells;
    for (std::size_t j = 0; j < n; ++j) cells.push_back(static_cast<std::uint32_t>(i * n + j));
    all.insert(all.end(), cells.begin(), cells.end());
    add_sum(out, cells, row[i] - by, row[i] + by);
  }
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<std::uint32_t> cells;
    for (std::size_t i = 0; i < m; ++i) cells.push_back(static_cast<std::uint32_t>(i * n + j));
    add_sum(out, cells, column[j] - by, column[j] + by);
  }
  if (total >= 0) add_sum(out, all, total - by, total + by);
  return out;
}

inline LinearSystem within(std::size_t n, const Values& table, std::int64_t by) {
  const std::size_t m = table.size() / n;
  Values row(m), column(n);
  std::int64_t total = 0;
  for (std::size_t k = 0; k < table.size(); ++k)
    row[k / n] += table[k], column[k % n] += table[k], total += table[k];
  LinearSystem out = two_way(m, n, row, column, by, total);
  for (std::size_t k = 0; k < table.size(); ++k) {
    out.lower[k] = std::max<std::int64_t>(0, table[k] - by);
    out.upper[k] = table[k] + by;
  }
  return out;
}

inline void search(const LinearSystem& system, std::size_t i, Values& x, std::vector<Values>& out) {
  if (i == system.n_cells()) {
    if (satisfies(system, x)) out.push_back(x);
    return;
  }
  for (x[i] = system.lower[i]; x[i] <= system.upper[i]; ++x[i]) {
    const std::int64_t here = x[i];
    search(system, i + 1, x, out);
    x[i] = here;
  }
}
inline std::vector<Values> brute_force(const LinearSystem& system) {
  std::vector<Values> out;
  Values x(system.n_cells());
  search(system, 0, x, out);
  return out;
}

// Cells with limits, rows with any coefficients, often one-sided.
inline LinearSystem random_general(Dice& dice) {
  LinearSystem out;
  Values x;
  const int n = 1 + dice.below(6);
  for (int i = 0; i < n; ++i) {
    out.lower.push_back(dice.below(2));
    out.upper.push_back(out.lower.back() + dice.below(4));
    x.push_back(out.lower.back() + dice.below(static_cast<int>(out.upper[i] - out.lower[i]) + 1));
  }
  for (int r = dice.below(4); r > 0; --r) {
    std::vector<std::uint32_t> cells;
    Values coefficient;
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) {
      if (dice.below(2)) continue;
      cells.push_back(static_cast<std::uint32_t>(i));
      const int a = dice.below(5) - 2;
      coefficient.push_back(a == 0 ? 3 : a);
      sum += coefficient.back() * x[i];
    }
    if (cells.empty()) continue;
    const int side = dice.below(3);
    add_row(out, cells, coefficient, side == 1 ? -kNoLimit : sum - dice.below(2),
            side == 2 ? kNoLimit : sum + dice.below(2));
  }
  return out;
}

// Some of the rows, columns and the total, in intervals, of a table with holes; now and then no
// table.
inline LinearSystem random_two_way(Dice& dice) {
  LinearSystem out;
  Values x;
  const int m = 1 + dice.below(3), n = 1 + dice.below(3), wide = dice.below(3);
  for (int i = 0; i < m * n; ++i) {
    const int top = dice.below(3);
    out.lower.push_back(0);
    out.upper.push_back(top + (dice.below(3) == 0));
    x.push_back(dice.below(top + 1));
  }
  const auto add = [&](const std::vector<std::uint32_t>& cells, bool interval) {
    std::int64_t sum = 0;
    for (std::uint32_t c : cells) sum += x[c];
    add_sum(out, cells, sum - (interval ? dice.below(2) : 0), sum + (interval ? dice.below(3) : 0));
  };
  std::vector<std::uint32_t> all;
  for (int i = 0; i < m; ++i) {
    std::vector<std::uint32_t> cells;
    for (int j = 0; j < n; ++j) cells.push_back(static_cast<std::uint32_t>(i * n + j));
    all.insert(all.end(), cells.begin(), cells.end());
    if (dice.below(5)) add(cells, wide > 0);
  }
  for (int j = 0; j < n; ++j) {
    std::vector<std::uint32_t> cells;
    for (int i = 0; i < m; ++i) cells.push_back(static_cast<std::uint32_t>(i * n + j));
    if (dice.below(5)) add(cells, wide == 1);
  }
  if (dice.below(2)) add(all, true);
  if (dice.below(6) == 0 && out.n_rows() > 0) ++out.row_lower[0], ++out.row_upper[0];
  return out;
}

// Any margins of a 2 x 2 x 2 table, exact or in intervals.
inline LinearSystem random_three_way(Dice& dice, bool exact) {
  LinearSystem out;
  Values x;
  for (int i = 0; i < 8; ++i) {
    out.lower.push_back(0);
    out.upper.push_back(2);
    x.push_back(dice.below(3));
  }
  for (int set = 0; set < 7; ++set) {  // bit v: variable v is in the margin
    if (dice.below(2)) continue;
    std::map<int, std::vector<std::uint32_t>> cells;
    for (int i = 0; i < 8; ++i) cells[i & set].push_back(static_cast<std::uint32_t>(i));
    for (const auto& [level, of] : cells) {
      std::int64_t sum = 0;
      for (std::uint32_t c : of) sum += x[c];
      const int by = exact ? 0 : dice.below(2);
      add_sum(out, of, sum - by, sum + by);
    }
  }
  return out;
}

}  // namespace fibre_systems
