// Whole numbers of 128 bits, and sums and products that do not overflow unnoticed.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/error.hpp"

// SDCLATTICE_NO_INT128 takes the type in two words on any machine, so that it is tested on those
// with the built-in one.
#if !defined(__SIZEOF_INT128__) && !defined(SDCLATTICE_NO_INT128)
#define SDCLATTICE_NO_INT128
#endif
#ifdef SDCLATTICE_NO_INT128
#include "base/two_words.hpp"
#endif

namespace sdclattice {

#ifdef SDCLATTICE_NO_INT128
using WideInt = TwoWords<true>;
using WideUint = TwoWords<false>;
#else
__extension__ typedef __int128 WideInt;
__extension__ typedef unsigned __int128 WideUint;

inline bool sum_overflows(WideInt a, WideInt b, WideInt* out) {
  return __builtin_add_overflow(a, b, out);
}
inline bool product_overflows(WideInt a, WideInt b, WideInt* out) {
  return __builtin_mul_overflow(a, b, out);
}
#endif

inline WideInt wide_product(std::int64_t a, std::int64_t b) {
  return static_cast<WideInt>(a) * b;
}

template <class Int>
constexpr Int magnitude(Int x) {
  return x < 0 ? -x : x;
}

// a / b, rounded down or up.
template <class Int>
constexpr Int floor_ratio(Int a, Int b) {
  assert(b != 0);
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}
template <class Int>
constexpr Int ceil_ratio(Int a, Int b) {
  assert(b != 0);
  return a / b + ((a % b != 0) && ((a < 0) == (b < 0)));
}

// TooLargeError(what) when the result needs more than 64 bits.
inline std::int64_t checked_sum(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t out = 0;
  if (sum_overflows(a, b, &out)) throw TooLargeError(what);
  return out;
}
inline std::int64_t checked_difference(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t out = 0;
  if (difference_overflows(a, b, &out)) throw TooLargeError(what);
  return out;
}
inline std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t out = 0;
  if (product_overflows(a, b, &out)) throw TooLargeError(what);
  return out;
}

// TooLargeError(what) when so many things have no place in the addresses of this machine; x is not
// negative.
inline std::size_t checked_size(std::int64_t x, const char* what) {
  assert(x >= 0);
  if (static_cast<std::uint64_t>(x) > SIZE_MAX / 2) throw TooLargeError(what);
  return static_cast<std::size_t>(x);
}

}  // namespace sdclattice
