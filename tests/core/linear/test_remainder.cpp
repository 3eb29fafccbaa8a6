// What is left of a range by an equation over whole numbers, against going through the range.
#include <numeric>

#include "check.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/remainder.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

TEST(limits_move_to_the_outermost_numbers_that_fit) {
  small_tables::Dice dice(5);
  int none = 0, moved = 0;
  for (int k = 0; k < 3000; ++k) {
    const std::int64_t divisor = dice.between(2, 9), left = dice.between(-30, 30);
    const std::int64_t a = dice.between(1, 6) * (dice.below(2) == 0 ? 1 : -1);
    const std::int64_t low = dice.between(-9, 9), high = low + dice.below(12);
    std::int64_t lower = low, upper = high, least = high + 1, most = low - 1;
    for (std::int64_t x = low; x <= high; ++x) {
      if ((left - a * x) % divisor != 0) continue;
      least = std::min(least, x);
      most = x;
    }
    skip_to_remainder(left, a, divisor, lower, upper);
    if (most < low) {
      ++none;
      CHECK(lower > upper);
      continue;
    }
    moved += lower > low || upper < high;
    CHECK_EQ(lower, least);
    CHECK_EQ(upper, most);
  }
  CHECK(none > 200 && moved > 1000);
}

TEST(without_a_divisor_or_a_limit_nothing_moves) {
  for (const std::int64_t divisor : {0, 1, 65}) {
    std::int64_t lower = 1, upper = 2;
    skip_to_remainder(7, 2, divisor, lower, upper);
    CHECK(lower == 1 && upper == 2);
  }
  std::int64_t lower = 0, upper = kNoLimit;
  skip_to_remainder(1, 1, 2, lower, upper);
  CHECK(lower == 1 && upper == kNoLimit);
}

// 2 x - y - 2 z = -1: y is odd, however large x and z are.
TEST(remainders_bound_cells_beside_others_without_limits) {
  for (const BoundsEngine engine :
       {BoundsEngine::choose, BoundsEngine::simplex, BoundsEngine::sparse}) {
    LinearSystem system;
    system.lower = {1, 0, 1};
    system.upper = {kNoLimit, 4, kNoLimit};
    small_tables::add_row(system, {2, -1, -2}, -1, -1);
    BoundsLimits limits;
    limits.engine = engine;
    const IntegerBounds got = integer_bounds(system, {0, 1, 2}, limits, {});
    CHECK(got.lower[1] == 1 && got.upper[1] == 3 && got.sharp[1]);
  }
}
