// Numbers of any size: draws against the bits of the generator, logarithms against exact numbers.
#include <map>

#include "base/big_count.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

BigCount power(int exponent) {
  return BigCount(1) << exponent;
}

// n (n + 1) ... / k!: the ways to share n units among k.
BigCount shares(std::uint64_t n, std::uint64_t k) {
  BigCount out = 1;
  for (std::uint64_t i = 1; i < k; ++i) out = out * (n + i) / i;
  return out;
}

// Bits needed below n, one at a time.
int bits_below(BigCount n) {
  int out = 0;
  for (n -= 1; n > 0; n /= 2) ++out;
  return out;
}

// The first number below n among those that whole words of the generator give, read as one long
// row of bits for each try, the last bits of the last word left out.
BigCount draw_by_bits(const BigCount& n, PublicRandom& random) {
  const int bits = bits_below(n);
  for (;;) {
    BigCount x = 0;
    for (int have = 0; have < bits;) {
      const std::uint64_t word = random();
      for (int b = 63; b >= 0 && have < bits; --b, ++have) x = 2 * x + (word >> b & 1);
    }
    if (x < n) return x;
  }
}

double chi_square(const std::map<std::uint64_t, int>& seen, double n_draws, double n_values) {
  double out = 0;
  for (const auto& [value, n] : seen) {
    const double apart = n - n_draws / n_values;
    out += apart * apart * n_values / n_draws;
  }
  return out + (n_values - static_cast<double>(seen.size())) * n_draws / n_values;
}

}  // namespace

TEST(draws_are_the_generators_bits) {
  std::vector<BigCount> limits;
  for (int n = 2; n <= 40; ++n) limits.emplace_back(n);
  for (int e : {31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 500})
    for (int d = -1; d <= 1; ++d) limits.push_back(power(e) + d);
  limits.push_back(3 * power(90));
  PublicRandom fast(1), slow(1);
  for (const BigCount& n : limits)
    for (int i = 0; i < 5; ++i) CHECK(draw_below(n, fast) == draw_by_bits(n, slow));
}

TEST(draws_stay_below_and_one_needs_no_draw) {
  PublicRandom random(2), untouched(2);
  for (int i = 0; i < 10; ++i) CHECK(draw_below(1, random) == 0);
  CHECK_EQ(random(), untouched());
  for (int e = 1; e < 200; ++e) {
    const BigCount n = power(e) + 1;
    for (int i = 0; i < 10; ++i) {
      const BigCount x = draw_below(n, random);
      CHECK(x >= 0 && x < n);
    }
  }
}

TEST(draws_are_uniform) {
  PublicRandom random(3);
  for (std::uint64_t n : {2, 3, 7, 10, 16, 33}) {
    std::map<std::uint64_t, int> seen;
    for (int i = 0; i < 20000; ++i) ++seen[static_cast<std::uint64_t>(draw_below(n, random))];
    CHECK_EQ(seen.size(), n);
    // Mean n - 1, standard deviation sqrt(2 (n - 1)).
    const double free = static_cast<double>(n) - 1;
    CHECK(chi_square(seen, 20000, static_cast<double>(n)) < free + 5 * std::sqrt(2 * free));
  }
  std::map<std::uint64_t, int> high, low;
  for (int i = 0; i < 20000; ++i) {
    const BigCount x = draw_below(5 * power(70), random);
    ++high[static_cast<std::uint64_t>(x >> 70)];
    ++low[static_cast<std::uint64_t>(x % 11)];
  }
  CHECK(chi_square(high, 20000, 5) < 20);
  CHECK(chi_square(low, 20000, 11) < 35);
}

TEST(logarithms_of_powers_of_two_are_exact) {
  CHECK_EQ(log2_of(0), -INFINITY);
  for (int e : {0, 1, 2, 59, 60, 61, 62, 63, 64, 65, 1000, 20000}) {
    CHECK_EQ(log2_of(power(e)), static_cast<double>(e));
    CHECK_NEAR(log2_of(3 * power(e)), e + std::log2(3.0), 1e-15);
  }
}

TEST(logarithms_add_up_over_factors_and_never_fall) {
  PublicRandom random(4);
  BigCount product = 1;
  long double sum = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t factor = 2 + random.below(1000000);
    product *= factor;
    sum += std::log2(static_cast<long double>(factor));
    CHECK_NEAR(log2_of(product), static_cast<double>(sum), 1e-14);
    CHECK(log2_of(product - 1) <= log2_of(product));
    CHECK(log2_of(product) <= log2_of(product + 1));
  }
}

TEST(shares_are_binomials) {
  for (std::uint64_t n = 0; n <= 40; ++n)
    for (std::uint64_t k = 1; k <= 25; ++k)
      CHECK_NEAR(log2_shares(static_cast<double>(n), static_cast<double>(k)), log2_of(shares(n, k)),
                 1e-12);
}

TEST(shares_of_many_units_keep_their_digits) {
  for (std::uint64_t k : {2, 3, 5, 10, 40}) {
    for (double n : {1e5, 9.99e5, 1.01e6, 1e7, 1e9, 1e12, 1e15}) {
      const double exact = log2_of(shares(static_cast<std::uint64_t>(n), k));
      const double by = static_cast<double>(k);
      // Where the gamma functions are used, they lose digits; beyond, the power is good to
      // k^3 / (24 n^2).
      const double allowed = n > 1e6 * by ? by * by * by / (24 * n * n) + 1e-14 * exact : 1e-7;
      CHECK(std::abs(log2_shares(n, by) - exact) <= 2 * allowed + 1e-13);
    }
  }
}

TEST(shares_at_the_ends) {
  CHECK_EQ(log_shares(-1, 3), -INFINITY);
  CHECK_EQ(log_shares(-.5, 1), -INFINITY);
  CHECK_EQ(log2_shares(-1, 3), -INFINITY);
  CHECK_EQ(log_shares(7, 1), 0.0);
  CHECK_EQ(log_shares(7, 0), 0.0);
  CHECK_NEAR(log_shares(0, 9), 0.0, 1e-14);
  CHECK_NEAR(log_shares(2.5, 2), std::log(3.5), 1e-14);
}

TEST(shares_grow_with_units_and_with_takers) {
  for (double k : {2.0, 3.0, 17.0}) {
    double before = -1;
    for (double n = 0; n < 1e12; n = n * 1.5 + 1) {
      CHECK(log_shares(n, k) > before);
      CHECK(n < 1 || log_shares(n, k + 1) > log_shares(n, k));
      before = log_shares(n, k);
    }
  }
}
