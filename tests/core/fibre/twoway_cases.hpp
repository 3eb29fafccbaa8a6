// Random small two-way tables with holes, limits and cells in parallel, and all their fillings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "fibre/twoway_lines.hpp"

namespace twoway_cases {

using sdclattice::TwoWayPlan;
using sdclattice::TwoWayTable;
using sdclattice::twoway::CellGroup;
using sdclattice::twoway::OrderedLines;
using Values = std::vector<std::int64_t>;

struct Dice {
  std::mt19937_64 source;
  explicit Dice(unsigned seed) : source(seed) {}
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
};

// At most 3 x 3 places, each with no, one or two cells; sums are those of some filling.
inline TwoWayTable random_table(Dice& dice) {
  const int m = 1 + dice.below(3), n = 1 + dice.below(3);
  TwoWayTable out;
  out.row.assign(m, 0);
  out.column.assign(n, 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int cells = dice.below(8) == 0 ? 2 : dice.below(7) > 0; cells > 0; --cells) {
        const std::int64_t x = dice.below(3);
        const bool open = dice.below(2) == 0;
        out.cell.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                            open ? std::int64_t{1} << 40 : x + dice.below(2)});
        out.row[i] += x;
        out.column[j] += x;
      }
  return out;
}

// Any order of lines and columns, any column that is not carried.
inline TwoWayPlan random_plan(const TwoWayTable& table, Dice& dice) {
  TwoWayPlan out;
  out.transposed = dice.below(2) == 1;
  out.line.resize((out.transposed ? table.column : table.row).size());
  out.axis.resize((out.transposed ? table.row : table.column).size());
  std::iota(out.line.begin(), out.line.end(), 0u);
  std::iota(out.axis.begin(), out.axis.end(), 0u);
  std::shuffle(out.line.begin(), out.line.end(), dice.source);
  std::shuffle(out.axis.begin(), out.axis.end(), dice.source);
  out.rest = out.axis.back();
  out.axis.pop_back();
  return out;
}

// A line's cells, one after the other: what each column of the line holds, and in how many ways.
using LineWays = std::map<Values, std::uint64_t>;

inline void fill_cells(const std::vector<CellGroup>& groups, std::size_t j, std::size_t c,
                       std::int64_t left, Values& held, LineWays& out) {
  if (j == groups.size()) {
    if (left == 0) ++out[held];
    return;
  }
  if (c == groups[j].cell.size()) return fill_cells(groups, j + 1, 0, left, held, out);
  for (std::int64_t x = 0; x <= std::min(left, groups[j].limit[c]); ++x) {
    held[j] += x;
    fill_cells(groups, j, c + 1, left - x, held, out);
    held[j] -= x;
  }
}

inline LineWays line_ways(const OrderedLines& lines, std::size_t i) {
  LineWays out;
  Values held(lines.group[i].size(), 0);
  fill_cells(lines.group[i], 0, 0, lines.sum[i], held, out);
  return out;
}

// The ways to fill the lines first, ..., last - 1, by what all columns hold then.
inline LineWays fillings(const OrderedLines& lines, std::size_t first, std::size_t last) {
  LineWays out{{Values(lines.n_axes() + 1, 0), 1}};
  for (std::size_t i = first; i < last; ++i) {
    LineWays next;
    for (const auto& [before, n] : out)
      for (const auto& [held, ways] : line_ways(lines, i)) {
        Values sum = before;
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += held[j];
        next[sum] += n * ways;
      }
    out = std::move(next);
  }
  return out;
}

inline std::uint64_t number(const LineWays& ways, const Values& held) {
  const auto at = ways.find(held);
  return at == ways.end() ? 0 : at->second;
}

// What all columns hold in the end.
inline Values all_totals(const OrderedLines& lines) {
  Values out = lines.total;
  out.push_back(lines.rest_total);
  return out;
}

// act(v) for all states of a box within its range of |v|.
template <class Act>
void each_state(const sdclattice::twoway::Box& box, Act&& act) {
  if (box.empty) return;
  Values v = box.low;
  for (;;) {
    const std::int64_t sum = std::accumulate(v.begin(), v.end(), std::int64_t{0});
    if (sum >= box.least && sum <= box.most) act(v);
    std::size_t j = 0;
    while (j < v.size() && !box.holds(j, ++v[j])) {
      v[j] = box.low[j];
      ++j;
    }
    if (j == v.size()) return;
  }
}

// A state with what the column that is not carried holds after i lines.
inline Values with_rest(const OrderedLines& lines, Values v, std::size_t i) {
  const std::int64_t done = std::accumulate(
      lines.sum.begin(), lines.sum.begin() + static_cast<std::ptrdiff_t>(i), std::int64_t{0});
  v.push_back(done - std::accumulate(v.begin(), v.end(), std::int64_t{0}));
  return v;
}

}  // namespace twoway_cases
