// Sums that equations give: both answers against the exact simplex, and their proofs by hand.
#include <algorithm>

#include "check.hpp"
#include "linear/clearing.hpp"
#include "linear/clearing_cases.hpp"

using namespace sdclattice;
using namespace clearing_cases;

namespace {

bool keeps_rows(const LinearSystem& rows, const Whole& change) {
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    std::int64_t sum = 0;
    for (std::size_t e = rows.start[r]; e < rows.start[r + 1]; ++e)
      sum += rows.coefficient[e] * change[rows.cell[e]];
    if (sum != 0) return false;
  }
  return true;
}

void check_change(const LinearSystem& rows, const Clearing& clearing, const Whole& c,
                  const std::vector<char>& free) {
  CHECK(keeps_rows(rows, clearing.change()));
  bool enough = true;
  for (std::size_t i = 0; i < c.size(); ++i)
    enough = enough && (free[i] || clearing.change()[i] + clearing.multiple() * c[i] >= 0);
  CHECK(enough);
}

void check_sum(const LinearSystem& rows, const DerivedSum& sum, const Whole& c,
               const std::vector<char>& free) {
  Whole times(c.size(), 0);
  std::int64_t left = 0;
  bool allowed = true;
  for (std::size_t k = 0; k < sum.cell.size(); ++k) {
    times[sum.cell[k]] = sum.times[k];
    left += sum.times[k] * c[sum.cell[k]];
    allowed = allowed && sum.times[k] > 0 && !free[sum.cell[k]];
  }
  CHECK(allowed);
  CHECK(left < 0);
  CHECK(follows(rows, times));
  CHECK(!sum.row.empty());
}

}  // namespace

TEST(answers_agree_with_the_exact_simplex_and_carry_proofs) {
  Dice dice(31);
  int yes = 0, no = 0, with_free = 0;
  for (int round = 0; round < 250; ++round) {
    const LinearSystem rows = hidden_rows(dice);
    const std::size_t n = rows.n_cells();
    Clearing clearing(rows, [] {});
    for (int ask = 0; ask < 6; ++ask) {
      Whole c(n, 0);
      std::vector<char> free(n, 0);
      const std::int64_t unit = dice.below(4) == 0 ? 1000000007 : 1;
      for (std::size_t i = 0; i < n; ++i) {
        c[i] = unit * dice.between(-2, 6);
        free[i] = ask % 3 == 2 && dice.below(4) == 0;
        clearing.set(i, free[i] ? Clearing::kFree : c[i]);
      }
      const Cleared found = clearing.ask();
      const bool solvable = is_solvable(rows, c, free);
      CHECK(found == (solvable ? Cleared::yes : Cleared::no));
      (solvable ? yes : no) += 1;
      with_free += ask % 3 == 2;
      if (found == Cleared::yes) check_change(rows, clearing, c, free);
      if (found == Cleared::no) check_sum(rows, clearing.sum(), c, free);
    }
  }
  CHECK(yes > 200);
  CHECK(no > 200);
  CHECK(with_free > 200);
}

TEST(what_nobody_lacks_is_cleared_and_single_cells_are_sums) {
  LinearSystem rows;
  rows.lower = {0, 0};
  rows.upper = {kNoLimit, kNoLimit};
  rows.cell = {0};
  rows.coefficient = {1};
  rows.start = {0, 1};
  rows.row_lower = rows.row_upper = {0};
  Clearing clearing(rows, [] {});
  CHECK(clearing.ask() == Cleared::yes);
  clearing.set(1, -5);
  CHECK(clearing.ask() == Cleared::yes);
  CHECK(clearing.change()[1] >= 5 * clearing.multiple());
  clearing.set(0, -1);
  CHECK(clearing.ask() == Cleared::no);
  CHECK_EQ(clearing.sum().cell, std::vector<std::uint32_t>{0});
  clearing.set(0, Clearing::kFree);
  CHECK(clearing.ask() == Cleared::yes);
}

TEST(the_check_may_throw_and_the_object_stays_usable) {
  struct Stop {};
  Dice dice(32);
  bool stops = true;
  int stopped = 0;
  for (int round = 0; round < 10; ++round) {
    const LinearSystem rows = hidden_rows(dice, 6);
    stops = true;
    Clearing clearing(rows, [&] {
      if (stops) throw Stop();
    });
    Whole c(rows.n_cells(), 0);
    for (std::size_t i = 0; i < c.size(); ++i) clearing.set(i, c[i] = dice.between(-3, 30));
    try {
      clearing.ask();
    } catch (const Stop&) {
      ++stopped;
    }
    stops = false;
    const bool solvable = is_solvable(rows, c, std::vector<char>(c.size(), 0));
    CHECK(clearing.ask() == (solvable ? Cleared::yes : Cleared::no));
  }
  CHECK(stopped > 0);
}
