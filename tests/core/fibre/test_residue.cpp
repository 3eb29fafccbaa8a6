// Counts of two-way tables by residues: all fillings at small sums, published formulas at large
// ones.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/residue.hpp"
#include "fibre/small_fibres.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

const FibreLimits plenty;

TwoWayTable full_table(const Whole& row, const Whole& column) {
  TwoWayTable out{row, column, {}};
  for (std::uint32_t i = 0; i < row.size(); ++i)
    for (std::uint32_t j = 0; j < column.size(); ++j)
      out.cell.push_back({i, j, std::min(row[i], column[j])});
  return out;
}

BigCount count(const TwoWayTable& table) {
  return make_residues(table, table.cell.size(), plenty)->count({});
}

BigCount choose(const BigCount& n, int k) {
  BigCount out = 1;
  for (int i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return n < k ? BigCount(0) : out;
}

}  // namespace

TEST(random_tables_with_holes_against_all_fillings) {
  Dice dice(1);
  for (int round = 0; round < check::cases(60, 120); ++round) {
    const TwoWayTable table = random_table(dice, true, 2);
    const std::vector<Whole> all = fillings(table);
    if (all.size() > 3000) continue;
    CHECK(has_residues(table));
    const auto part = make_residues(table, table.cell.size(), plenty);
    CHECK(knows(*part, all, table.cell.size()));
    if (all.size() < 30) CHECK(draws_evenly(*part, all, table.cell.size(), 3));
    CHECK(part->steps_taken() >= 0);
  }
}

// Sums that no filling has: 0 tables.
TEST(random_sums_against_all_fillings) {
  Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    TwoWayTable table = random_table(dice, true, 2);
    if (table.cell.empty()) continue;
    std::swap(table.row.front(), table.row.back());
    table.cell.erase(table.cell.begin() + dice.below(static_cast<int>(table.cell.size())));
    for (auto& cell : table.cell) cell.limit = 1000;
    const auto all = fillings(table);
    CHECK_EQ(count(table), all.size());
  }
}

// 2 x 2: one number is free, and runs between the bounds of Frechet.
TEST(two_by_two_tables) {
  each_between({0, 0, 0}, {6, 6, 12}, [](const Whole& x) {
    const std::int64_t total = x[0] + x[1];
    if (x[2] > total) return;
    const std::int64_t least = std::max<std::int64_t>(0, x[0] + x[2] - total);
    CHECK_EQ(count(full_table({x[0], x[1]}, {x[2], total - x[2]})),
             std::min(x[0], x[2]) - least + 1);
  });
  const std::int64_t big = std::int64_t{1} << 50;
  CHECK_EQ(count(full_table({big, 3 * big}, {2 * big, 2 * big})), big + 1);
}

// Magic squares of order 3 (MacMahon): C(r + 4, 4) + C(r + 3, 4) + C(r + 2, 4).
TEST(magic_squares) {
  for (const std::int64_t r : {0, 1, 2, 3, 10, 1000, 123456789}) {
    const BigCount n(r);
    const Whole sums(3, r);
    CHECK_EQ(count(full_table(sums, sums)), choose(n + 4, 4) + choose(n + 3, 4) + choose(n + 2, 4));
  }
}

// One row: a single table. One free column beside a fixed one: compositions.
TEST(lines_and_compositions) {
  CHECK_EQ(count(full_table({9}, {4, 0, 5})), 1);
  CHECK_EQ(count(full_table({4, 0, 5}, {9})), 1);
  // Three rows, two columns, the second one large enough for anything: C(4 + 2, 2) fillings.
  CHECK_EQ(count(full_table({100, 100, 100}, {4, 296})), choose(6, 2));
}

TEST(transposing_and_reordering_change_nothing) {
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    TwoWayTable table = random_table(dice, true, 30);
    const BigCount n = count(table);
    CHECK_EQ(count(table.transposed()), n);
    std::reverse(table.row.begin(), table.row.end());
    for (auto& cell : table.cell)
      cell.row = static_cast<std::uint32_t>(table.row.size()) - 1 - cell.row;
    CHECK_EQ(count(table), n);
  }
}

// The laws of all cells have as many tables, and the mean of a row's cells is its sum.
TEST(laws_of_large_tables) {
  const TwoWayTable table = full_table({40, 25, 35}, {50, 30, 20});
  const auto part = make_residues(table, 9, plenty);
  const BigCount n = part->count({});
  const auto laws = part->laws({0, 1, 2}, {});
  BigCount sum = 0;
  for (const CellWays& ways : laws) {
    BigCount all = 0;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      all += ways[k];
      sum += ways[k] * k;
    }
    CHECK_EQ(all, n);
  }
  CHECK_EQ(sum, n * 40);
}

TEST(what_has_residues) {
  TwoWayTable table = full_table({3, 4}, {5, 2});
  CHECK(has_residues(table));
  table.cell[0].limit = 2;  // its row and column allow 3
  CHECK(!has_residues(table));
  table.cell[0].limit = 100;
  CHECK(has_residues(table));
  table.cell.push_back(table.cell[0]);
  CHECK(!has_residues(table));
  CHECK(has_residues(TwoWayTable{}));
}

TEST(limits_are_kept) {
  const Whole sums(5, 1000000);
  const TwoWayTable table = full_table(sums, sums);
  CHECK_THROWS(TooLargeError, make_residues(table, 25, {100, 5e10})->count({}));
  CHECK_THROWS(TooLargeError, make_residues(table, 25, {5e7, 1000})->count({}));
  const TwoWayTable wide = full_table({1000000, 1000000}, {1000000, 1000000});
  CHECK_THROWS(TooLargeError, make_residues(wide, 4, {1000, 1e6})->laws({0}, {}));
}
