// Rows of rates in whole numbers.
#include "base/error.hpp"
#include "check.hpp"
#include "conditional/rates.hpp"
#include "rate_cases.hpp"

using namespace sdclattice;
using namespace rate_cases;

TEST(rates_are_rounded_half_up) {
  CHECK_EQ(round_rate(9, 16, 1000), 563);
  CHECK_EQ(round_rate(7, 16, 1000), 438);
  CHECK_EQ(round_rate(1, 3, 1000000000000000), 333333333333333);
  CHECK_EQ(round_rate(0, 3, 10), 0);
  CHECK_EQ(round_rate((std::int64_t{1} << 53) - 1, std::int64_t{1} << 53, 1000000000000000),
           1000000000000000);
}

TEST(limits_of_cells_are_those_of_the_definition) {
  RateDice dice;
  for (int i = 0; i < 300; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, dice.below(4), 2);
    const RateRow row{&rows.low[0], &rows.high[0], rows.n_cells, rows.scale[0]};
    for (std::int64_t t = 1; t <= 40; ++t) {
      bool crossed = false;
      std::int64_t low_sum = 0, high_sum = 0;
      for (std::size_t j = 0; j < row.n_cells; ++j) {
        std::int64_t low = 0, high = t;
        while (row.scale * low < row.low[j] * t) ++low;
        while (row.scale * high > row.high[j] * t) --high;
        CHECK_EQ(row.least(j, t), low);
        CHECK_EQ(row.largest(j, t), high);
        crossed = crossed || low > high;
        low_sum += low, high_sum += high;
      }
      CHECK_EQ(row.allows(t), !crossed && low_sum <= t && t <= high_sum);
    }
  }
}

TEST(shares_of_long_numbers_are_rounded_right) {
  const std::int64_t long_rate = std::int64_t{1} << 60, scale = (std::int64_t{1} << 60) + 1;
  CHECK_EQ(floor_share(long_rate, 1000, scale), 999);
  CHECK_EQ(ceil_share(long_rate, 1000, scale), 1000);
  CHECK_EQ(floor_share(scale, 1000, scale), 1000);
  CHECK_EQ(ceil_share(scale, 1000, scale), 1000);
  CHECK_THROWS(TooLargeError, make_rate_rows(1, {1}, {std::int64_t{1} << 50}, 1, 1000000));
}

TEST(rows_with_the_same_rates_are_one_kind) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    RateRows rows;
    rows.n_cells = 2;
    const std::int64_t n = dice.below(7);
    for (std::int64_t r = 0; r < n; ++r) {
      rows.scale.push_back(4 + dice.below(2));
      for (int j = 0; j < 2; ++j) {
        rows.low.push_back(dice.below(2));
        rows.high.push_back(3);
      }
    }
    const RateKinds kinds = group_rows(rows);
    std::vector<std::int64_t> copies(kinds.kinds.size(), 0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      ++copies[kinds.kind_of_row[r]];
      for (std::size_t q = 0; q < rows.size(); ++q) {
        const bool same = rows.scale[r] == rows.scale[q] && rows.low[2 * r] == rows.low[2 * q] &&
                          rows.low[2 * r + 1] == rows.low[2 * q + 1];
        CHECK_EQ(kinds.kind_of_row[r] == kinds.kind_of_row[q], same);
      }
    }
    for (std::size_t k = 0; k < copies.size(); ++k) CHECK_EQ(kinds.kinds[k].copies, copies[k]);
  }
}
