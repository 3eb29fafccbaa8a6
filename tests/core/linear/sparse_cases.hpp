// Systems for the sparse linear programmes: margins of three-way tables and random sparse rows,
// larger than what can be enumerated.
#pragma once

#include "small_tables.hpp"

namespace sparse_cases {

using namespace small_tables;

// All two-way margins of a random k x l x m table, and the table in `truth`. Some cells are
// published.
inline LinearSystem margins(Dice& dice, int k, int l, int m, int mean, int published,
                            Whole& truth) {
  LinearSystem out;
  const int n = k * l * m;
  truth.clear();
  for (int i = 0; i < n; ++i) truth.push_back(dice.below(2) == 0 ? 0 : dice.below(2 * mean + 1));
  std::int64_t total = 0;
  for (const std::int64_t x : truth) total += x;
  for (int i = 0; i < n; ++i) {
    const bool known = dice.below(100) < published;
    out.lower.push_back(known ? truth[static_cast<std::size_t>(i)] : 0);
    out.upper.push_back(known ? truth[static_cast<std::size_t>(i)] : total);
  }
  const auto row = [&](const auto& takes) {
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) {
      if (!takes(i % k, i / k % l, i / k / l)) continue;
      out.cell.push_back(static_cast<std::uint32_t>(i));
      out.coefficient.push_back(1);
      sum += truth[static_cast<std::size_t>(i)];
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(sum);
    out.row_upper.push_back(sum);
  };
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < l; ++b) row([=](int x, int y, int) { return x == a && y == b; });
  for (int a = 0; a < k; ++a)
    for (int c = 0; c < m; ++c) row([=](int x, int, int z) { return x == a && z == c; });
  for (int b = 0; b < l; ++b)
    for (int c = 0; c < m; ++c) row([=](int, int y, int z) { return y == b && z == c; });
  return out;
}

// Sparse rows through a random point: equations, ranges, one limit only; some cells are fixed, some
// have no upper limit. Of `off` of a hundred rows the limits miss the point.
inline LinearSystem sparse_system(Dice& dice, int n, int n_rows, int off, Whole& truth) {
  LinearSystem out;
  truth.clear();
  for (int i = 0; i < n; ++i) {
    const std::int64_t low = dice.between(-2, 2);
    const int kind = dice.below(10);
    truth.push_back(low + (kind == 0 ? 0 : dice.below(6)));
    out.lower.push_back(low);
    out.upper.push_back(kind == 0 ? low : kind == 1 ? kNoLimit : truth.back() + dice.below(5));
  }
  for (int r = 0; r < n_rows; ++r) {
    Whole a(static_cast<std::size_t>(n), 0);
    for (int e = 2 + dice.below(4); e > 0; --e)
      a[static_cast<std::size_t>(dice.below(n))] =
          (dice.below(2) == 0 ? -1 : 1) * (dice.below(6) == 0 ? 2 + dice.below(2) : 1);
    std::int64_t sum = dice.below(100) < off ? dice.between(-9, 9) : 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * truth[i];
    const int kind = dice.below(8);
    add_row(out, a, kind == 0 ? -kNoLimit : sum - (kind < 3 ? dice.below(4) : 0),
            kind == 1 ? kNoLimit : sum + (kind < 3 ? dice.below(4) : 0));
  }
  return out;
}

}  // namespace sparse_cases
