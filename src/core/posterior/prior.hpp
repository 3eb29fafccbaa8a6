// What is known of the cells before the publication: a product of per-cell weights.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/wide.hpp"

namespace sdclattice {

// std::lgamma() writes a sign that all threads share.
inline double log_factorial(double v) {
#ifdef __GLIBC__
  int sign = 0;
  return ::lgamma_r(v + 1, &sign);
#else
  return std::lgamma(v + 1);
#endif
}

// One number for all cells, or one per cell.
struct PerCell {
  const double* data = nullptr;
  std::size_t size = 0;
  double operator[](std::size_t cell) const { return size == 1 ? data[0] : data[cell]; }
};

// One factor of the prior. Weights are not normalised: a Poisson factor is lambda^v / v!.
struct PriorFactor {
  enum class Kind { poisson, at_least, known, weights, around };
  Kind kind;
  PerCell value;          // rate; smallest value; known value (NaN where it is not known)
  std::size_t width = 0;  // weights: value v of cell c has weight value.data[c * width + v]
  // around: value center[c] - d has weight value.data[c * width + width / 2 + d]
  const double* center = nullptr;

  double log_weight(std::size_t cell, double v) const {
    switch (kind) {
      case Kind::poisson: {
        const double rate = value[cell];
        if (rate == 0) return v == 0 ? 0 : kNever;
        return v * std::log(rate) - log_factorial(v);
      }
      case Kind::at_least:
        return v >= value[cell] ? 0 : kNever;
      case Kind::known:
        return std::isnan(value[cell]) || v == value[cell] ? 0 : kNever;
      case Kind::weights:
        if (v >= static_cast<double>(width)) return kNever;
        return std::log(value.data[cell * width + static_cast<std::size_t>(v)]);
      case Kind::around: {
        const double d = center[cell] - v, half = static_cast<double>(width / 2);
        if (std::abs(d) > half) return kNever;
        return std::log(value.data[cell * width + static_cast<std::size_t>(half + d)]);
      }
    }
    return kNever;
  }

  bool has_ratio(std::size_t cell) const { return kind == Kind::poisson && value[cell] > 0; }
  // log of weight(p - d) / weight(p), of a Poisson factor with a positive rate.
  double log_ratio(std::size_t cell, double p, int d) const {
    const double log_rate = std::log(value[cell]);
    double sum = 0;
    for (int k = 0; k < d; ++k) sum += std::log(p - k) - log_rate;
    for (int k = 0; k < -d; ++k) sum += log_rate - std::log(p + k + 1);
    return sum;
  }
};

// The product of its factors; none: uniform, every non-negative value has weight 1.
struct Prior {
  std::vector<PriorFactor> factors;

  bool uniform() const { return factors.empty(); }
  double log_weight(std::size_t cell, double v) const {
    return log_base(cell, v) + log_relative(cell, v, 0);
  }
  // The weight of value p - d of a cell with published value p is base times relative. Poisson
  // factors go into the base at p, and as exact ratios into the rest: their logarithms are large
  // where counts are, and differences of large numbers would lose the small one that matters.
  double log_base(std::size_t cell, double p) const {
    double sum = 0;
    for (const PriorFactor& factor : factors)
      if (factor.has_ratio(cell)) sum += factor.log_weight(cell, p);
    return sum;
  }
  double log_relative(std::size_t cell, double p, int d) const {
    if (p < d) return -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const PriorFactor& factor : factors)
      sum += factor.has_ratio(cell) ? factor.log_ratio(cell, p, d) : factor.log_weight(cell, p - d);
    return sum;
  }
};

}  // namespace sdclattice
