// Differences as characters, there and back, and an order that hashing has no part in.
#include <random>

#include "check.hpp"
#include "perturb/shift.hpp"

using namespace sdclattice;

TEST(every_difference_comes_back) {
  for (int by = -kZeroShift; by < kZeroShift; ++by)
    if (shift_of(as_shift(by)) != by) CHECK_EQ(shift_of(as_shift(by)), by);
  CHECK_EQ(shift_of(as_shift(0)), 0);
}

TEST(the_table_itself_has_no_difference) {
  for (std::size_t n = 0; n < 4; ++n) {
    const WeightedShifts one = unshifted(n);
    CHECK_EQ(one.size(), 1u);
    CHECK_EQ(one.begin()->first.size(), n);
    CHECK_EQ(one.begin()->second, 1.0);
    for (const char16_t place : one.begin()->first) CHECK_EQ(shift_of(place), 0);
  }
}

TEST(shifts_are_sorted_whatever_order_they_came_in) {
  std::mt19937_64 dice(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<Shift, double>> all;
    WeightedShifts forward, backward;
    for (int i = 0; i < 40; ++i) {
      Shift shift;
      for (int k = 0; k < 3; ++k) shift.push_back(as_shift(static_cast<int>(dice() % 5) - 2));
      if (forward.emplace(shift, i).second) all.emplace_back(shift, i);
    }
    for (std::size_t i = all.size(); i-- > 0;) backward.insert(all[i]);
    CHECK(sorted(forward) == sorted(backward));
    CHECK_EQ(sorted(forward).size(), all.size());
    CHECK(std::is_sorted(all.begin(), all.end()) || sorted(forward) != all);
  }
}
