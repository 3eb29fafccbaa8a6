#include "base/modular.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace sdclattice {

namespace {

std::uint64_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
  return static_cast<std::uint64_t>(static_cast<WideUint>(a) * b % m);
}

std::uint64_t power_modulo(std::uint64_t a, std::uint64_t exponent, std::uint64_t m) {
  std::uint64_t out = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) out = product_modulo(out, a, m);
    a = product_modulo(a, a, m);
  }
  return out;
}

// Miller and Rabin's test, which is a proof below 2^64 with the first twelve primes as bases
// (Sorenson and Webster 2015).
bool is_prime(std::uint64_t n) {
  constexpr std::uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t p : bases)
    if (n % p == 0) return n == p;
  const int twos = lowest_bit(n - 1);
  return std::all_of(std::begin(bases), std::end(bases), [&](std::uint64_t base) {
    std::uint64_t x = power_modulo(base, (n - 1) >> twos, n);
    if (x == 1 || x == n - 1) return true;
    for (int i = 1; i < twos; ++i)
      if ((x = product_modulo(x, x, n)) == n - 1) return true;
    return false;
  });
}

// What the lower digits of a mixed radix leave of a remainder.
std::uint64_t lower_digits(const PrimeModulus& modulus, const std::vector<PrimeModulus>& moduli,
                           const std::vector<std::uint64_t>& digit, std::uint64_t& radix) {
  std::uint64_t out = 0;
  radix = modulus.one();
  for (std::size_t k = 0; k < digit.size(); ++k) {
    out = modulus.sum(out, modulus.product(radix, modulus.form(digit[k])));
    radix = modulus.product(radix, modulus.form(moduli[k].prime()));
  }
  return out;
}

}  // namespace

// Newton's steps double the digits of the inverse modulo 2^64.
PrimeModulus::PrimeModulus(std::uint64_t prime) : prime_(prime) {
  assert(prime % 2 == 1 && prime < std::uint64_t{1} << 61);
  std::uint64_t inverse = prime;
  for (int i = 0; i < 5; ++i) inverse *= 2 - prime * inverse;
  minus_inverse_ = ~inverse + 1;
  one_ = static_cast<std::uint64_t>((static_cast<WideUint>(1) << 64) % prime);
  square_ = product_modulo(one_, one_, prime);
}

std::uint64_t PrimeModulus::power(std::uint64_t a, std::uint64_t exponent) const {
  std::uint64_t out = one_;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) out = product(out, a);
    a = product(a, a);
  }
  return out;
}

std::vector<PrimeModulus> prime_moduli(std::size_t n) {
  std::vector<PrimeModulus> out;
  for (std::uint64_t p = (std::uint64_t{1} << 61) - 1; out.size() < n; p -= 2)
    if (is_prime(p)) out.emplace_back(p);
  return out;
}

BigCount from_remainders(const std::vector<PrimeModulus>& moduli,
                         const std::vector<std::uint64_t>& remainders) {
  std::vector<std::uint64_t> digit;
  BigCount out = 0, place = 1;
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    const PrimeModulus& modulus = moduli[k];
    std::uint64_t radix = 0;
    const std::uint64_t lower = lower_digits(modulus, moduli, digit, radix),
                        left = modulus.sum(remainders[k], modulus.negative(lower));
    digit.push_back(modulus.value(modulus.product(left, modulus.inverse(radix))));
    out += place * digit.back();
    place *= modulus.prime();
  }
  return out;
}

}  // namespace sdclattice
