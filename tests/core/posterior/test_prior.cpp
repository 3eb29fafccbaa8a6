// Weights of values before the publication, against their formulas in long double arithmetic.
#include <cmath>
#include <limits>

#include "check.hpp"
#include "posterior/prior.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

PriorFactor factor(PriorFactor::Kind kind, const std::vector<double>& value, std::size_t width = 0,
                   const double* center = nullptr) {
  PriorFactor out{};
  out.kind = kind;
  out.value = {value.data(), value.size()};
  out.width = width;
  out.center = center;
  return out;
}

// lambda^v / v!, factor by factor.
long double poisson(long double rate, int v) {
  long double out = 1;
  for (int k = 1; k <= v; ++k) out *= rate / k;
  return out;
}

// What a prior of these tests says of a value, as a number.
struct Formula {
  std::vector<double> rate, least, known, table, near, center;
  Prior prior() const {
    Prior out;
    using Kind = PriorFactor::Kind;
    if (!rate.empty()) out.factors.push_back(factor(Kind::poisson, rate));
    if (!least.empty()) out.factors.push_back(factor(Kind::at_least, least));
    if (!known.empty()) out.factors.push_back(factor(Kind::known, known));
    if (!table.empty()) out.factors.push_back(factor(Kind::weights, table, 4));
    if (!near.empty()) out.factors.push_back(factor(Kind::around, near, 5, center.data()));
    return out;
  }
  long double weight(std::size_t cell, int v) const {
    const auto of = [cell](const std::vector<double>& x) { return x.size() == 1 ? x[0] : x[cell]; };
    long double out = v < 0 ? 0 : 1;
    if (!rate.empty()) out *= poisson(of(rate), v);
    if (!least.empty() && v < of(least)) out = 0;
    if (!known.empty() && !std::isnan(of(known)) && v != of(known)) out = 0;
    if (!table.empty()) out *= v < 4 && v >= 0 ? table[cell * 4 + static_cast<std::size_t>(v)] : 0;
    if (!near.empty()) {
      const int d = static_cast<int>(center[cell]) - v;
      out *= std::abs(d) > 2 ? 0 : near[cell * 5 + static_cast<std::size_t>(2 + d)];
    }
    return out;
  }
};

Formula random_formula(Dice& dice, std::size_t n) {
  Formula out;
  const auto numbers = [&](std::size_t k, auto&& draw) {
    std::vector<double> x;
    for (std::size_t i = 0; i < k; ++i) x.push_back(draw());
    return x;
  };
  const auto one_or_each = [&] { return dice.below(2) ? n : std::size_t{1}; };
  if (dice.below(2)) out.rate = numbers(one_or_each(), [&] { return dice.below(4) * .75; });
  if (dice.below(3) == 0) out.least = numbers(one_or_each(), [&] { return dice.below(3); });
  if (dice.below(3) == 0)
    out.known = numbers(one_or_each(), [&] { return dice.below(2) ? nan_value : dice.below(4); });
  if (dice.below(3) == 0) out.table = numbers(4 * n, [&] { return dice.below(3) * .4; });
  if (dice.below(3) == 0) {
    out.near = numbers(5 * n, [&] { return dice.below(3) * .3; });
    out.center = numbers(n, [&] { return dice.below(6); });
  }
  return out;
}

double log_of(long double weight) {
  return weight == 0 ? never : static_cast<double>(std::log(weight));
}

}  // namespace

TEST(random_products_of_factors) {
  Dice dice(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 1 + static_cast<std::size_t>(dice.below(3));
    const Formula formula = random_formula(dice, n);
    const Prior prior = formula.prior();
    CHECK_EQ(prior.uniform(), prior.factors.empty());
    for (std::size_t cell = 0; cell < n; ++cell)
      for (int v = 0; v <= 6; ++v)
        CHECK_NEAR(prior.log_weight(cell, v), log_of(formula.weight(cell, v)), 1e-12);
  }
}

// Base at the published value times the weight relative to it is the weight of the original.
TEST(base_times_relative_is_the_weight) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const Formula formula = random_formula(dice, 2);
    const Prior prior = formula.prior();
    for (std::size_t cell = 0; cell < 2; ++cell)
      for (int p = 0; p <= 5; ++p)
        for (int d = -4; d <= 6; ++d)
          CHECK_NEAR(prior.log_base(cell, p) + prior.log_relative(cell, p, d),
                     log_of(formula.weight(cell, p - d)), 1e-12);
  }
}

TEST(no_factor_is_uniform) {
  const Prior prior;
  CHECK(prior.uniform());
  for (int v : {0, 1, 100}) CHECK_EQ(prior.log_weight(0, v), 0);
  CHECK_EQ(prior.log_relative(0, 3, 3), 0);
  CHECK_EQ(prior.log_relative(0, 3, 4), never);
}

TEST(a_rate_of_zero_leaves_zero) {
  const std::vector<double> rate{0, 2};
  const PriorFactor f = factor(PriorFactor::Kind::poisson, rate);
  CHECK(!f.has_ratio(0));
  CHECK(f.has_ratio(1));
  CHECK_EQ(f.log_weight(0, 0), 0);
  CHECK_EQ(f.log_weight(0, 1), never);
  CHECK_NEAR(f.log_weight(1, 3), std::log(8.0 / 6), 1e-15);
  const std::vector<double> bound{1};
  CHECK(!factor(PriorFactor::Kind::at_least, bound).has_ratio(0));
}

// Where counts are large the ratio keeps what a difference of large logarithms would lose: near a
// count N the ratio for d is about (N / rate)^d.
TEST(ratios_at_large_counts) {
  for (const double count : {1e6, 1e12, 9007199254740000.0}) {
    const std::vector<double> rate{count};
    Prior prior;
    prior.factors.push_back(factor(PriorFactor::Kind::poisson, rate));
    for (int d = -3; d <= 3; ++d) {
      long double exact = 0;
      for (int k = 0; k < d; ++k) exact += std::log1p(-static_cast<long double>(k) / count);
      for (int k = 0; k < -d; ++k) exact -= std::log1p(static_cast<long double>(k + 1) / count);
      const double got = prior.log_relative(0, count, d);
      CHECK(std::fabs(got - static_cast<double>(exact)) < 1e-14 * 64);
    }
  }
}

TEST(ratios_are_additive) {
  const std::vector<double> rate{3.5};
  const PriorFactor f = factor(PriorFactor::Kind::poisson, rate);
  for (int p = 0; p <= 8; ++p)
    for (int d = -4; d <= p; ++d)
      for (int e = -4; e <= p - d; ++e)
        CHECK_NEAR(f.log_ratio(0, p, d) + f.log_ratio(0, p - d, e), f.log_ratio(0, p, d + e),
                   1e-13);
}

TEST(weights_outside_of_their_tables) {
  const std::vector<double> table{.5, .25, .25}, near{.1, .8, .1}, center{10};
  const PriorFactor values = factor(PriorFactor::Kind::weights, table, 3);
  CHECK_NEAR(values.log_weight(0, 2), std::log(.25), 1e-15);
  CHECK_EQ(values.log_weight(0, 3), never);
  CHECK_EQ(values.log_weight(0, 1e15), never);
  const PriorFactor around = factor(PriorFactor::Kind::around, near, 3, center.data());
  CHECK_EQ(around.log_weight(0, 8), never);
  CHECK_EQ(around.log_weight(0, 12), never);
  CHECK_NEAR(around.log_weight(0, 9), std::log(.1), 1e-15);   // d = 1
  CHECK_NEAR(around.log_weight(0, 10), std::log(.8), 1e-15);  // d = 0
}
