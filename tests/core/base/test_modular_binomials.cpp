// Binomial coefficients modulo primes against those over whole numbers.
#include "base/modular_binomials.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

BigCount choose(const BigCount& n, std::size_t k) {
  BigCount out = 1;
  for (std::size_t i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out;
}

}  // namespace

TEST(small_ones_and_those_of_large_numbers) {
  const std::vector<PrimeModulus> moduli = prime_moduli(3);
  const Binomials binomials(moduli, 25);
  const auto is = [&](const std::uint64_t* found, const BigCount& x) {
    for (std::size_t p = 0; p < moduli.size(); ++p)
      CHECK_EQ(BigCount(moduli[p].value(found[p])), BigCount(x % moduli[p].prime()));
  };
  for (std::size_t n = 0; n <= 25; ++n)
    for (std::size_t j = 0; j <= n; ++j) is(binomials.small(n, j), choose(n, j));
  for (const std::int64_t a : {std::int64_t{0}, std::int64_t{3}, std::int64_t{1} << 54}) {
    std::vector<std::uint64_t> x;
    for (const PrimeModulus& m : moduli) x.push_back(m.one());
    for (std::size_t i = 1; i <= 25; ++i) {
      binomials.raise(x.data(), a, i);
      is(x.data(), choose(BigCount(a) + i, i));
    }
  }
}
