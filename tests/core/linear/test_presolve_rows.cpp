// Rows in work: what one step leaves. Whole systems are compared in test_presolve.cpp.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/presolve_rows.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

LinearSystem cells(std::size_t n, std::int64_t upper) {
  LinearSystem out;
  out.lower.assign(n, 0);
  out.upper.assign(n, upper);
  return out;
}

std::size_t n_alive(const PresolveRows& rows) {
  std::size_t out = 0;
  for (std::size_t r = 0; r < rows.n_rows(); ++r) out += rows.is_alive(r);
  return out;
}

}  // namespace

// As tighten() does, where no cells merge.
TEST(limits_are_narrowed_as_by_tighten) {
  Dice dice(1);
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    LinearSystem system = random_system(dice, 3 + dice.below(4), 1 + dice.below(4), 1);
    for (std::size_t r = 0; r < system.n_rows(); ++r)  // ranges merge nothing
      if (system.row_lower[r] == system.row_upper[r]) --system.row_lower[r];
    LinearSystem narrowed = system;
    const bool possible = tighten(narrowed, {});
    try {
      PresolveRows rows(system);
      rows.settle({});
      CHECK(possible);
      if (!possible) continue;
      ++compared;
      for (std::size_t i = 0; i < system.n_cells(); ++i) {
        const PresolveRows::Image image = rows.image(system, i);
        if (image.sign == 0) {
          CHECK_EQ(narrowed.lower[i], image.shift);
          CHECK_EQ(narrowed.upper[i], image.shift);
          continue;
        }
        CHECK(rows.lower(image.unknown) == narrowed.lower[i] &&
              rows.upper(image.unknown) == narrowed.upper[i]);
      }
    } catch (const InfeasibleError&) {
      CHECK(!possible);
    }
  }
  CHECK(compared > 800);
}

TEST(pairs_merge_along_a_chain) {
  LinearSystem system = cells(5, 9);
  for (std::size_t i = 0; i + 1 < 5; ++i) {
    Whole a(5, 0);
    a[i] = a[i + 1] = 1;
    add_row(system, a, 9, 9);
  }
  PresolveRows rows(system);
  rows.settle({});
  CHECK_EQ(n_alive(rows), 0);
  std::size_t n = 0;
  for (std::size_t u = 0; u < rows.n_unknowns(); ++u) n += rows.stands(u);
  CHECK_EQ(n, 1);
  const PresolveRows::Image first = rows.image(system, 0);
  for (std::size_t i = 1; i < 5; ++i) {
    const PresolveRows::Image image = rows.image(system, i);
    CHECK_EQ(image.unknown, first.unknown);
    CHECK_EQ(image.sign, i % 2 == 0 ? first.sign : -first.sign);
  }
}

// Twice the same cell, and a divisor that makes a pair of 2 and -2 one of 1 and -1.
TEST(entries_are_added_and_divided) {
  LinearSystem system = cells(2, 9);
  system.cell = {0, 1, 0, 1};
  system.coefficient = {1, -3, 1, 1};
  system.start.push_back(4);
  system.row_lower = system.row_upper = {6};
  PresolveRows rows(system);
  rows.settle({});
  const PresolveRows::Image one = rows.image(system, 0), other = rows.image(system, 1);
  CHECK_EQ(one.unknown, other.unknown);
  CHECK_EQ(one.shift - other.shift, 3);
}

TEST(equal_rows_become_one) {
  LinearSystem system = cells(4, 9);
  add_row(system, {1, 1, -1, 1}, 2, 7);
  add_row(system, {-1, -1, 1, -1}, -5, -1);
  add_row(system, {1, 1, 1, 1}, 8, 8);
  PresolveRows rows(system);
  rows.settle({});
  CHECK(rows.drop_equal_rows());
  CHECK_EQ(n_alive(rows), 2);
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    if (!rows.is_alive(r) || rows.is_equation(r)) continue;
    CHECK_EQ(rows.row_lower(r), 2);
    CHECK_EQ(rows.row_upper(r), 5);
  }
  rows.settle({});
  CHECK(!rows.drop_equal_rows());
}

// x - y >= 1 and x - y <= 0: limits creep by units up to 10^9, and any stop is valid. That both
// rows speak of the same difference shows afterwards.
TEST(creeping_limits_end) {
  LinearSystem system = cells(2, 1000000000);
  add_row(system, {1, -1}, 1, kNoLimit);
  add_row(system, {-1, 1}, 0, kNoLimit);
  PresolveRows rows(system);
  rows.settle({});
  CHECK_EQ(n_alive(rows), 2);
  CHECK(rows.lower(0) > 0 && rows.lower(0) < 1000);
  CHECK_THROWS(InfeasibleError, rows.drop_equal_rows());
}
