// Wide numbers: against exact fractions of whole numbers of any size.
#include <boost/multiprecision/cpp_int.hpp>

#include "base/random.hpp"
#include "base/wide.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using boost::multiprecision::cpp_int;

// A number digits 2^(exponent - kBase) as a Wide, and times 2^kBase as a whole number.
constexpr int kBase = 4000;
struct Pair {
  Wide wide;
  cpp_int exact;
};

// 2^exponent without a double of that size.
Wide power(int exponent) {
  Wide out(1.0);
  const Wide step(exponent < 0 ? .5 : 2.0);
  for (int i = 0; i < std::abs(exponent); ++i) out = out * step;
  return out;
}

Pair random_pair(PublicRandom& random, int reach) {
  const std::uint64_t digits = random.below(6) == 0 ? 0 : random() >> (11 + random.below(40));
  const int exponent = static_cast<int>(random.below(static_cast<std::size_t>(reach))) - reach / 2;
  return {Wide(static_cast<double>(digits)) * power(exponent), cpp_int(digits)
                                                                   << (exponent + kBase)};
}

// |wide / exact - 1|, by the leading bits of the exact number.
double apart(const Wide& wide, const cpp_int& exact, int base) {
  if (exact == 0) return wide.zero() ? 0 : 1;
  const int top = static_cast<int>(msb(exact));
  const double digits = top > 62 ? static_cast<double>(cpp_int(exact >> (top - 62))) * 0x1p-62
                                 : std::ldexp(static_cast<double>(exact), -top);
  return std::abs(wide.ratio(Wide(digits) * power(top - base)) - 1);
}

constexpr double kOneRounding = 0x1p-51;

}  // namespace

TEST(sums_are_exact_to_one_rounding_at_all_distances) {
  PublicRandom random(1);
  for (int round = 0; round < 300; ++round) {
    const int reach = round % 3 == 0 ? 20 : round % 3 == 1 ? 200 : 6000;
    const Pair a = random_pair(random, reach), b = random_pair(random, reach);
    CHECK(apart(a.wide, a.exact, kBase) <= kOneRounding);
    CHECK(apart(a.wide + b.wide, a.exact + b.exact, kBase) <= kOneRounding);
    CHECK(apart(b.wide + a.wide, a.exact + b.exact, kBase) <= kOneRounding);
    Wide sum = a.wide;
    sum += b.wide;
    CHECK_EQ(sum.log(), (a.wide + b.wide).log());
  }
}

TEST(products_are_exact_to_one_rounding) {
  PublicRandom random(2);
  for (int round = 0; round < 200; ++round) {
    const Pair a = random_pair(random, 3000), b = random_pair(random, 3000);
    CHECK(apart(a.wide * b.wide, a.exact * b.exact, 2 * kBase) <= kOneRounding);
    CHECK_EQ((a.wide * b.wide).log(), (b.wide * a.wide).log());
  }
}

TEST(zero_is_neutral_for_sums_and_ends_products) {
  const Wide zero, other(0.0), x = power(5000);
  CHECK(zero.zero() && other.zero() && !x.zero());
  CHECK_EQ((zero + x).log(), x.log());
  CHECK_EQ((x + zero).log(), x.log());
  CHECK((zero + zero).zero());
  CHECK((x * zero).zero() && (zero * x).zero());
  CHECK_EQ(zero.log(), -std::numeric_limits<double>::infinity());
  CHECK_EQ(zero.ratio(x), 0.0);
  // After a product with zero the exponent has gone, too.
  CHECK_EQ((x * zero + Wide(1.0)).ratio(Wide(1.0)), 1.0);
}

TEST(ratios_are_those_of_doubles_where_doubles_reach) {
  PublicRandom random(3);
  for (int round = 0; round < 300; ++round) {
    const double x = std::ldexp(1 + static_cast<double>(random.below(1000)) / 1000,
                                static_cast<int>(random.below(400)) - 200);
    const double y = std::ldexp(1 + static_cast<double>(random.below(1000)) / 1000,
                                static_cast<int>(random.below(400)) - 200);
    CHECK_EQ(Wide(x).ratio(Wide(y)), x / y);
    CHECK_EQ((Wide(x) + Wide(y)).ratio(Wide(1.0)), x + y);
    CHECK_EQ((Wide(x) * Wide(y)).ratio(Wide(1.0)), x * y);
  }
}

TEST(ratios_beyond_doubles_are_zero_or_infinite) {
  CHECK_EQ(power(-5000).ratio(power(5000)), 0.0);
  CHECK(std::isinf(power(5000).ratio(power(-5000))));
  CHECK_EQ(power(-1074).ratio(Wide(1.0)), 0x1p-1074);
  CHECK_EQ(power(5001).ratio(power(5000)), 2.0);
}

TEST(exponentials_and_logarithms_undo_each_other) {
  for (double x : {0.0, 1.0, -1.0, .5, 700.0, 710.0, -746.0, 1e4, -1e4, 1e8, -1e8})
    CHECK_NEAR(Wide::exp(x).log(), x, 1e-14);
  CHECK(Wide::exp(-std::numeric_limits<double>::infinity()).zero());
  for (double x = -700; x <= 700; x += 13.7)
    CHECK_NEAR(Wide::exp(x).ratio(Wide(std::exp(x))), 1.0, 1e-13);
  CHECK_NEAR((Wide::exp(1e5) * Wide::exp(-1e5)).ratio(Wide(1.0)), 1.0, 1e-10);
}

TEST(the_smallest_and_largest_doubles_come_through) {
  for (double x : {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
                   std::numeric_limits<double>::denorm_min()}) {
    CHECK_EQ(Wide(x).ratio(Wide(1.0)), x);
    CHECK_NEAR(Wide(x).log(), std::log(x), 1e-15);
  }
  const Wide most(std::numeric_limits<double>::max());
  CHECK_EQ((most + most).ratio(most), 2.0);
  CHECK_NEAR((most * most).log(), 2 * std::log(std::numeric_limits<double>::max()), 1e-15);
}

// Sums of many terms of one size grow as they should, and a factorial far beyond doubles is right.
TEST(long_sums_and_products) {
  Wide sum;
  for (int i = 0; i < 1024; ++i) sum += power(-3000);
  CHECK_EQ(sum.ratio(power(-2990)), 1.0);
  Wide product(1.0);
  for (int i = 2; i <= 1000; ++i) product = product * Wide(static_cast<double>(i));
  CHECK_NEAR(product.log(), std::lgamma(1001.0), 1e-13);
}
