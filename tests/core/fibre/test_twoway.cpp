// The programme over two-way tables against all fillings; its plan, its bound, its limits.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/small_fibres.hpp"
#include "fibre/twoway.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

const FibreLimits plenty;

std::unique_ptr<FibrePart> programme(const TwoWayTable& table) {
  return make_two_way(table, plan_two_way(table), table.cell.size(), plenty);
}

bool is_permutation(std::vector<std::uint32_t> x, std::size_t n) {
  std::sort(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != i) return false;
  return x.size() == n;
}

}  // namespace

TEST(random_tables_against_all_fillings) {
  Dice dice(1);
  int several = 0;
  for (int round = 0; round < 250; ++round) {
    const TwoWayTable table = random_table(dice, round % 2 == 0, 2);
    const std::vector<Whole> all = fillings(table);
    if (all.size() > 3000) continue;
    several += all.size() > 1;
    const auto part = programme(table);
    CHECK(knows(*part, all, table.cell.size()));
    if (all.size() < 40) CHECK(draws_evenly(*part, all, table.cell.size(), 5));
    // Of the first cells alone.
    const std::size_t first = table.cell.size() / 2;
    const auto some = make_two_way(table, plan_two_way(table), first, plenty);
    CHECK(knows(*some, all, first));
  }
  CHECK(several > 100);
}

// All 2 x 2 and 2 x 3 tables with small sums and one cell with a limit.
TEST(all_small_tables) {
  each_between({0, 0, 0, 0, 0}, {4, 4, 4, 4, 2}, [](const Whole& k) {
    const std::int64_t rest = k[0] + k[1] - k[2] - k[3];
    if (rest < 0) return;
    TwoWayTable table{{k[0], k[1]}, {k[2], k[3], rest}, {}};
    for (std::uint32_t i = 0; i < 2; ++i)
      for (std::uint32_t j = 0; j < 3; ++j) table.cell.push_back({i, j, i + j == 0 ? k[4] : 99});
    const auto all = fillings(table);
    const auto part = programme(table);
    CHECK_EQ(part->count({}), all.size());
  });
}

TEST(plans_hold_every_line_once) {
  Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    const TwoWayTable table = random_table(dice, false, 9);
    const TwoWayPlan plan = plan_two_way(table);
    const std::size_t lines = plan.transposed ? table.column.size() : table.row.size();
    const std::size_t others = plan.transposed ? table.row.size() : table.column.size();
    CHECK(is_permutation(plan.line, lines));
    std::vector<std::uint32_t> axes = plan.axis;
    axes.push_back(plan.rest);
    CHECK(is_permutation(axes, others));
    CHECK_EQ(plan_two_way(table.transposed()).steps, plan.steps);  // the cheaper way of both
  }
}

TEST(the_bound_is_one) {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    const TwoWayTable table = random_table(dice, round % 2 == 0, 2);
    const std::size_t n = fillings(table).size();
    if (n > 0) CHECK(log2_bound(table) >= std::log2(static_cast<double>(n)) - 1e-9);
  }
}

TEST(transposing_twice_is_nothing) {
  Dice dice(4);
  for (int round = 0; round < 50; ++round) {
    const TwoWayTable table = random_table(dice, false, 4);
    const TwoWayTable turned = table.transposed(), back = turned.transposed();
    CHECK_EQ(turned.row, table.column);
    CHECK_EQ(turned.column, table.row);
    CHECK_EQ(back.row, table.row);
    bool same = back.cell.size() == table.cell.size();
    for (std::size_t i = 0; same && i < table.cell.size(); ++i)
      same = back.cell[i].row == table.cell[i].row && back.cell[i].limit == table.cell[i].limit &&
             turned.cell[i].row == table.cell[i].column;
    CHECK(same);
    CHECK_EQ(programme(turned)->count({}), programme(table)->count({}));
  }
}

TEST(tables_that_cannot_be_filled) {
  TwoWayTable table{{1, 1}, {1, 1}, {{0, 0, 1}, {1, 0, 1}}};
  CHECK_EQ(programme(table)->count({}), 0);  // the second column has no cell
  TwoWayTable zeros{{0, 0}, {0}, {{0, 0, 5}, {1, 0, 5}}};
  CHECK_EQ(programme(zeros)->count({}), 1);
}

// Counts of more than 64 bits: a table of 2 x 30 with large sums, against the polynomial count of
// the free cells: each column of sum c has c + 1 fillings but for the row's sum.
TEST(numbers_of_many_digits) {
  TwoWayTable table;
  std::int64_t total = 0;
  for (std::uint32_t j = 0; j < 30; ++j) {
    table.column.push_back(9);
    total += 9;
    for (std::uint32_t i = 0; i < 2; ++i) table.cell.push_back({i, j, 9});
  }
  table.row = {total / 2, total - total / 2};
  std::vector<BigCount> ways(static_cast<std::size_t>(total) + 1);
  ways[0] = 1;
  for (int j = 0; j < 30; ++j)
    for (std::size_t s = ways.size(); s-- > 0;)
      for (std::size_t x = 1; x <= std::min<std::size_t>(9, s); ++x) ways[s] += ways[s - x];
  const auto part = programme(table);
  CHECK_EQ(part->count({}), ways[static_cast<std::size_t>(total / 2)]);
  CHECK(part->count({}) > BigCount(1) << 90);
}

TEST(limits_are_kept) {
  TwoWayTable table;
  table.row = table.column = {50, 50, 50, 50};
  for (std::uint32_t k = 0; k < 16; ++k) table.cell.push_back({k / 4, k % 4, 50});
  const TwoWayPlan plan = plan_two_way(table);
  CHECK_THROWS(TooLargeError, make_two_way(table, plan, 16, {10, 5e10})->count({}));
  CHECK_THROWS(TooLargeError, make_two_way(table, plan, 16, {5e7, 10})->count({}));
}
