// The numbers of messages: doubles, and wide numbers where doubles would underflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/wide.hpp"

namespace sdclattice {

inline bool is_zero(double x) {
  return x == 0;
}
inline bool is_zero(const Wide& x) {
  return x.zero();
}
inline double ratio(double a, double b) {
  return a / b;
}
inline double ratio(const Wide& a, const Wide& b) {
  return a.ratio(b);
}
inline double log_of(double x) {
  return x > 0 ? std::log(x) : kNever;
}
inline double log_of(const Wide& x) {
  return x.log();
}
inline double exp_as(double x, double) {
  return std::exp(x);
}
inline Wide exp_as(double x, const Wide&) {
  return Wide::exp(x);
}

// Divides a message by its largest number and returns that; wide numbers stay as they are.
inline double rescale(double* message, std::size_t n) {
  double top = 0;
  for (std::size_t i = 0; i < n; ++i) top = std::max(top, message[i]);
  if (top == 0) return 0;
  const double by = 1 / top;
  if (by > std::numeric_limits<double>::max()) {
    for (std::size_t i = 0; i < n; ++i) message[i] /= top;
  } else {
    for (std::size_t i = 0; i < n; ++i) message[i] *= by;
  }
  return top;
}
inline double rescale(Wide* message, std::size_t n) {
  return std::all_of(message, message + n, [](const Wide& x) { return x.zero(); }) ? 0 : 1;
}

// b += w a, four by four where there are so many: compilers make vector instructions of that.
template <typename Number>
void add_scaled(const Number& w, const Number* a, Number* b, std::size_t n) {
  std::size_t u = 0;
  for (; u + 4 <= n; u += 4) {
    const Number s[4] = {b[u] + w * a[u], b[u + 1] + w * a[u + 1], b[u + 2] + w * a[u + 2],
                         b[u + 3] + w * a[u + 3]};
    for (int q = 0; q < 4; ++q) b[u + q] = s[q];
  }
  for (; u < n; ++u) b[u] += w * a[u];
}

template <typename Number>
Number dot(const Number* a, const Number* b, std::size_t n) {
  Number sum[4] = {};
  std::size_t u = 0;
  for (; u + 4 <= n; u += 4)
    for (int q = 0; q < 4; ++q) sum[q] += a[u + q] * b[u + q];
  for (; u < n; ++u) sum[0] += a[u] * b[u];
  sum[0] += sum[1];
  sum[2] += sum[3];
  sum[0] += sum[2];
  return sum[0];
}

template <typename Number>
bool all_zero(const Number* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!is_zero(x[i])) return false;
  return true;
}

}  // namespace sdclattice
