// Systems of several parts against the list of all tables.
#include <algorithm>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/best_parts.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// Two systems side by side.
LinearSystem beside(const LinearSystem& a, const LinearSystem& b) {
  LinearSystem out = a;
  const auto n = static_cast<std::uint32_t>(a.n_cells());
  out.lower.insert(out.lower.end(), b.lower.begin(), b.lower.end());
  out.upper.insert(out.upper.end(), b.upper.begin(), b.upper.end());
  for (std::size_t r = 0; r < b.n_rows(); ++r) {
    for (std::size_t e = b.start[r]; e < b.start[r + 1]; ++e) {
      out.cell.push_back(n + b.cell[e]);
      out.coefficient.push_back(b.coefficient[e]);
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(b.row_lower[r]);
    out.row_upper.push_back(b.row_upper[r]);
  }
  return out;
}

std::int64_t sum_of(const Whole& x, const Whole& weight) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out += x[i] * weight[i];
  return out;
}

}  // namespace

TEST(parts_are_solved_side_by_side) {
  Dice dice(1);
  const Tick none;
  WorkClock clock(1000, none);
  int n_empty = 0, n_offered = 0;
  for (int round = 0; round < 120; ++round) {
    const LinearSystem system =
        beside(random_system(dice, 3, 1 + dice.below(2), 1),
               random_system(dice, 3 + dice.below(2), 1 + dice.below(2), 1));
    const std::vector<Whole> tables = solutions(system);
    Whole weight(system.n_cells());
    for (std::int64_t& w : weight) w = 6 * dice.between(-3, 3);
    const auto solve = [&] {
      BestParts parts(system, weight, std::vector<char>(weight.size(), 0), clock, true);
      if (!tables.empty() && round % 2 == 0) {
        parts.offer(tables.back());
        CHECK_EQ(sum_of(parts.table(), weight), sum_of(tables.back(), weight));
        ++n_offered;
      }
      while (!parts.done()) parts.advance(2);
      CHECK(satisfies(system, parts.table()));
      CHECK_EQ(sum_of(parts.table(), weight), parts.bound());
      return parts.bound();
    };
    if (tables.empty()) {
      CHECK_THROWS(InfeasibleError, solve());
      ++n_empty;
      continue;
    }
    std::int64_t least = sum_of(tables[0], weight);
    for (const Whole& x : tables) least = std::min(least, sum_of(x, weight));
    CHECK_EQ(solve(), least);
  }
  CHECK(n_empty > 3 && n_offered > 20);
}
