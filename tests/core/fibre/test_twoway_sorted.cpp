// Counts by sorted column sums against all fillings, the programme that carries every column,
// recurrences and formulas that were published.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/fibre.hpp"
#include "fibre/small_fibres.hpp"
#include "fibre/twoway_sorted.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

TwoWayTable open_table(const Whole& row, const Whole& column) {
  TwoWayTable out{row, column, {}};
  for (std::uint32_t i = 0; i < row.size(); ++i)
    for (std::uint32_t j = 0; j < column.size(); ++j)
      out.cell.push_back({i, j, std::min(row[i], column[j])});
  return out;
}

TwoWayTable even_table(std::size_t m, std::size_t n, std::int64_t row) {
  const std::int64_t column = row * static_cast<std::int64_t>(m) / static_cast<std::int64_t>(n);
  return open_table(Whole(m, row), Whole(n, column));
}

// Sums of a random filling.
TwoWayTable random_open(Dice& dice, std::size_t m, std::size_t n, int most) {
  Whole row(m, 0), column(n, 0);
  for (std::int64_t& r : row)
    for (std::int64_t& c : column) {
      const int x = dice.between(0, most);
      r += x, c += x;
    }
  return open_table(row, column);
}

BigCount sorted_count(const TwoWayTable& table, bool transposed) {
  SortedPlan plan = plan_sorted(table, 1e7);
  CHECK(plan.steps < 1e12 && plan.states <= 1e7);
  plan.transposed = transposed;
  return count_sorted(table, plan, {});
}

BigCount carried_count(const TwoWayTable& table) {
  return make_two_way(table, plan_two_way(table), table.cell.size(), {})->count({});
}

}  // namespace

TEST(random_tables_against_all_fillings) {
  Dice dice(11);
  int several = 0;
  for (int round = 0; round < 300; ++round) {
    const TwoWayTable table = random_open(dice, static_cast<std::size_t>(dice.between(1, 3)),
                                          static_cast<std::size_t>(dice.between(1, 4)), 2);
    const std::vector<Whole> all = fillings(table);
    several += all.size() > 1;
    CHECK_EQ(sorted_count(table, false), all.size());
    CHECK_EQ(sorted_count(table, true), all.size());
  }
  CHECK(several > 100);
}

// All margins with sums up to 4, zeros among them, in every order.
TEST(all_small_margins) {
  each_between({0, 0, 0, 0, 0}, {4, 4, 4, 4, 4}, [](const Whole& k) {
    const std::int64_t rest = k[0] + k[1] - k[2] - k[3] - k[4];
    if (rest < 0) return;
    const TwoWayTable table = open_table({k[0], k[1]}, {k[2], k[3], k[4], rest});
    CHECK_EQ(sorted_count(table, false), fillings(table).size());
    CHECK_EQ(sorted_count(table, true), fillings(table).size());
  });
}

TEST(larger_tables_against_the_programme_that_carries_columns) {
  Dice dice(12);
  for (int round = 0; round < 60; ++round) {
    const TwoWayTable table =
        random_open(dice, static_cast<std::size_t>(dice.between(2, 7)),
                    static_cast<std::size_t>(dice.between(2, 5)), dice.between(1, 4));
    const BigCount n = carried_count(table);
    CHECK_EQ(sorted_count(table, false), n);
    CHECK_EQ(sorted_count(table, true), n);
  }
}

// All sums 2: a(n) = n^2 a(n - 1) - n (n - 1)^2 / 2 a(n - 2) (Anand, Dumir and Gupta 1966).
TEST(published_recurrence_of_sums_of_two) {
  std::vector<BigCount> a{1, 1};
  for (std::int64_t n = 2; n <= 22; ++n)
    a.push_back(n * n * a.back() - n * (n - 1) * (n - 1) / 2 * a[a.size() - 2]);
  for (const std::size_t n : {2u, 5u, 9u, 22u})
    CHECK_EQ(sorted_count(even_table(n, n, 2), false), a[n]);
  CHECK(a[22] > BigCount(1) << 120);  // of more than one prime
}

// 3 x 3 with all sums r: (r + 1)(r + 2)(r^2 + 3 r + 4) / 8 (MacMahon).
TEST(published_formula_of_three_by_three) {
  for (const std::int64_t r : {1, 2, 7, 30, 111})
    CHECK_EQ(sorted_count(even_table(3, 3, r), false), (r + 1) * (r + 2) * (r * r + 3 * r + 4) / 8);
}

// n x n with all sums n: OEIS A110058 (McKay 2005).
TEST(published_counts_of_even_margins) {
  const std::vector<std::pair<std::size_t, std::string>> published{
      {7, "215717608046511873"}, {9, "70417932475495769964322670258947"}};
  for (const auto& [n, count] : published)
    CHECK_EQ(sorted_count(even_table(n, n, static_cast<std::int64_t>(n)), false).str(), count);
}

// Row sums 1, 2, ..., n and the same column sums: OEIS A361749 (Howroyd 2023).
TEST(published_counts_of_uneven_margins) {
  const std::vector<std::pair<std::int64_t, std::string>> published{
      {5, "22645"},
      {10, "455845471095088280120142"},
      {13, "16835366182312565093823092118182447742597067"}};
  for (const auto& [n, count] : published) {
    if (n > check::cases(10, 13)) continue;
    Whole sums;
    for (std::int64_t k = 1; k <= n; ++k) sums.push_back(n % 2 == 0 ? k : n + 1 - k);
    CHECK_EQ(sorted_count(open_table(sums, sums), n == 13).str(), count);
  }
}

TEST(other_tables_have_no_plan) {
  const TwoWayTable whole = even_table(4, 4, 5);
  CHECK(plan_sorted(whole, 1e6).steps < 1e9);
  CHECK(plan_sorted(whole, 10).steps > 1e18);  // more states than these
  TwoWayTable other = whole;
  other.cell[3].limit = 4;
  CHECK(plan_sorted(other, 1e6).steps > 1e18);
  other = whole;
  other.cell.pop_back();
  CHECK(plan_sorted(other, 1e6).steps > 1e18);
  other = whole;
  other.cell.back() = other.cell.front();  // two cells in one place
  CHECK(plan_sorted(other, 1e6).steps > 1e18);
  other = whole;
  other.impossible = true;
  CHECK(plan_sorted(other, 1e6).steps > 1e18);
}

// A few rows of a thousand columns, and the other way round.
TEST(long_tables) {
  const TwoWayTable table = open_table({300, 200}, Whole(500, 1));
  BigCount chosen = 1;  // of 500 columns those that the first row fills
  for (std::int64_t k = 1; k <= 200; ++k) chosen = chosen * (300 + k) / k;
  CHECK_EQ(sorted_count(table, false), chosen);
  CHECK_EQ(sorted_count(table.transposed(), true), chosen);
}
