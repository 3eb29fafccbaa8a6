// Small parts of fibres with the list of all their tables, and whether an exact method knows them.
#pragma once

#include <cmath>
#include <set>

#include "fibre/fibre_part.hpp"
#include "fibre/twoway.hpp"
#include "small_tables.hpp"

namespace small_fibres {

using namespace small_tables;
using sdclattice::BigCount;
using sdclattice::CellWays;
using sdclattice::FibrePart;
using sdclattice::PublicRandom;
using sdclattice::TwoWayTable;

// All fillings of a two-way table, cell after cell.
inline void fill(const TwoWayTable& table, Whole& row, Whole& column, Whole& x,
                 std::vector<Whole>& out) {
  const std::size_t i = x.size();
  if (i == table.cell.size()) {
    const auto zero = [](std::int64_t left) { return left == 0; };
    if (std::all_of(row.begin(), row.end(), zero) &&
        std::all_of(column.begin(), column.end(), zero))
      out.push_back(x);
    return;
  }
  const auto& cell = table.cell[i];
  const std::int64_t most = std::min({cell.limit, row[cell.row], column[cell.column]});
  for (std::int64_t v = 0; v <= most; ++v) {
    row[cell.row] -= v, column[cell.column] -= v;
    x.push_back(v);
    fill(table, row, column, x, out);
    x.pop_back();
    row[cell.row] += v, column[cell.column] += v;
  }
}
inline std::vector<Whole> fillings(const TwoWayTable& table) {
  Whole row = table.row, column = table.column, x;
  std::vector<Whole> out;
  if (!table.impossible) fill(table, row, column, x, out);
  return out;
}

// Up to 3 x 4 places, some empty, with the sums of some filling. `open`: no limits of the cells and
// no two cells in one place.
inline TwoWayTable random_table(Dice& dice, bool open, int most) {
  TwoWayTable out;
  const int m = dice.between(1, 3), n = dice.between(1, 4);
  out.row.assign(static_cast<std::size_t>(m), 0);
  out.column.assign(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = dice.below(6) == 0 ? (open ? 0 : 2) : 1; k > 0; --k) {
        const int x = dice.between(0, most);
        out.cell.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                            open || dice.below(2) ? 1000 : x + dice.below(2)});
        out.row[static_cast<std::size_t>(i)] += x;
        out.column[static_cast<std::size_t>(j)] += x;
      }
  return out;
}

// How often cell i has each value.
inline CellWays ways_of(const std::vector<Whole>& all, std::size_t i) {
  CellWays out;
  for (const Whole& x : all) {
    if (out.size() <= static_cast<std::size_t>(x[i]))
      out.resize(static_cast<std::size_t>(x[i]) + 1);
    out[static_cast<std::size_t>(x[i])] += 1;
  }
  return out;
}

inline bool same_ways(CellWays a, CellWays b) {
  while (!a.empty() && a.back() == 0) a.pop_back();
  while (!b.empty() && b.back() == 0) b.pop_back();
  return a == b;
}

// The number of tables and the laws of the first n cells, in any order.
inline bool knows(FibrePart& part, const std::vector<Whole>& all, std::size_t n) {
  if (part.count({}) != all.size()) return false;
  std::vector<std::uint32_t> cells;
  for (std::size_t i = n; i-- > 0;) cells.push_back(static_cast<std::uint32_t>(i));
  const std::vector<CellWays> laws = part.laws(cells, {});
  if (laws.size() != n) return false;
  for (std::size_t k = 0; k < n; ++k)
    if (!same_ways(laws[k], ways_of(all, cells[k]))) return false;
  return true;
}

// Draws are tables of the list, in the first n cells, each about equally often.
inline bool draws_evenly(FibrePart& part, const std::vector<Whole>& all, std::size_t n,
                         std::uint64_t seed) {
  std::map<Whole, double> wanted, drawn;
  const std::size_t each = 40, n_draws = each * all.size();
  for (const Whole& x : all)
    wanted[Whole(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n))] += each;
  PublicRandom random(seed);
  part.count({});
  for (std::size_t k = 0; k < n_draws; ++k) {
    Whole x(n, -1);
    part.draw(random, x, {});
    drawn[x] += 1;
  }
  for (const auto& [x, times] : drawn)
    if (wanted.count(x) == 0) return false;
  for (const auto& [x, times] : wanted)
    if (std::fabs(drawn[x] - times) > 6 * std::sqrt(times)) return false;
  return true;
}

}  // namespace small_fibres
