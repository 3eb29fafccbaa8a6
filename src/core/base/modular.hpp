// Arithmetic modulo several primes below 2^61, side by side, for whole numbers of many digits that
// are only added and multiplied.
//
// What is computed. A number is known by its remainders when it is not negative and smaller than
// the product of the primes: from_remainders() finds it, digit by digit in a mixed radix (Garner).
// Remainders are held in the form of Montgomery (1985): x times 2^64, so that a product takes three
// multiplications of words and no division.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/big_count.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

class PrimeModulus {
 public:
  explicit PrimeModulus(std::uint64_t prime);

  std::uint64_t prime() const { return prime_; }
  std::uint64_t one() const { return one_; }
  // A number in the form in which all others are; and back.
  std::uint64_t form(std::uint64_t x) const { return product(x % prime_, square_); }
  std::uint64_t value(std::uint64_t x) const { return reduce(x); }

  std::uint64_t sum(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t s = a + b;
    return s >= prime_ ? s - prime_ : s;
  }
  std::uint64_t negative(std::uint64_t a) const { return a == 0 ? 0 : prime_ - a; }
  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    assert(a < prime_ && b < prime_);
    return reduce(static_cast<WideUint>(a) * b);
  }
  std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const;
  // Of a number that is not a multiple of the prime.
  std::uint64_t inverse(std::uint64_t a) const { return power(a, prime_ - 2); }

 private:
  std::uint64_t reduce(WideUint t) const {
    const std::uint64_t m = static_cast<std::uint64_t>(t) * minus_inverse_;
    const auto high = static_cast<std::uint64_t>((t + static_cast<WideUint>(m) * prime_) >> 64);
    return high >= prime_ ? high - prime_ : high;
  }

  std::uint64_t prime_, minus_inverse_, one_, square_;
};

// The largest primes below 2^61, in descending order; the product of n of them exceeds 2^(60 n).
std::vector<PrimeModulus> prime_moduli(std::size_t n);

// The number from 0 on, smaller than the product of the primes, with these remainders, which are in
// the form of their moduli.
BigCount from_remainders(const std::vector<PrimeModulus>& moduli,
                         const std::vector<std::uint64_t>& remainders);

}  // namespace sdclattice
