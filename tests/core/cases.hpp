// Small tables for tests, and slow answers about them that share no code with the core: sums over
// all cells, and all tables with given margins one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "table/risk_cells.hpp"
#include "table/table.hpp"

namespace cases {

using Levels = std::vector<std::uint32_t>;
using Mask = std::uint64_t;  // bit v stands for variable v

inline bool in(Mask set, std::size_t v) {
  return (set >> v & 1) != 0;
}
inline bool inside(Mask part, Mask whole) {
  return (part & whole) == part;
}
inline std::size_t size_of(Mask set) {
  std::size_t out = 0;
  for (; set != 0; set &= set - 1) ++out;
  return out;
}

// A table with all its cells, the first variable fastest.
struct Dense {
  Levels levels;
  std::vector<std::int64_t> counts;

  std::size_t n_variables() const { return levels.size(); }
  std::uint32_t level(std::size_t cell, std::size_t v) const {
    for (std::size_t u = 0; u < v; ++u) cell /= levels[u];
    return static_cast<std::uint32_t>(cell % levels[v]);
  }
  // The levels of a cell in the variables of a set.
  Levels at(std::size_t cell, Mask set) const {
    Levels out;
    for (std::size_t v = 0; v < levels.size(); ++v)
      if (in(set, v)) out.push_back(level(cell, v));
    return out;
  }
  std::map<Levels, std::int64_t> margin(Mask set) const {
    std::map<Levels, std::int64_t> out;
    for (std::size_t c = 0; c < counts.size(); ++c) out[at(c, set)] += counts[c];
    return out;
  }
  Mask all() const { return (Mask{1} << levels.size()) - 1; }
};

inline std::size_t number_of_cells(const Levels& levels) {
  std::size_t out = 1;
  for (std::uint32_t k : levels) out *= k;
  return out;
}

// Counts from 0 to `most`; of four cells about `zeros` are empty.
inline Dense random_dense(sdclattice::PublicRandom& random, Levels levels, std::size_t most,
                          std::size_t zeros) {
  Dense out{std::move(levels), {}};
  for (std::size_t i = number_of_cells(out.levels); i > 0; --i)
    out.counts.push_back(
        random.below(4) < zeros ? 0 : static_cast<std::int64_t>(random.below(most + 1)));
  return out;
}

inline Levels random_levels(sdclattice::PublicRandom& random, std::size_t n, std::uint32_t least,
                            std::uint32_t most) {
  Levels out;
  for (std::size_t v = 0; v < n; ++v)
    out.push_back(least + static_cast<std::uint32_t>(random.below(most - least + 1)));
  return out;
}

// The non-zero cells as the core wants them, and those at risk: counts from 1 to `most_at_risk`.
struct Stored {
  sdclattice::Layout layout;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  std::vector<std::uint32_t> at_risk;
  std::vector<std::size_t> cell;  // of each stored cell the number in the dense table

  Stored(const Dense& x, std::int64_t most_at_risk, Levels wide = {})
      : layout(wide.empty() ? x.levels : wide) {
    std::vector<std::uint64_t> key(layout.n_words(), 0);
    for (std::size_t c = 0; c < x.counts.size(); ++c) {
      if (x.counts[c] == 0) continue;
      for (std::size_t v = 0; v < x.levels.size(); ++v) layout.put(key.data(), v, x.level(c, v));
      if (x.counts[c] <= most_at_risk) at_risk.push_back(static_cast<std::uint32_t>(cell.size()));
      keys.insert(keys.end(), key.begin(), key.end());
      counts.push_back(static_cast<double>(x.counts[c]));
      cell.push_back(c);
    }
  }
  sdclattice::CellsView view() const { return {keys.data(), counts.data(), counts.size()}; }
  sdclattice::RiskCells risk() const { return sdclattice::RiskCells(layout, view(), at_risk); }
  // Of the k-th cell at risk.
  std::size_t risk_cell(std::size_t k) const { return cell[at_risk[k]]; }
};

// Calls `visit` with each table that has the margins of `x` over all of `sets`, by trying all
// counts cell by cell. Stops when `visit` returns false.
class SameMargins {
 public:
  SameMargins(const Dense& x, const std::vector<Mask>& sets) : now_(x.counts.size(), 0) {
    for (Mask set : sets) {
      std::map<Levels, std::size_t> number;
      for (std::size_t c = 0; c < x.counts.size(); ++c) number.emplace(x.at(c, set), 0);
      std::size_t n = left_.size();
      for (auto& [levels, k] : number) k = n++;
      left_.resize(n, 0);
      open_.resize(n, 0);
      place_.emplace_back();
      for (std::size_t c = 0; c < x.counts.size(); ++c) {
        place_.back().push_back(number[x.at(c, set)]);
        left_[place_.back()[c]] += x.counts[c];
        ++open_[place_.back()[c]];
      }
    }
  }

  // False when `visit` ended it, or after `budget` steps.
  bool each(const std::function<bool(const std::vector<std::int64_t>&)>& visit,
            std::size_t cell = 0) {
    if (budget == 0) return false;
    --budget;
    if (cell == now_.size()) return visit(now_);
    std::int64_t least = 0, most = INT64_MAX;
    for (const auto& place : place_) {
      most = std::min(most, left_[place[cell]]);
      if (open_[place[cell]] == 1) least = std::max(least, left_[place[cell]]);
    }
    for (std::int64_t count = least; count <= most; ++count) {
      take(cell, count, 1);
      const bool on = each(visit, cell + 1);
      take(cell, count, -1);
      if (!on) return false;
    }
    return true;
  }

  std::size_t budget = SIZE_MAX;

 private:
  void take(std::size_t cell, std::int64_t count, std::int64_t sign) {
    now_[cell] = sign > 0 ? count : 0;
    for (const auto& place : place_) {
      left_[place[cell]] -= sign * count;
      open_[place[cell]] -= static_cast<std::size_t>(sign);
    }
  }

  std::vector<std::int64_t> now_;
  std::vector<std::int64_t> left_;
  std::vector<std::size_t> open_;
  std::vector<std::vector<std::size_t>> place_;  // of each set, of each cell
};

struct Interval {
  std::int64_t lower = INT64_MAX, upper = INT64_MIN;
  std::int64_t width() const { return upper - lower; }
};

// The sharp bounds of all cells, from all tables with the margins, of which there must be one.
// Nothing where that takes too long.
inline std::vector<Interval> sharp_bounds(const Dense& x, const std::vector<Mask>& sets,
                                          std::size_t budget = 20000) {
  std::vector<Interval> out(x.counts.size());
  SameMargins tables(x, sets);
  tables.budget = budget;
  const bool all = tables.each([&](const std::vector<std::int64_t>& table) {
    for (std::size_t c = 0; c < table.size(); ++c) {
      out[c].lower = std::min(out[c].lower, table[c]);
      out[c].upper = std::max(out[c].upper, table[c]);
    }
    return true;
  });
  if (!all) out.clear();
  return out;
}

// Sets none of which lies in another, each once, in order of number.
inline std::vector<Mask> maximal(std::vector<Mask> sets) {
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  std::vector<Mask> out;
  for (Mask a : sets)
    if (std::none_of(sets.begin(), sets.end(), [&](Mask b) { return a != b && inside(a, b); }))
      out.push_back(a);
  return out;
}

// Between 1 and `most` sub-tables of n variables, none inside another.
inline std::vector<Mask> random_frontier(sdclattice::PublicRandom& random, std::size_t n,
                                         std::size_t most) {
  std::vector<Mask> out;
  for (std::size_t i = 1 + random.below(most); i > 0; --i)
    out.push_back(1 + random.below((std::size_t{1} << n) - 1));
  return maximal(out);
}

// The minimal sub-tables inside none of the sets.
inline std::vector<Mask> minimal_outside(std::size_t n, const std::vector<Mask>& sets) {
  std::vector<Mask> out;
  const auto known = [&](Mask a) {
    return std::any_of(sets.begin(), sets.end(), [&](Mask s) { return inside(a, s); });
  };
  for (Mask a = 1; a < Mask{1} << n; ++a) {
    bool minimal = !known(a);
    for (std::size_t v = 0; v < n; ++v)
      if (in(a, v) && a != Mask{1} << v) minimal = minimal && known(a & ~(Mask{1} << v));
    if (minimal) out.push_back(a);
  }
  return out;
}

// Bounds of super-cells: levels, and the number of levels for a collapsed variable. Each is the sum
// over the levels of any collapsed variable; what follows from that is followed until nothing
// changes.
using SuperCells = std::map<Levels, Interval>;

inline SuperCells super_cells(const Dense& x, const std::vector<Mask>& sets) {
  constexpr std::int64_t none = std::int64_t{1} << 50;
  SuperCells out;
  Levels sizes;
  for (std::uint32_t k : x.levels) sizes.push_back(k + 1);
  const Dense grid{sizes, {}};
  for (std::size_t c = 0; c < number_of_cells(sizes); ++c) out[grid.at(c, x.all())] = {0, none};
  for (Mask set : sets)
    for (const auto& [at, count] : x.margin(set)) {
      Levels place = x.levels;
      for (std::size_t v = 0, k = 0; v < x.n_variables(); ++v)
        if (in(set, v)) place[v] = at[k++];
      out[place] = {count, count};
    }
  return out;
}

inline void narrow(const Levels& levels, SuperCells& cells) {
  for (bool changed = true; changed;) {
    changed = false;
    const auto cut = [&](Interval& x, std::int64_t lower, std::int64_t upper) {
      if (lower > x.lower) x.lower = lower, changed = true;
      if (upper < x.upper) x.upper = upper, changed = true;
    };
    for (auto& [place, sum] : cells)
      for (std::size_t v = 0; v < levels.size(); ++v) {
        if (place[v] != levels[v]) continue;
        std::vector<Interval*> parts;
        std::int64_t lower = 0, upper = 0;
        for (std::uint32_t l = 0; l < levels[v]; ++l) {
          Levels part = place;
          part[v] = l;
          parts.push_back(&cells[part]);
          lower += parts.back()->lower;
          upper += parts.back()->upper;
        }
        cut(sum, lower, upper);
        for (Interval* p : parts) {
          const Interval old = *p;
          cut(*p, sum.lower - (upper - old.upper), sum.upper - (lower - old.lower));
          lower += p->lower - old.lower;
          upper += p->upper - old.upper;
        }
      }
  }
}

}  // namespace cases
