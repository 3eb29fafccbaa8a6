#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "fibre/twoway.hpp"
#include "fibre/twoway_lines.hpp"

namespace sdclattice {

namespace {

using twoway::Box;
using twoway::OrderedLines;

void estimate(const TwoWayTable& table, TwoWayPlan& plan) {
  const OrderedLines lines = twoway::arrange(table, plan);
  const std::size_t m = lines.n_lines();
  std::vector<Box> box;
  for (std::size_t i = 0; i <= m; ++i) box.push_back(box_after(lines, i));
  plan.states = plan.steps = plan.all_states = 0;
  for (std::size_t i = 0; i < m; ++i) {
    plan.states = std::max(plan.states, hull(box[i], box[i + 1]).n_states());
    plan.all_states += box[i + 1].n_states();
    Box mirrored = box[i + 1];  // from the other end, where the layers are others
    mirrored.low = box[i].low;
    plan.steps += i < m / 2 ? step_cost(box[i], box[i + 1], lines, i)
                            : step_cost(mirrored, hull(box[i], box[i + 1]), lines, i);
  }
}

// The largest line at either end, where a step has one layer only.
std::vector<std::uint32_t> order_lines(const std::vector<std::int64_t>& sum) {
  std::vector<std::uint32_t> out(sum.size());
  std::iota(out.begin(), out.end(), 0u);
  std::stable_sort(out.begin(), out.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sum[a] > sum[b]; });
  if (out.size() > 2) std::rotate(out.begin() + 1, out.begin() + 2, out.end());
  return out;
}

TwoWayPlan best_rest(const TwoWayTable& given, bool transposed) {
  const TwoWayTable table = transposed ? given.transposed() : given;
  TwoWayPlan best;
  best.steps = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> by_sum(table.column.size());
  std::iota(by_sum.begin(), by_sum.end(), 0u);
  std::stable_sort(by_sum.begin(), by_sum.end(), [&](std::uint32_t a, std::uint32_t b) {
    return table.column[a] > table.column[b];
  });
  // Limits of cells seldom make another column than one of the widest the best.
  for (std::size_t r = 0; r < std::min<std::size_t>(by_sum.size(), 4); ++r) {
    TwoWayPlan plan;
    plan.transposed = transposed;
    plan.line = order_lines(table.row);
    plan.rest = by_sum[r];
    plan.axis = by_sum;
    plan.axis.erase(plan.axis.begin() + static_cast<std::ptrdiff_t>(r));
    estimate(given, plan);
    if (plan.steps < best.steps) best = plan;
  }
  return best;
}

// The product over the rows of the ways to share their sums; where no cells lie in parallel the
// last row, here the largest, follows from the others.
double log2_rows_bound(const TwoWayTable& table, bool parallel) {
  std::vector<double> cells(table.row.size(), 0), by_limits(table.row.size(), 0);
  for (const TwoWayCell& c : table.cell) {
    ++cells[c.row];
    by_limits[c.row] += std::log2(static_cast<double>(std::min(c.limit, table.row[c.row])) + 1);
  }
  double all = 0, largest = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] < 1) continue;
    const double shares = log2_shares(static_cast<double>(table.row[i]), cells[i]);
    const double one = std::max(0.0, std::min(shares, by_limits[i]));
    all += one;
    largest = std::max(largest, one);
  }
  return parallel ? all : all - largest;
}

bool has_parallel(const TwoWayTable& table) {
  std::vector<std::uint64_t> place;
  for (const TwoWayCell& c : table.cell)
    place.push_back((static_cast<std::uint64_t>(c.row) << 32) | c.column);
  std::sort(place.begin(), place.end());
  return std::adjacent_find(place.begin(), place.end()) != place.end();
}

}  // namespace

TwoWayTable TwoWayTable::transposed() const {
  TwoWayTable out{column, row, cell, impossible};
  for (TwoWayCell& c : out.cell) std::swap(c.row, c.column);
  return out;
}

TwoWayPlan plan_two_way(const TwoWayTable& table) {
  const TwoWayPlan upright = best_rest(table, false), across = best_rest(table, true);
  return across.steps < upright.steps ? across : upright;
}

double log2_bound(const TwoWayTable& table) {
  const bool parallel = has_parallel(table);
  return std::min(log2_rows_bound(table, parallel), log2_rows_bound(table.transposed(), parallel));
}

}  // namespace sdclattice
