// Random systems of sums, and their violation and cost, from the definition.
#pragma once

#include <algorithm>

#include "base/random.hpp"
#include "round/rounding_state.hpp"

namespace random_rows {

using namespace sdclattice;

using Choice = std::vector<std::uint8_t>;

inline void add_row(RoundingRows& rows, const std::vector<std::uint32_t>& cells,
                    std::int64_t target, bool room, std::int64_t cost) {
  if (rows.start.empty()) rows.start.push_back(0);
  rows.cells.insert(rows.cells.end(), cells.begin(), cells.end());
  rows.start.push_back(rows.cells.size());
  rows.target.push_back(target);
  rows.room.push_back(room);
  rows.row_cost.push_back(cost);
}

// Rows and their violation and cost, from the definition.
struct Judged {
  std::int64_t violation = 0, cost = 0;
};
inline std::int64_t held(const RoundingRows& rows, const Choice& up, std::size_t r) {
  std::int64_t out = 0;
  for (std::size_t e = rows.start[r]; e < rows.start[r + 1]; ++e) out += up[rows.cells[e]];
  return out;
}

inline Judged judge(const RoundingRows& rows, const Choice& up) {
  Judged out;
  for (std::size_t c = 0; c < up.size(); ++c) out.cost += up[c] * rows.cost[c];
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    const std::int64_t now = held(rows, up, r), low = rows.target[r], high = low + rows.room[r];
    out.violation += std::max<std::int64_t>({low - now, now - high, 0});
    if (rows.room[r] != 0 && now > low) out.cost += rows.row_cost[r];
  }
  return out;
}

inline std::int64_t weighted_violation(const RoundingRows& rows,
                                       const std::vector<std::int64_t>& weight, const Choice& up) {
  std::int64_t out = 0;
  for (std::size_t r = 0; r < rows.n_rows(); ++r)
    out +=
        weight[r] * std::max<std::int64_t>({rows.target[r] - held(rows, up, r),
                                            held(rows, up, r) - rows.target[r] - rows.room[r], 0});
  return out;
}

inline RoundingRows random_system(PublicRandom& random, std::size_t n, std::size_t m) {
  RoundingRows out;
  out.start = {0};
  for (std::size_t c = 0; c < n; ++c)
    out.cost.push_back(static_cast<std::int64_t>(random.below(11)) - 5);
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t c = 0; c < n; ++c)
      if (random.below(2) == 0) cells.push_back(c);
    add_row(out, cells, static_cast<std::int64_t>(random.below(cells.size() + 3)) - 1,
            random.below(2) == 0, static_cast<std::int64_t>(random.below(9)) - 4);
  }
  return out;
}

}  // namespace random_rows
