// Bounds by combinations of rows: never below what enumeration attains, whatever the multipliers;
// with those of an optimum nearly always its floor.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/safe_bound.hpp"
#include "linear/sparse_cases.hpp"
#include "linear/sparse_simplex.hpp"

using namespace sdclattice;
using namespace sparse_cases;

namespace {

const auto no_check = [] {};

std::int64_t most(const std::vector<Whole>& all, std::size_t cell, int sign) {
  std::int64_t out = -kNoLimit;
  for (const Whole& x : all) out = std::max(out, sign * x[cell]);
  return out;
}

std::vector<double> random_duals(Dice& dice, std::size_t n) {
  std::vector<double> out;
  for (std::size_t r = 0; r < n; ++r)
    out.push_back(dice.below(3) == 0 ? 0.0 : dice.between(-12, 12) / (1.0 + dice.below(6)));
  return out;
}

Multipliers random_multipliers(Dice& dice, std::size_t n) {
  Multipliers out;
  for (std::uint32_t r = 0; r < n; ++r) {
    if (dice.below(4) == 0) continue;
    out.row.push_back(r);
    out.times.push_back(dice.between(-9, 9));
  }
  out.denominator = 1 + dice.below(7);
  return out;
}

// The formula by itself: everything dense, in long double.
double plain_bound(const LinearSystem& system, std::size_t cell, int sign, const Multipliers& y) {
  std::vector<long double> c(system.n_cells(), 0.0L);
  c[cell] = sign * y.denominator;
  long double sum = 0.0L;
  for (std::size_t k = 0; k < y.row.size(); ++k) {
    const std::size_t r = y.row[k];
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      c[system.cell[e]] -= y.times[k] * system.coefficient[e];
    if (y.times[k] == 0) continue;
    const std::int64_t limit = y.times[k] > 0 ? system.row_upper[r] : system.row_lower[r];
    if (std::llabs(limit) >= kNoLimit) return INFINITY;
    sum += static_cast<long double>(y.times[k]) * limit;
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c[i] == 0.0L) continue;
    const std::int64_t limit = c[i] > 0.0L ? system.upper[i] : system.lower[i];
    if (std::llabs(limit) >= kNoLimit) return INFINITY;
    sum += c[i] * limit;
  }
  return static_cast<double>(std::floor(sum / y.denominator + 1e-12L));
}

}  // namespace

TEST(any_multipliers_give_valid_bounds) {
  Dice dice(1);
  int with_tables = 0, empty = 0, shown = 0, tight = 0;
  for (int round = 0; round < 1500; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(4), 1 + dice.below(4), 3);
    const std::vector<Whole> all = solutions(system);
    all.empty() ? ++empty : ++with_tables;
    for (int pick = 0; pick < 6; ++pick) {
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(system.n_cells())));
      const int sign = dice.below(2) == 0 ? 1 : -1;
      const Multipliers y = random_multipliers(dice, system.n_rows());
      const double plain = plain_bound(system, i, sign, y);
      const std::int64_t bound = bound_by(system, system.lower, system.upper, i, sign, y);
      CHECK(std::isinf(plain) ? bound == kNoLimit : static_cast<double>(bound) == plain);
      const std::vector<double> duals = random_duals(dice, system.n_rows());
      Multipliers best;
      const std::int64_t safe =
          safe_bound(system, system.lower, system.upper, i, sign, duals, &best);
      CHECK(safe <= (sign > 0 ? system.upper[i] : -system.lower[i]));
      CHECK_EQ(safe, bound_by(system, system.lower, system.upper, i, sign, best));
      Multipliers proof;
      const bool proved = proves_empty(system, system.lower, system.upper, duals, &proof);
      if (all.empty()) {
        shown += proved;
        continue;
      }
      CHECK(!proved);
      CHECK(bound >= most(all, i, sign));
      CHECK(safe >= most(all, i, sign));
      tight += safe == most(all, i, sign);
    }
  }
  CHECK(with_tables > 1000);
  CHECK(empty > 100);
  CHECK(shown > 20);
  CHECK(tight > 2000);
}

// The optimum over the real numbers, rounded down, is what the duals of the simplex prove, but
// where they have a denominator that is not tried.
TEST(duals_of_an_optimum_prove_its_floor) {
  Dice dice(2);
  int ends = 0, proved = 0;
  for (int round = 0; round < 80; ++round) {
    Whole truth;
    const LinearSystem system =
        round % 2 == 0 ? margins(dice, 3, 3, 2 + dice.below(3), 3, 5 * dice.below(5), truth)
                       : sparse_system(dice, 15, 10, 0, truth);
    ExactSimplex exact(system, 1000000, no_check);
    CHECK(exact.restore());
    SparseSimplex simplex(system, 5, no_check);
    simplex.load(truth);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      for (const int sign : {1, -1}) {
        const bool has_limit = exact.climb(i, sign);
        simplex.climb(i, sign);
        const std::int64_t bound =
            safe_bound(system, system.lower, system.upper, i, sign, simplex.duals());
        if (!has_limit) {
          CHECK_EQ(bound, kNoLimit);
          continue;
        }
        const WideInt top = sign * exact.numerator(i);
        const std::int64_t den = exact.denominator();
        const auto floor = static_cast<std::int64_t>(floor_ratio<WideInt>(top, den));
        CHECK(bound >= floor);
        ++ends;
        proved += bound == floor;
      }
  }
  CHECK(ends > 2000);
  CHECK(proved >= ends - 2);
}

// Narrower limits than the programme knew make the same multipliers say more.
TEST(proved_limits_sharpen_bounds) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {50, 50, 50};
  add_row(system, {2, 1, 1}, 9, 9);
  CHECK_EQ(safe_bound(system, {0, 0, 0}, {50, 50, 50}, 0, 1, {0.5}), 4);
  CHECK_EQ(safe_bound(system, {0, 1, 2}, {50, 50, 50}, 0, 1, {0.5}), 3);
  CHECK_EQ(safe_bound(system, {0, 0, 0}, {50, 2, 1}, 0, -1, {-0.5}), -3);
  CHECK(!proves_empty(system, {0, 0, 0}, {3, 2, 1}, {-1.0}));
  CHECK(proves_empty(system, {0, 0, 0}, {2, 2, 2}, {-1.0}));
  CHECK(!proves_empty(system, {0, 0, 0}, {2, 2, 2}, {1.0}));
}

// Sums that no longer fit give no bound instead of a wrong one.
TEST(what_does_not_fit_is_skipped) {
  const std::int64_t top = (std::int64_t{1} << 53) - 1;
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {top, kNoLimit};
  add_row(system, {1, 1}, top, top);
  CHECK_EQ(safe_bound(system, system.lower, system.upper, 1, 1, {1.0}), top);
  CHECK_EQ(safe_bound(system, system.lower, system.upper, 1, 1, {0.0}), kNoLimit);
  for (const double wild : {1e19, 1e300, HUGE_VAL, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_EQ(safe_bound(system, system.lower, system.upper, 0, 1, {wild}), top);
    CHECK(!proves_empty(system, system.lower, system.upper, {wild}));
  }
  LinearSystem steep;
  steep.lower = {1, 1};
  steep.upper = {top, top};
  const std::int64_t most = INT64_MAX / 2;
  add_row(steep, {most, most}, -kNoLimit, top);
  add_row(steep, {most, -most}, -top, top);
  const Multipliers y{{0, 1}, {most, most}, 1};
  CHECK_EQ(bound_by(steep, steep.lower, steep.upper, 0, 1, y), kNoLimit);
}

// The multipliers that are returned say what they prove: none for the cell's own limit.
TEST(multipliers_of_the_bound) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {3, 9, 9};
  add_row(system, {1, 1, 0}, 7, 7);
  add_row(system, {1, 0, 1}, 2, 2);
  Multipliers best;
  CHECK_EQ(safe_bound(system, system.lower, system.upper, 0, 1, {0.0, 1.0}, &best), 2);
  CHECK(best.row == std::vector<std::uint32_t>{1});
  CHECK(best.times == Whole{1});
  CHECK_EQ(best.denominator, 1);
  CHECK_EQ(safe_bound(system, system.lower, system.upper, 0, 1, {1.0, 0.0}, &best), 3);
  CHECK(best.row.empty());
  CHECK(proves_empty(system, {0, 0, 3}, {3, 9, 9}, {0.0, 1.0}, &best));
  CHECK(best.row == std::vector<std::uint32_t>{1});
  CHECK(best.times == Whole{1});
  CHECK(!proves_empty(system, {0, 0, 3}, {3, 9, 9}, {0.0, -1.0}));
}
