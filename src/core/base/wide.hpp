// Non-negative numbers of any size: a double for the digits and an integer for the exponent. Slower
// than doubles, and they neither underflow nor overflow.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sdclattice {

constexpr double kNever = -std::numeric_limits<double>::infinity();  // the logarithm of nothing

class Wide {
 public:
  Wide() = default;
  explicit Wide(double x) { *this = Wide(x, 0); }
  static Wide exp(double x) {
    if (x == kNever) return Wide();
    constexpr double ln2 = 0.693147180559945309417;
    const double whole = std::floor(x / ln2);
    return Wide(std::exp(x - whole * ln2), static_cast<std::int64_t>(whole));
  }
  double log() const {
    return digits_ == 0 ? kNever
                        : std::log(digits_) + static_cast<double>(exponent_) * std::log(2.0);
  }
  bool zero() const { return digits_ == 0; }
  // this / other, as a double; other is not zero.
  double ratio(const Wide& other) const {
    return std::ldexp(digits_ / other.digits_, clamp(exponent_ - other.exponent_));
  }

  Wide operator*(const Wide& other) const {
    return Wide(digits_ * other.digits_, exponent_ + other.exponent_);
  }
  Wide operator+(const Wide& other) const { return Wide(*this) += other; }
  Wide& operator+=(const Wide& other) {
    if (other.digits_ == 0) return *this;
    if (digits_ == 0) return *this = other;
    const std::int64_t up = other.exponent_ - exponent_;
    return *this = up <= 0 ? Wide(digits_ + std::ldexp(other.digits_, clamp(up)), exponent_)
                           : Wide(other.digits_ + std::ldexp(digits_, clamp(-up)), other.exponent_);
  }

 private:
  // Digits from 1/2 to 1, or 0.
  Wide(double digits, std::int64_t exponent) {
    int shift = 0;
    digits_ = std::frexp(digits, &shift);
    exponent_ = digits_ == 0 ? 0 : exponent + shift;
  }
  // ldexp() takes an int; beyond +-2000 its result is 0 or infinite anyway.
  static int clamp(std::int64_t x) {
    return x < -2000 ? -2000 : x > 2000 ? 2000 : static_cast<int>(x);
  }

  double digits_ = 0;
  std::int64_t exponent_ = 0;
};

}  // namespace sdclattice
