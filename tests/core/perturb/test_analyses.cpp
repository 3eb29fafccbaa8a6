// Chi-square, odds ratios and Hellinger distance of two-way tables by their textbook formulas.
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/analyses.hpp"

using namespace sdclattice;

namespace {

using Counts = std::vector<std::int64_t>;

double chi_square(const Counts& x, std::size_t m, std::size_t n) {
  std::vector<double> row(m, 0), column(n, 0);
  double total = 0, sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    row[k % m] += static_cast<double>(x[k]);
    column[k / m] += static_cast<double>(x[k]);
    total += static_cast<double>(x[k]);
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double expected = row[k % m] * column[k / m] / total;
    if (expected > 0) sum += std::pow(static_cast<double>(x[k]) - expected, 2) / expected;
  }
  return sum;
}

double log_odds(const Counts& x, std::size_t m, std::size_t i, std::size_t j) {
  const auto at = [&](std::size_t a, std::size_t b) {
    return std::log(static_cast<double>(x[a + m * b]) + .5);
  };
  return at(i, j) + at(i + 1, j + 1) - at(i + 1, j) - at(i, j + 1);
}

// Swaps on two rows and two columns: all margins stay.
void swap_some(Counts& x, std::size_t m, std::size_t n, std::mt19937_64& dice) {
  for (int k = 0; k < 4; ++k) {
    const std::size_t a = dice() % (m - 1), b = dice() % (n - 1);
    std::int64_t &p = x[a + m * b], &q = x[a + 1 + m * (b + 1)];
    if (p < 1 || q < 1) continue;
    --p, --q;
    ++x[a + 1 + m * b], ++x[a + m * (b + 1)];
  }
}

}  // namespace

TEST(two_way_tables_by_the_formulas) {
  std::mt19937_64 dice(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t m = 2 + dice() % 3, n = 2 + dice() % 3;
    const std::vector<std::size_t> dim{m, n};
    Counts before(m * n);
    for (std::int64_t& x : before) x = static_cast<std::int64_t>(dice() % 9);
    before[0] += 3;
    Counts after = before;
    swap_some(after, m, n, dice);
    Analyses analyses(before, dim);
    const double was = chi_square(before, m, n);
    if (was > 1e-6)
      CHECK_NEAR(analyses.chi_square_change(after), std::fabs(chi_square(after, m, n) / was - 1),
                 1e-9);
    double odds = 0, hellinger = 0, total = 0;
    for (std::size_t i = 0; i + 1 < m; ++i)
      for (std::size_t j = 0; j + 1 < n; ++j)
        odds += std::fabs(log_odds(after, m, i, j) - log_odds(before, m, i, j));
    CHECK_NEAR(analyses.log_odds_change(after), odds / static_cast<double>((m - 1) * (n - 1)),
               1e-9);
    for (std::size_t k = 0; k < m * n; ++k) {
      hellinger += std::pow(std::sqrt(double(after[k])) - std::sqrt(double(before[k])), 2);
      total += static_cast<double>(before[k]);
    }
    CHECK_NEAR(analyses.hellinger_distance(after), std::sqrt(hellinger / 2 / total), 1e-9);
  }
}

TEST(what_has_no_meaning_is_nan) {
  const std::vector<std::size_t> line{4}, square{2, 2};
  const Counts even{1, 1, 1, 1}, nothing{0, 0, 0, 0};
  CHECK(std::isnan(Analyses(even, line).log_odds_change(even)));
  CHECK(std::isnan(Analyses(even, square).chi_square_change(even)));
  CHECK(std::isnan(Analyses(nothing, square).hellinger_distance(nothing)));
  CHECK_THROWS(InputError, Analyses(even, {3}));
}
