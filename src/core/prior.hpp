// What is known of the cells before the publication: a product of per-cell weights.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sdclattice {

// One number for all cells, or one per cell.
struct PerCell {
  const double* data = nullptr;
  std::size_t size = 0;
  double operator[](std::size_t cell) const { return size == 1 ? data[0] : data[cell]; }
};

// One factor of the prior. Weights are not normalised: a Poisson factor is lambda^v / v!.
struct PriorFactor {
  enum class Kind { poisson, at_least, known, weights };
  Kind kind;
  PerCell value;          // rate; smallest value; known value (NaN where it is not known)
  std::size_t width = 0;  // weights: value v of cell c has weight value.data[c * width + v]

  double log_weight(std::size_t cell, double v) const {
    constexpr double never = -std::numeric_limits<double>::infinity();
    switch (kind) {
      case Kind::poisson: {
        const double rate = value[cell];
        if (rate == 0) return v == 0 ? 0 : never;
        return v * std::log(rate) - std::lgamma(v + 1);
      }
      case Kind::at_least:
        return v >= value[cell] ? 0 : never;
      case Kind::known:
        return std::isnan(value[cell]) || v == value[cell] ? 0 : never;
      case Kind::weights:
        if (v >= static_cast<double>(width)) return never;
        return std::log(value.data[cell * width + static_cast<std::size_t>(v)]);
    }
    return never;
  }
};

// The product of its factors; none: uniform, every non-negative value has weight 1.
struct Prior {
  std::vector<PriorFactor> factors;

  bool uniform() const { return factors.empty(); }
  double log_weight(std::size_t cell, double v) const {
    if (v < 0) return -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const PriorFactor& factor : factors) sum += factor.log_weight(cell, v);
    return sum;
  }
};

}  // namespace sdclattice
