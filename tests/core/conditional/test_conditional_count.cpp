// Numbers of tables with given rates against all tables, and against binomial formulas where the
// numbers are large.
#include <functional>

#include "check.hpp"
#include "conditional/conditional_count.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr double plenty = 1e12;

BigCount choose(std::int64_t n, std::int64_t k) {
  if (k < 0 || n < k) return 0;
  BigCount out = 1;
  for (std::int64_t i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return out;
}

// Goes through all cells of all rows, one after the other, with what is left of the total.
class Enumeration {
 public:
  Enumeration(const RateRows& rows, std::int64_t splits) : rows_(rows), splits_(splits) {}
  BigCount count(std::int64_t n) {
    x_.clear();
    return from(n);
  }

 private:
  BigCount from(std::int64_t left) {
    if (x_.size() == rows_.size() * rows_.n_cells) return left == 0 ? 1 : 0;
    BigCount out = 0;
    for (std::int64_t v = 0; v <= left; ++v) {
      x_.push_back(v);
      const bool row_ends = x_.size() % rows_.n_cells == 0;
      if (!row_ends || row_holds(x_.size() / rows_.n_cells - 1))
        out += choose(v + splits_ - 1, splits_ - 1) * from(left - v);
      x_.pop_back();
    }
    return out;
  }
  bool row_holds(std::size_t r) const {
    const std::size_t k = rows_.n_cells;
    std::int64_t t = 0;
    for (std::size_t j = 0; j < k; ++j) t += x_[r * k + j];
    for (std::size_t j = 0; j < k; ++j) {
      const std::int64_t scaled = rows_.scale[r] * x_[r * k + j];
      if (scaled < rows_.low[r * k + j] * t || scaled > rows_.high[r * k + j] * t) return false;
    }
    return t >= 1;
  }

  const RateRows& rows_;
  std::int64_t splits_;
  Whole x_;
};

void add_rates(RateRows& rows, const Whole& low, const Whole& high, std::int64_t scale) {
  rows.n_cells = low.size();
  rows.low.insert(rows.low.end(), low.begin(), low.end());
  rows.high.insert(rows.high.end(), high.begin(), high.end());
  rows.scale.push_back(scale);
}

// Rates of random counts: exact, or rounded to tenths.
RateRows random_rates(Dice& dice, int n_rows, std::size_t n_cells) {
  RateRows out;
  for (int r = 0; r < n_rows; ++r) {
    Whole x;
    std::int64_t t = 0;
    for (std::size_t j = 0; j < n_cells; ++j) x.push_back(dice.below(3)), t += x.back();
    if (t == 0) x[0] = t = 1;
    if (dice.below(2)) {
      add_rates(out, x, x, t);
      continue;
    }
    Whole low, high;
    for (const std::int64_t v : x) {
      const std::int64_t units = (2 * 10 * v + t) / (2 * t);
      low.push_back(std::max<std::int64_t>(0, 2 * units - 1));
      high.push_back(std::min<std::int64_t>(20, 2 * units + 1));
    }
    add_rates(out, low, high, 20);
  }
  return out;
}

}  // namespace

TEST(random_rates_against_all_tables) {
  Dice dice(1);
  int some = 0;
  for (int round = 0; round < 150; ++round) {
    const RateRows rows = random_rates(dice, dice.between(1, 2), dice.between(1, 3));
    const std::int64_t n = dice.between(0, 9), splits = dice.between(1, 3);
    const BigCount truth = Enumeration(rows, splits).count(n);
    const auto got = count_rate_tables(rows, n, splits, plenty, {});
    CHECK(got.has_value() && *got == truth);
    some += truth > 0;
  }
  CHECK(some > 50);
}

// Every pair of limits of one rate, in quarters.
TEST(all_small_limits) {
  each_between({0, 0, 1}, {4, 4, 8}, [](const Whole& k) {
    if (k[0] > k[1]) return;
    RateRows rows;
    add_rates(rows, {k[0], 4 - k[1]}, {k[1], 4 - k[0]}, 4);
    for (const std::int64_t splits : {1, 2})
      CHECK_EQ(*count_rate_tables(rows, k[2], splits, plenty, {}),
               Enumeration(rows, splits).count(k[2]));
  });
}

// Rows of rates 1/2, 1/2: totals are even, and n / 2 is shared among the rows, each at least 1.
TEST(halves_are_compositions) {
  for (const int n_rows : {1, 2, 7, 40}) {
    RateRows rows;
    for (int r = 0; r < n_rows; ++r) add_rates(rows, {1, 1}, {1, 1}, 2);
    for (const std::int64_t n : {1, 2, 80, 81, 1000})
      CHECK_EQ(*count_rate_tables(rows, n, 1, plenty, {}),
               n % 2 == 0 ? choose(n / 2 - 1, n_rows - 1) : BigCount(0));
  }
}

// Rates that say nothing: any table with positive rows. With one cell a row, compositions of n;
// splits then count the cells below, as if rows of so many cells had been summed up.
TEST(free_rates_are_shares) {
  RateRows rows;
  for (int r = 0; r < 3; ++r) add_rates(rows, {0, 0}, {1, 1}, 1);
  for (const std::int64_t n : {3, 10, 60}) {
    // Inclusion and exclusion over rows that are empty: C(3, k) tables of 2 (3 - k) cells.
    BigCount wanted = 0;
    for (int k = 0; k < 3; ++k)
      wanted += (k % 2 ? -1 : 1) * choose(3, k) * choose(n + 2 * (3 - k) - 1, 2 * (3 - k) - 1);
    CHECK_EQ(*count_rate_tables(rows, n, 1, plenty, {}), wanted);
  }
  RateRows single;
  add_rates(single, {1}, {1}, 1);
  for (const std::int64_t splits : {1, 2, 5})
    CHECK_EQ(*count_rate_tables(single, 30, splits, plenty, {}),
             choose(30 + splits - 1, splits - 1));
}

TEST(the_order_of_rows_and_cells_does_not_matter) {
  Dice dice(2);
  for (int round = 0; round < 60; ++round) {
    const RateRows rows = random_rates(dice, 3, 2);
    RateRows turned;
    for (std::size_t r = 3; r-- > 0;)
      add_rates(turned, {rows.low[2 * r + 1], rows.low[2 * r]},
                {rows.high[2 * r + 1], rows.high[2 * r]}, rows.scale[r]);
    const std::int64_t n = dice.between(3, 40);
    CHECK_EQ(*count_rate_tables(rows, n, 2, plenty, {}),
             *count_rate_tables(turned, n, 2, plenty, {}));
  }
}

// Wider limits never allow fewer tables.
TEST(wider_limits_allow_more) {
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    RateRows rows = random_rates(dice, 2, 3);
    const std::int64_t n = dice.between(2, 30);
    BigCount before = *count_rate_tables(rows, n, 1, plenty, {});
    for (int step = 0; step < 3; ++step) {
      const auto i = static_cast<std::size_t>(dice.below(6));
      rows.low[i] = std::max<std::int64_t>(0, rows.low[i] - 1);
      rows.high[i] = std::min(rows.scale[i / 3], rows.high[i] + 1);
      const BigCount now = *count_rate_tables(rows, n, 1, plenty, {});
      CHECK(now >= before);
      before = now;
    }
  }
}

TEST(too_few_for_the_rows_and_too_much_work) {
  RateRows rows;
  for (int r = 0; r < 4; ++r) add_rates(rows, {0, 0}, {1, 1}, 1);
  CHECK_EQ(*count_rate_tables(rows, 3, 1, plenty, {}), 0);  // no row may be empty
  CHECK_EQ(*count_rate_tables(rows, 4, 1, plenty, {}), 16);
  CHECK(!count_rate_tables(rows, 1000, 1, 100, {}).has_value());
  CHECK(!count_rate_tables(rows, 1000, 3, 20000, {}).has_value());
  RateRows impossible;
  add_rates(impossible, {0, 0}, {0, 0}, 1);
  CHECK_EQ(*count_rate_tables(impossible, 50, 1, plenty, {}), 0);
}

TEST(the_work_can_be_stopped) {
  struct Stop {};
  RateRows rows;
  for (int r = 0; r < 3; ++r) add_rates(rows, {r, 0}, {4, 4}, 4);
  CHECK_THROWS(Stop, count_rate_tables(rows, 200, 2, plenty, [](double) { throw Stop{}; }));
}
