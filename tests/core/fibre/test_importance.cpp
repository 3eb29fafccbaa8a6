// Estimates of the number of tables against all tables, and products of estimates against their
// formula.
#include <limits>

#include "check.hpp"
#include "fibre/importance.hpp"
#include "fibre/small_fibres.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

constexpr std::size_t n_draws = 400;

// Parts as reduce() makes them: cells start at 0, every row has a cell.
LinearSystem random_part(Dice& dice) {
  const int m = dice.between(1, 3), n = dice.between(1, 3);
  LinearSystem out;
  Whole x;
  for (int i = 0; i < m * n; ++i) {
    x.push_back(dice.below(4));
    out.lower.push_back(0);
    out.upper.push_back(x.back() + dice.below(3));
  }
  for (int k = 0; k < m + n; ++k) {
    Whole a;
    std::int64_t sum = 0;
    for (int i = 0; i < m * n; ++i) {
      a.push_back((k < m ? i / n == k : i % n == k - m) ? 1 + (dice.below(9) == 0) : 0);
      sum += a.back() * x[static_cast<std::size_t>(i)];
    }
    add_row(out, a, sum - dice.below(2), sum);
  }
  return out;
}

}  // namespace

// Unbiased: within six standard errors, where the estimate says what they are.
TEST(estimates_against_all_tables) {
  Dice dice(1);
  PublicRandom random(1);
  int near = 0, tried = 0;
  double off = 0;
  for (int round = 0; round < 120; ++round) {
    const LinearSystem part = random_part(dice);
    const double truth = static_cast<double>(solutions(part).size());
    const FibreEstimate got = estimate_part(part, n_draws, random, {});
    CHECK(truth >= 1);
    CHECK(got.dead >= 0 && got.dead < 1);
    CHECK(got.effective > 0 && got.effective <= n_draws + 1e-9);
    const double share = std::exp(got.log_count) / truth;
    CHECK(std::fabs(share - 1) < 6 * got.relative_error + 1e-9 || got.effective < 20);
    if (got.relative_error < 1e-12) continue;
    ++tried;
    near += std::fabs(share - 1) < 2 * got.relative_error;
    off += (share - 1) / got.relative_error;
  }
  CHECK(tried > 40);
  CHECK(near > tried * 3 / 4);                         // some 95 % of them
  CHECK(std::fabs(off) < 4 * std::sqrt(1.0 * tried));  // neither too large nor too small as a rule
}

// Where no choice leads astray the weights are all the same: one row, two cells.
TEST(certain_counts_have_no_error) {
  LinearSystem part;
  part.lower = {0, 0};
  part.upper = {9, 9};
  add_row(part, {1, 1}, 9, 9);
  PublicRandom random(2);
  const FibreEstimate got = estimate_part(part, 50, random, {});
  CHECK_NEAR(got.log_count, std::log(10.0), 1e-9);
  CHECK(got.relative_error < 1e-9);
  CHECK_NEAR(got.effective, 50, 1e-6);
  CHECK_EQ(got.dead, 0);
}

TEST(the_same_seed_gives_the_same_estimate) {
  Dice dice(3);
  const LinearSystem part = random_part(dice);
  PublicRandom a(5), b(5);
  const FibreEstimate one = estimate_part(part, 100, a, {}), two = estimate_part(part, 100, b, {});
  CHECK_EQ(one.log_count, two.log_count);
  CHECK_EQ(one.relative_error, two.relative_error);
}

// A system that propagation cannot tell to be empty: every draw is a dead end.
TEST(dead_ends_are_counted) {
  LinearSystem part;
  part.lower = Whole(3, 0);
  part.upper = Whole(3, 1);
  for (const auto& row : {Whole{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}) add_row(part, row, 1, 1);
  CHECK(solutions(part).empty());
  PublicRandom random(4);
  const FibreEstimate got = estimate_part(part, 60, random, {});
  CHECK(got.log_count == -std::numeric_limits<double>::infinity());
  CHECK_EQ(got.dead, 1);
}

// The product of independent estimates: counts multiply, relative variances v = error^2 n combine
// to (1 + v)(1 + w) - 1, and a draw is dead when one of its parts is.
TEST(products_of_estimates) {
  Dice dice(5);
  PublicRandom random(6);
  for (int round = 0; round < 40; ++round) {
    const FibreEstimate a = estimate_part(random_part(dice), n_draws, random, {}),
                        b = estimate_part(random_part(dice), n_draws, random, {});
    const FibreEstimate both = product(a, b, n_draws), other = product(b, a, n_draws);
    CHECK_NEAR(both.log_count, a.log_count + b.log_count, 1e-12);
    CHECK_NEAR(both.relative_error, other.relative_error, 1e-12);
    CHECK(both.relative_error >= std::max(a.relative_error, b.relative_error) - 1e-12);
    CHECK(both.relative_error <=
          (a.relative_error + b.relative_error) * (1 + a.relative_error + b.relative_error) +
              1e-12);
    CHECK(both.effective <= std::min(a.effective, b.effective) + 1e-9);
    CHECK_NEAR(1 - both.dead, (1 - a.dead) * (1 - b.dead), 1e-12);
  }
}
