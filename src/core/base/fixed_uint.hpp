// Whole numbers modulo a power of two of several words: sums that wrap, for programmes whose last
// answer is known to fit. A chain of carries, so that the compiler needs no loop of unknown length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/big_count.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

template <std::size_t n_words>
class FixedUint {
 public:
  FixedUint() = default;
  FixedUint(std::uint64_t x) : word_{x} {}
  // The lowest words of a number that is not negative.
  explicit FixedUint(BigCount x) {
    const BigCount mask = UINT64_MAX;
    for (std::uint64_t& w : word_) {
      w = static_cast<std::uint64_t>(BigCount(x & mask));
      x >>= 64;
    }
  }

  explicit operator BigCount() const {
    BigCount out = 0;
    for (std::size_t k = n_words; k-- > 0;) out = (out << 64) | word_[k];
    return out;
  }

  FixedUint& operator+=(const FixedUint& b) {
    WideUint carry = 0;
    for (std::size_t k = 0; k < n_words; ++k) {
      carry += static_cast<WideUint>(word_[k]) + b.word_[k];
      word_[k] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return *this;
  }
  FixedUint& operator-=(const FixedUint& b) {
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < n_words; ++k) {
      const WideUint left = static_cast<WideUint>(word_[k]) - b.word_[k] - borrow;
      word_[k] = static_cast<std::uint64_t>(left);
      borrow = static_cast<std::uint64_t>(left >> 64) & 1;
    }
    return *this;
  }
  friend FixedUint operator*(const FixedUint& a, const FixedUint& b) {
    FixedUint out;
    for (std::size_t i = 0; i < n_words; ++i) {
      WideUint carry = 0;
      for (std::size_t j = 0; i + j < n_words; ++j) {
        carry += static_cast<WideUint>(a.word_[i]) * b.word_[j] + out.word_[i + j];
        out.word_[i + j] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
    }
    return out;
  }
  friend bool operator==(const FixedUint& a, const FixedUint& b) { return a.word_ == b.word_; }
  friend bool operator<=(const FixedUint& a, const FixedUint& b) {
    for (std::size_t k = n_words; k-- > 0;)
      if (a.word_[k] != b.word_[k]) return a.word_[k] < b.word_[k];
    return true;
  }

 private:
  std::array<std::uint64_t, n_words> word_{};
};

// A number of any width as one of any size, and back, where it fits. Not every type of 128 bits
// knows numbers of any size.
template <class T>
BigCount to_big(const T& x) {
  return BigCount(x);
}
template <>
inline BigCount to_big(const WideUint& x) {
  return (BigCount(static_cast<std::uint64_t>(x >> 64)) << 64) | static_cast<std::uint64_t>(x);
}
template <class T>
T from_big(const BigCount& x) {
  return static_cast<T>(x);
}
template <>
inline WideUint from_big(const BigCount& x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return (static_cast<WideUint>(high) << 64) + static_cast<std::uint64_t>(x & UINT64_MAX);
}

}  // namespace sdclattice
