// Small tables with several sets of rates, and all tables that agree, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conditional/rate_system.hpp"
#include "rate_cases.hpp"

namespace rate_tables {

using namespace sdclattice;
using rate_cases::RateDice;
using Values = std::vector<std::int64_t>;

struct TableCase {
  std::size_t rows = 2, columns = 2, layers = 1;
  Values truth;  // the row fastest, then the column
  std::int64_t n = 0;
  LinearSystem table;
  std::vector<RateSet> sets;

  std::size_t cell(std::size_t i, std::size_t j, std::size_t k) const {
    return i + rows * (j + columns * k);
  }
};

inline std::int64_t sum_of(const Values& x, const std::vector<std::uint32_t>& cells) {
  std::int64_t out = 0;
  for (const std::uint32_t i : cells) out += x[i];
  return out;
}

// The rates of groups of cells, row by row; rows without a count are absent. `scale` 0: exact.
inline RateSet set_of(const Values& truth,
                      std::vector<std::vector<std::vector<std::uint32_t>>> rows, std::int64_t scale,
                      std::int64_t room, std::int64_t of) {
  RateSet out;
  std::vector<std::int64_t> units, scales;
  for (const auto& row : rows) {
    std::int64_t total = 0;
    for (const auto& cells : row) total += sum_of(truth, cells);
    if (total == 0) continue;
    scales.push_back(scale == 0 ? total : scale);
    for (const auto& cells : row) {
      const std::int64_t x = sum_of(truth, cells);
      units.push_back(scale == 0 ? x : round_rate(x, total, scale));
      out.cell.insert(out.cell.end(), cells.begin(), cells.end());
      out.start.push_back(out.cell.size());
    }
  }
  out.rows = make_rate_rows(rows[0].size(), units, scales, scale == 0 ? 0 : room, of);
  return out;
}

// P(column | row), with `turned` P(row | column), of the table summed over layers.
inline RateSet rates_of(const TableCase& c, bool turned, std::int64_t scale, std::int64_t room = 1,
                        std::int64_t of = 2) {
  std::vector<std::vector<std::vector<std::uint32_t>>> rows;
  for (std::size_t a = 0; a < (turned ? c.columns : c.rows); ++a) {
    rows.emplace_back();
    for (std::size_t b = 0; b < (turned ? c.rows : c.columns); ++b) {
      rows.back().emplace_back();
      for (std::size_t k = 0; k < c.layers; ++k)
        rows.back().back().push_back(
            static_cast<std::uint32_t>(turned ? c.cell(b, a, k) : c.cell(a, b, k)));
    }
  }
  return set_of(c.truth, rows, scale, room, of);
}

// P(layer | column), summed over rows.
inline RateSet layer_rates(const TableCase& c, std::int64_t scale) {
  std::vector<std::vector<std::vector<std::uint32_t>>> rows(c.columns);
  for (std::size_t j = 0; j < c.columns; ++j)
    for (std::size_t k = 0; k < c.layers; ++k) {
      rows[j].emplace_back();
      for (std::size_t i = 0; i < c.rows; ++i)
        rows[j].back().push_back(static_cast<std::uint32_t>(c.cell(i, j, k)));
    }
  return set_of(c.truth, rows, scale, 1, 2);
}

inline TableCase table_case(RateDice& dice, std::size_t rows, std::size_t columns,
                            std::size_t layers, std::int64_t n) {
  TableCase out;
  out.rows = rows, out.columns = columns, out.layers = layers, out.n = n;
  const std::size_t size = rows * columns * layers;
  out.truth.assign(size, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    // some cells are likelier than others
    const std::int64_t at =
        dice.below(3) ? dice.below(static_cast<std::int64_t>(size)) : dice.below(2);
    ++out.truth[static_cast<std::size_t>(at)];
  }
  out.table.lower.assign(size, 0);
  out.table.upper.assign(size, kNoLimit);
  return out;
}

// The grand total, between limits. Cells that no set sums are 0.
inline void release_total(TableCase& c, std::int64_t lower, std::int64_t upper) {
  std::vector<char> is_summed(c.truth.size(), c.sets.empty());
  for (const RateSet& set : c.sets)
    for (const std::uint32_t i : set.cell) is_summed[i] = true;
  for (std::size_t i = 0; i < is_summed.size(); ++i)
    if (!is_summed[i]) c.table.upper[i] = 0;
  std::vector<RowEntry> entries;
  for (std::uint32_t i = 0; i < c.truth.size(); ++i) entries.push_back({i, 1});
  add_row(c.table, entries, lower, upper);
}

inline bool has_rates(const Values& x, const RateSet& set) {
  const std::size_t m = set.rows.n_cells;
  std::vector<char> is_summed(x.size(), false);
  for (const std::uint32_t i : set.cell) is_summed[i] = true;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!is_summed[i] && x[i] > 0) return false;
  for (std::size_t r = 0; r < set.rows.size(); ++r) {
    Values sums;
    std::int64_t total = 0;
    for (std::size_t k = r * m; k < (r + 1) * m; ++k) {
      std::int64_t sum = 0;
      for (std::size_t e = set.start[k]; e < set.start[k + 1]; ++e) sum += x[set.cell[e]];
      sums.push_back(sum);
      total += sum;
    }
    if (total == 0) return false;
    for (std::size_t j = 0; j < m; ++j) {
      const std::int64_t x_scaled = sums[j] * set.rows.scale[r];
      if (x_scaled < set.rows.low[r * m + j] * total || x_scaled > set.rows.high[r * m + j] * total)
        return false;
    }
  }
  return true;
}

inline void list_from(const TableCase& c, Values& x, std::size_t at, std::int64_t left,
                      std::vector<Values>& out) {
  if (at == x.size()) {
    if (!satisfies(c.table, x)) return;
    for (const RateSet& set : c.sets)
      if (!has_rates(x, set)) return;
    out.push_back(x);
    return;
  }
  for (std::int64_t v = 0; v <= left; ++v) {
    x[at] = v;
    list_from(c, x, at + 1, left - v, out);
  }
  x[at] = 0;
}

// All tables with at most `most` in all.
inline std::vector<Values> list_tables(const TableCase& c, std::int64_t most) {
  std::vector<Values> out;
  Values x(c.truth.size(), 0);
  list_from(c, x, 0, most, out);
  return out;
}

// A case with one to three sets, exact and rounded, and maybe a released column total.
inline TableCase random_case(RateDice& dice) {
  const bool deep = dice.below(3) == 0;
  TableCase c = deep ? table_case(dice, 2, 2, 2, 2 + dice.below(6))
                     : table_case(dice, 2 + dice.below(2), 2 + dice.below(2), 1, 2 + dice.below(7));
  const auto scale = [&] { return dice.below(3) == 0 ? 0 : dice.below(2) ? 10 : 100; };
  const std::int64_t room = dice.below(4) == 0 ? 3 : 2;
  c.sets.push_back(rates_of(c, false, scale(), room, 4));
  if (dice.below(4) > 0) c.sets.push_back(rates_of(c, true, scale(), room, 4));
  if (deep) c.sets.push_back(layer_rates(c, scale()));
  const bool open = dice.below(4) == 0;
  release_total(c, open ? c.n - 1 : c.n, open ? c.n + 1 : c.n);
  if (dice.below(4) == 0) {
    std::vector<RowEntry> entries;
    std::int64_t total = 0;
    for (std::size_t k = 0; k < c.layers; ++k)
      for (std::size_t i = 0; i < c.rows; ++i) {
        entries.push_back({static_cast<std::uint32_t>(c.cell(i, 0, k)), 1});
        total += c.truth[c.cell(i, 0, k)];
      }
    add_row(c.table, entries, total, total + dice.below(2));
  }
  return c;
}

}  // namespace rate_tables
