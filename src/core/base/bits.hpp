// The bits of a word, and the few other things that compilers offer beyond the language. Everything
// of that kind stands here, with a slower way for compilers other than GCC and Clang.
#pragma once

#include <cassert>
#include <cstdint>

// SDCLATTICE_PLAIN_CPP takes the slower ways everywhere, so that they are tested on any machine.
#if defined(__GNUC__) && !defined(SDCLATTICE_PLAIN_CPP)
#define SDCLATTICE_GNU_BUILTINS
#endif

namespace sdclattice {

// How many bits of the word are 1.
inline int count_bits(std::uint64_t word) {
#ifdef SDCLATTICE_GNU_BUILTINS
  return __builtin_popcountll(word);
#else
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<int>(word * 0x0101010101010101u >> 56);
#endif
}

// The places of the lowest and of the highest 1, from 0 on; the word is not 0.
inline int lowest_bit(std::uint64_t word) {
  assert(word != 0);
#ifdef SDCLATTICE_GNU_BUILTINS
  return __builtin_ctzll(word);
#else
  return count_bits((word & (~word + 1)) - 1);
#endif
}
inline int highest_bit(std::uint64_t word) {
  assert(word != 0);
#ifdef SDCLATTICE_GNU_BUILTINS
  return 63 - __builtin_clzll(word);
#else
  int at = 0;
  for (int step = 32; step > 0; step /= 2)
    if (word >> step != 0) word >>= step, at += step;
  return at;
#endif
}

// Asks for the memory at an address that will soon be written; a hint without any effect on
// results.
inline void prefetch_for_writing(const void* address) {
#ifdef SDCLATTICE_GNU_BUILTINS
  __builtin_prefetch(address, 1);
#else
  static_cast<void>(address);
#endif
}

// Whether the sum, difference or product does not fit; `*out` has it when it does.
inline bool sum_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) {
#ifdef SDCLATTICE_GNU_BUILTINS
  return __builtin_add_overflow(a, b, out);
#else
  if (b < 0 ? a < INT64_MIN - b : a > INT64_MAX - b) return true;
  *out = a + b;
  return false;
#endif
}
inline bool difference_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) {
#ifdef SDCLATTICE_GNU_BUILTINS
  return __builtin_sub_overflow(a, b, out);
#else
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) return true;
  *out = a - b;
  return false;
#endif
}
inline bool product_overflows(std::int64_t a, std::int64_t b, std::int64_t* out) {
#ifdef SDCLATTICE_GNU_BUILTINS
  return __builtin_mul_overflow(a, b, out);
#else
  if (a == 0 || b == 0) return *out = 0, false;
  if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) return true;
  // What exceeds the range in one direction or the other; a division by -1 cannot overflow here.
  const bool fits = a > 0 ? (b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a)
                          : (b > 0 ? a >= INT64_MIN / b : b >= INT64_MAX / a);
  if (!fits) return true;
  *out = a * b;
  return false;
#endif
}

}  // namespace sdclattice
