// Arithmetic modulo primes against whole numbers of any size.
#include "base/modular.hpp"
#include "check.hpp"

using namespace sdclattice;

TEST(primes_are_the_largest_ones) {
  const std::vector<PrimeModulus> moduli = prime_moduli(12);
  CHECK_EQ(moduli[0].prime(), (std::uint64_t{1} << 61) - 1);  // Mersenne's
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    const std::uint64_t p = moduli[k].prime();
    CHECK(p > std::uint64_t{1} << 60);
    if (k > 0) CHECK(p < moduli[k - 1].prime());
    for (std::uint64_t d = 2; d < 2000; ++d) CHECK(p % d != 0);
    // Fermat: no composite number passes for many bases but those of Carmichael.
    for (std::uint64_t a = 2; a < 40; ++a)
      CHECK_EQ(moduli[k].value(moduli[k].power(moduli[k].form(a), p - 1)), 1u);
  }
  // No prime is left out: each odd number between two of them has a witness.
  for (std::size_t k = 1; k < 4; ++k)
    for (std::uint64_t n = moduli[k].prime() + 2; n < moduli[k - 1].prime(); n += 2)
      CHECK(powm(BigCount(3), BigCount(n - 1), BigCount(n)) != 1);
}

TEST(sums_products_and_inverses) {
  PublicRandom random(1);
  for (const PrimeModulus& m : prime_moduli(3)) {
    const BigCount p = m.prime();
    for (int round = 0; round < 400; ++round) {
      const std::uint64_t a = random() >> (round % 64), b = random() >> (round * 7 % 64);
      const std::uint64_t x = m.form(a), y = m.form(b);
      CHECK_EQ(m.value(x), a % m.prime());
      CHECK_EQ(BigCount(m.value(m.sum(x, y))), BigCount((BigCount(a) + b) % p));
      CHECK_EQ(BigCount(m.value(m.product(x, y))), BigCount(BigCount(a) * b % p));
      CHECK_EQ(m.sum(x, m.negative(x)), 0u);
      if (x != 0) CHECK_EQ(m.product(x, m.inverse(x)), m.one());
    }
  }
}

TEST(numbers_come_back_from_their_remainders) {
  PublicRandom random(2);
  for (std::size_t n = 1; n < 9; ++n) {
    const std::vector<PrimeModulus> moduli = prime_moduli(n);
    BigCount all = 1;
    for (const PrimeModulus& m : moduli) all *= m.prime();
    CHECK(all > BigCount(1) << static_cast<unsigned>(60 * n));
    for (int round = 0; round < 50; ++round) {
      const BigCount x = round == 0   ? BigCount(0)
                         : round == 1 ? BigCount(all - 1)
                                      : draw_below(all, random);
      std::vector<std::uint64_t> remainders;
      for (const PrimeModulus& m : moduli)
        remainders.push_back(m.form(static_cast<std::uint64_t>(BigCount(x % m.prime()))));
      CHECK_EQ(from_remainders(moduli, remainders), x);
    }
  }
}
