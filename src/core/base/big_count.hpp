// Exact numbers of tables: whole numbers of any size, and uniform draws below them.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>

#include "base/random.hpp"

namespace sdclattice {

using BigCount = boost::multiprecision::cpp_int;

// `exact`: the number of originals; otherwise no more than `count`, the number of outcomes of
// coins.
struct OriginalCount {
  BigCount count;
  bool exact = true;
};

// 0, ..., n - 1, each exactly as likely as the others up to the generator; n is not 0.
inline BigCount draw_below(const BigCount& n, PublicRandom& random) {
  if (n == 1) return 0;
  const auto bits = static_cast<unsigned>(msb(BigCount(n - 1))) + 1;
  for (;;) {
    BigCount x = 0;
    for (unsigned have = 0; have < bits; have += 64) x = (x << 64) | BigCount(random());
    x >>= (64 - bits % 64) % 64;
    if (x < n) return x;
  }
}

// Binary logarithm; minus infinity of 0.
inline double log2_of(const BigCount& n) {
  if (n == 0) return -INFINITY;
  const auto top = static_cast<unsigned>(msb(n));
  const unsigned shift = top > 60 ? top - 60 : 0;
  return std::log2(static_cast<double>(static_cast<std::uint64_t>(n >> shift))) + shift;
}

// Logarithm of the number of ways to share n units among k; n need not be whole. For large n the
// difference of the gamma functions would lose all digits; there it is a power of what lies
// between, to within k^3 / (24 n^2).
inline double log_shares(double n, double k) {
  if (n < 0) return -INFINITY;
  if (k <= 1) return 0;
  if (n > 1e6 * k) return (k - 1) * std::log(n + 0.5 * k) - std::lgamma(k);
  return std::lgamma(n + k) - std::lgamma(n + 1) - std::lgamma(k);
}
inline double log2_shares(double n, double k) {
  return log_shares(n, k) / std::log(2.0);
}

}  // namespace sdclattice
