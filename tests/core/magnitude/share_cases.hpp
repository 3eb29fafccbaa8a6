// Random contributors to hidden cells.
#pragma once

#include <algorithm>
#include <utility>

#include "linear/clearing_cases.hpp"
#include "magnitude/share_sums.hpp"

namespace share_cases {

using namespace clearing_cases;
using sdclattice::CellShares;

// `firms` of them, each in some cells; some cells are empty.
inline CellShares random_shares(Dice& dice, std::size_t n_cells, int firms) {
  CellShares out;
  for (std::size_t i = 0; i < n_cells; ++i) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> held;
    std::vector<int> left;
    for (int f = 0; f < firms; ++f) left.push_back(f);
    for (int n = dice.below(2) == 0 ? dice.below(3) : 3 + dice.below(3); n > 0; --n) {
      const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(left.size())));
      const std::int64_t value = dice.below(6) == 0 ? dice.below(60) : 4 + dice.below(8);
      held.emplace_back(value, static_cast<std::uint32_t>(left[at]));
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::sort(held.rbegin(), held.rend());
    std::int64_t total = 0;
    for (const auto& [value, holder] : held) {
      total += value;
      out.value.push_back(value);
      out.holder.push_back(holder);
    }
    out.total.push_back(total);
    out.start.push_back(out.holder.size());
  }
  return out;
}

// All sets of at most `most` of the firms before `firms`.
inline std::vector<std::vector<std::uint32_t>> sets_of(std::uint32_t firms, std::size_t most) {
  std::vector<std::vector<std::uint32_t>> out{{}};
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (out[k].size() == most) continue;
    for (std::uint32_t f = out[k].empty() ? 0 : out[k].back() + 1; f < firms; ++f) {
      std::vector<std::uint32_t> more = out[k];
      more.push_back(f);
      out.push_back(std::move(more));
    }
  }
  return out;
}

inline std::int64_t value_in(const CellShares& shares, std::size_t cell, std::uint32_t firm) {
  for (std::size_t h = shares.start[cell]; h < shares.start[cell + 1]; ++h)
    if (shares.holder[h] == firm) return shares.value[h];
  return 0;
}

// How often a sum counts each cell.
inline Whole times_of(const sdclattice::DerivedSum& sum, std::size_t n_cells) {
  Whole out(n_cells, 0);
  for (std::size_t k = 0; k < sum.cell.size(); ++k) out[sum.cell[k]] = sum.times[k];
  return out;
}

inline bool is_in(const std::vector<std::uint32_t>& set, std::uint32_t firm) {
  return std::find(set.begin(), set.end(), firm) != set.end();
}

}  // namespace share_cases
