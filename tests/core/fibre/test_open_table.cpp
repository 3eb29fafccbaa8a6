// Counts by terms, in steps or at once, and either way round.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/open_table.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

OpenTable random_open(Dice& dice, int most) {
  OpenTable out;
  const std::size_t m = 1 + dice.below(4), n = 1 + dice.below(4);
  out.row.assign(m, 0);
  out.column.assign(n, 0);
  out.open.assign(m, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (dice.below(5) == 0) continue;
      out.open[i][j] = true;
      const int x = dice.below(most);
      out.row[i] += x;
      out.column[j] += x;
    }
  return out;
}

std::uint64_t by_enumeration(OpenTable& left, std::size_t cell) {
  const std::size_t n = left.column.size();
  if (cell == left.row.size() * n) {
    for (const auto* sums : {&left.row, &left.column})
      for (std::int64_t sum : *sums)
        if (sum != 0) return 0;
    return 1;
  }
  std::int64_t &row = left.row[cell / n], &column = left.column[cell % n];
  if (!left.open[cell / n][cell % n]) return by_enumeration(left, cell + 1);
  std::uint64_t out = 0;
  const std::int64_t most = std::min(row, column);
  for (std::int64_t x = 0; x <= most; ++x) {
    row -= x, column -= x;
    out += by_enumeration(left, cell + 1);
    row += x, column += x;
  }
  return out;
}

}  // namespace

TEST(counts_are_those_of_enumeration_either_way) {
  Dice dice(6);
  for (int round = 0; round < 250; ++round) {
    OpenTable table = random_open(dice, 3);
    const BigCount count = count_open(table, {}, {});
    CHECK_EQ(count_open(table.transposed(), {}, {}), count);
    CHECK_EQ(count, BigCount(by_enumeration(table, 0)));
  }
}

TEST(steps_may_be_taken_bit_by_bit) {
  Dice dice(7);
  int several = 0;
  for (int round = 0; round < 120; ++round) {
    const OpenTable table = random_open(dice, 1000);
    OpenCount open(table);
    int turns = 1;
    double steps = kStepsOfTerm;
    for (; !open.reach(steps, 1e9, {}); ++turns) steps += 3 * kStepsOfTerm;
    CHECK_EQ(open.count(), count_open(table, {}, {}));
    several += turns > 5;
  }
  CHECK(several > 8);
}

TEST(negative_sums_and_no_sums) {
  const OpenTable none;
  CHECK_EQ(count_open(none, {}, {}), 1);
  CHECK_EQ(count_open({{-1, 1}, {0}, {{true}, {true}}}, {}, {}), 0);
  CHECK_EQ(count_open({{0, 0}, {0}, {{true}, {true}}}, {}, {}), 1);
  CHECK_EQ(count_open({{2}, {0}, {{true}}}, {}, {}), 0);
}

TEST(limits_are_kept) {
  OpenTable table{{50, 61, 72, 83}, {70, 69, 68, 59}, {}};
  table.open.assign(4, std::vector<bool>(4, true));
  CHECK_THROWS(TooLargeError, count_open(table, {5e7, 10 * kStepsOfTerm}, {}));
  OpenTable wide{{50, 61, 72, 83, 94, 105}, {70, 69, 68, 59, 99, 100}, {}};
  wide.open.assign(6, std::vector<bool>(6, true));
  CHECK_THROWS(TooLargeError, count_open(wide, {1000, 5e10}, {}));
}
