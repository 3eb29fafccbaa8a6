// Whole numbers of 128 bits in two words of 64: what wide_int.hpp takes where the compiler has no
// such type, as on 32 bits. In two's complement, with sums and products modulo 2^128, as compilers
// have it.
//
// Why not Boost's int128_t: it holds a sign and a magnitude, from -(2^128 - 1) to 2^128 - 1. Its
// overflows are others than the built-in type's, its shifts to the right round otherwise or throw
// below zero, and casts between its signed and unsigned types check. Results must be the same
// on every machine, and these two hundred lines are easier to compare with the built-in type, which
// the test does, than each use of Boost's.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/bits.hpp"

namespace sdclattice {

template <bool is_signed>
class TwoWords;

// The quotient of two numbers without sign, and the rest: by words or their halves where the
// divisor is a word, bit by bit otherwise.
struct WordsRatio;
WordsRatio words_ratio(TwoWords<false> a, TwoWords<false> b);

template <bool is_signed>
class TwoWords {
 public:
  constexpr TwoWords() = default;
  // A whole number of the language, with its sign; as with the built-in type, this needs no cast.
  template <class Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>
  constexpr TwoWords(Int x)
      : low_(static_cast<std::uint64_t>(x)),
        high_(std::is_signed_v<Int> && static_cast<std::int64_t>(x) < 0 ? ~std::uint64_t{0} : 0) {}
  constexpr explicit TwoWords(const TwoWords<!is_signed>& x) : low_(x.low()), high_(x.high()) {}
  static constexpr TwoWords of(std::uint64_t high, std::uint64_t low) {
    TwoWords out;
    out.high_ = high, out.low_ = low;
    return out;
  }

  constexpr std::uint64_t low() const { return low_; }
  constexpr std::uint64_t high() const { return high_; }
  constexpr bool below_zero() const { return is_signed && high_ >> 63 != 0; }

  // The lowest bits, as a cast of the built-in type takes them.
  template <class Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>
  constexpr explicit operator Int() const {
    if constexpr (std::is_same_v<Int, bool>) return (low_ | high_) != 0;
    return static_cast<Int>(low_);
  }
  // The nearest double, to even on a tie: a last bit stands for what the upper 64 bits leave out.
  explicit operator double() const {
    if (below_zero()) return -static_cast<double>(size());
    if (high_ == 0) return static_cast<double>(low_);
    const int shift = highest_bit(high_) + 1;
    const std::uint64_t top = (*this >> shift).low_;
    const bool more = (TwoWords(top) << shift) != *this;
    return std::ldexp(static_cast<double>(top | (more ? 1 : 0)), shift);
  }

  constexpr TwoWords operator-() const { return TwoWords() - *this; }
  friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
    const std::uint64_t low = a.low_ + b.low_;
    return of(a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low);
  }
  friend constexpr TwoWords operator-(TwoWords a, TwoWords b) {
    return of(a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0), a.low_ - b.low_);
  }
  friend constexpr TwoWords operator*(TwoWords a, TwoWords b) {
    const TwoWords out = product(a.low_, b.low_);
    return of(out.high_ + a.high_ * b.low_ + a.low_ * b.high_, out.low_);
  }
  // Towards zero, and what this leaves, which has the sign of a.
  friend TwoWords operator/(TwoWords a, TwoWords b) {
    const TwoWords out(words_ratio(a.size(), b.size()).quotient);
    return a.below_zero() != b.below_zero() ? -out : out;
  }
  friend TwoWords operator%(TwoWords a, TwoWords b) {
    const TwoWords out(words_ratio(a.size(), b.size()).rest);
    return a.below_zero() ? -out : out;
  }
  // By less than 128 bits; to the right, the sign comes in.
  friend constexpr TwoWords operator<<(TwoWords a, int n) {
    assert(n >= 0 && n < 128);
    if (n == 0) return a;
    if (n >= 64) return of(a.low_ << (n - 64), 0);
    return of(a.high_ << n | a.low_ >> (64 - n), a.low_ << n);
  }
  friend constexpr TwoWords operator>>(TwoWords a, int n) {
    assert(n >= 0 && n < 128);
    if (n == 0) return a;
    const std::uint64_t sign = a.below_zero() ? ~std::uint64_t{0} : 0;
    if (n == 64) return of(sign, a.high_);
    if (n > 64) return of(sign, a.high_ >> (n - 64) | sign << (128 - n));
    return of(a.high_ >> n | sign << (64 - n), a.low_ >> n | a.high_ << (64 - n));
  }
  constexpr TwoWords& operator+=(TwoWords b) { return *this = *this + b; }
  constexpr TwoWords& operator-=(TwoWords b) { return *this = *this - b; }
  constexpr TwoWords& operator*=(TwoWords b) { return *this = *this * b; }
  constexpr TwoWords& operator/=(TwoWords b) { return *this = *this / b; }
  constexpr TwoWords& operator>>=(int n) { return *this = *this >> n; }

  friend constexpr bool operator==(TwoWords a, TwoWords b) {
    return a.low_ == b.low_ && a.high_ == b.high_;
  }
  friend constexpr bool operator<(TwoWords a, TwoWords b) {
    if (a.below_zero() != b.below_zero()) return a.below_zero();
    return a.high_ != b.high_ ? a.high_ < b.high_ : a.low_ < b.low_;
  }
  friend constexpr bool operator!=(TwoWords a, TwoWords b) { return !(a == b); }
  friend constexpr bool operator>(TwoWords a, TwoWords b) { return b < a; }
  friend constexpr bool operator<=(TwoWords a, TwoWords b) { return !(b < a); }
  friend constexpr bool operator>=(TwoWords a, TwoWords b) { return !(a < b); }

 private:
  // The size without the sign, which is never too large for an unsigned number.
  constexpr TwoWords<false> size() const { return TwoWords<false>(below_zero() ? -*this : *this); }

  // In four products of halves of words.
  static constexpr TwoWords product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t half = UINT32_MAX;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t middle = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other = (a & half) * (b >> 32) + (middle & half);
    return of((a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & half));
  }

  std::uint64_t low_ = 0, high_ = 0;
};

struct WordsRatio {
  TwoWords<false> quotient, rest;
};

// A digit of 32 bits of the ratio of high:next, where high < by and by has its top bit: what the
// upper half of the divisor finds is too large by at most 2. `high` becomes the rest.
inline std::uint64_t next_digit(std::uint64_t& high, std::uint64_t next, std::uint64_t by) {
  const std::uint64_t upper = by >> 32, lower = by & UINT32_MAX;
  std::uint64_t digit = std::min<std::uint64_t>(high / upper, UINT32_MAX);
  std::uint64_t rest = high - digit * upper;
  while (rest <= UINT32_MAX && digit * lower > (rest << 32 | next)) --digit, rest += upper;
  high = (high << 32 | next) - digit * by;
  return digit;
}

inline WordsRatio words_ratio(TwoWords<false> a, TwoWords<false> b) {
  assert(b != 0);
  if (a.high() == 0 && b.high() == 0) return {a.low() / b.low(), a.low() % b.low()};
  if (b.high() == 0) {
    const int shift = 63 - highest_bit(b.low());
    const std::uint64_t by = b.low() << shift;
    const TwoWords<false> shifted = TwoWords<false>::of(a.high() % b.low(), a.low()) << shift;
    std::uint64_t rest = shifted.high();
    const std::uint64_t first = next_digit(rest, shifted.low() >> 32, by);
    const std::uint64_t second = next_digit(rest, shifted.low() & UINT32_MAX, by);
    return {TwoWords<false>::of(a.high() / b.low(), first << 32 | second), rest >> shift};
  }
  TwoWords<false> quotient, rest = a.high();
  for (int i = 63; i >= 0; --i) {
    const bool beyond = rest.high() >> 63 != 0;
    rest = (rest << 1) + (a.low() >> i & 1);
    quotient = quotient << 1;
    if (beyond || rest >= b) rest -= b, quotient += 1;
  }
  return {quotient, rest};
}

// Whether the sum or product leaves the 128 bits; `*out` has it when it does not.
inline bool sum_overflows(TwoWords<true> a, TwoWords<true> b, TwoWords<true>* out) {
  *out = a + b;
  return a.below_zero() == b.below_zero() && out->below_zero() != a.below_zero();
}
inline bool product_overflows(TwoWords<true> a, TwoWords<true> b, TwoWords<true>* out) {
  *out = a * b;
  const TwoWords<true> least = TwoWords<true>::of(std::uint64_t{1} << 63, 0);
  if (a == 0) return false;
  return (a == -1 && b == least) || *out / a != b;
}

}  // namespace sdclattice
