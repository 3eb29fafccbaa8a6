// Whole numbers of 128 bits, and sums and products that do not overflow unnoticed.
#pragma once

#include <cassert>
#include <cstdint>

#include "base/error.hpp"

namespace sdclattice {

__extension__ typedef __int128 WideInt;
__extension__ typedef unsigned __int128 WideUint;

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
  if (__builtin_add_overflow(a, b, &out)) throw TooLargeError(what);
  return out;
}
inline std::int64_t checked_difference(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) throw TooLargeError(what);
  return out;
}
inline std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw TooLargeError(what);
  return out;
}

}  // namespace sdclattice
