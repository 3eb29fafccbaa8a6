// Rows of rates in whole numbers.
#include "base/error.hpp"
#include "check.hpp"
#include "conditional/rates.hpp"
#include "conditional/total_sets.hpp"
#include "rate_cases.hpp"
#include "small_tables.hpp"

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

// Every row of two cells with limits in quarters: what a total allows, by trying all cells.
TEST(all_small_rows_of_rates) {
  small_tables::each_between({0, 0, 0, 0}, {4, 4, 4, 4}, [](const small_tables::Whole& k) {
    if (k[0] > k[1] || k[2] > k[3]) return;
    const std::vector<std::int64_t> low{k[0], k[2]}, high{k[1], k[3]};
    const RateRow row{low.data(), high.data(), 2, 4};
    CHECK_EQ(row.exact(), low == high);
    bool fine = true;
    for (std::int64_t t = 1; t <= 9; ++t) {
      Vectors all;
      std::vector<std::int64_t> cells;
      list_cells(row, t, cells, t, all);
      fine = fine && row.allows(t) == !all.empty();
      for (std::size_t j = 0; j < 2; ++j) {
        // By itself a cell may have any count whose rate lies within the limits.
        std::int64_t least = t + 1, largest = -1;
        for (std::int64_t x = 0; x <= t; ++x)
          if (4 * x >= low[j] * t && 4 * x <= high[j] * t)
            least = std::min(least, x), largest = std::max(largest, x);
        if (largest < 0)
          fine = fine && row.least(j, t) > row.largest(j, t);
        else
          fine = fine && row.least(j, t) == least && row.largest(j, t) == largest;
      }
    }
    CHECK(fine);
    // Totals that are possible are closed under addition, and the least one is the first.
    std::int64_t first = 0;
    for (std::int64_t t = 60; t >= 1; --t)
      if (row.allows(t)) first = t;
    CHECK_EQ(least_total(row, 60, Tick()), first);
    bool closed = true;
    for (std::int64_t s = 1; s <= 12; ++s)
      for (std::int64_t t = 1; t <= s; ++t)
        closed = closed && (!row.allows(s) || !row.allows(t) || row.allows(s + t));
    CHECK(closed);
  });
}

// Rows are one kind when all their rates are the same, whichever rows they are.
TEST(kinds_of_rows) {
  small_tables::Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    RateRows rows;
    rows.n_cells = 2;
    const int n = dice.below(7);
    for (int r = 0; r < n; ++r) {
      rows.scale.push_back(dice.between(3, 4));
      for (int j = 0; j < 2; ++j) {
        rows.low.push_back(dice.below(2));
        rows.high.push_back(2);
      }
    }
    const RateKinds found = group_rows(rows);
    CHECK_EQ(found.kind_of_row.size(), rows.size());
    std::vector<std::int64_t> copies(found.kinds.size(), 0);
    bool fine = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const RateKind& kind = found.kinds[found.kind_of_row[r]];
      ++copies[found.kind_of_row[r]];
      fine = fine && kind.row.scale == rows.scale[r];
      for (std::size_t j = 0; j < 2; ++j)
        fine = fine && kind.row.low[j] == rows.low[2 * r + j] &&
               kind.row.high[j] == rows.high[2 * r + j];
      for (std::size_t s = 0; s < r; ++s) {
        const bool same = rows.scale[r] == rows.scale[s] && rows.low[2 * r] == rows.low[2 * s] &&
                          rows.low[2 * r + 1] == rows.low[2 * s + 1];
        fine = fine && (found.kind_of_row[r] == found.kind_of_row[s]) == same;
      }
    }
    for (std::size_t k = 0; k < copies.size(); ++k)
      fine = fine && found.kinds[k].copies == copies[k];
    CHECK(fine);
  }
}
