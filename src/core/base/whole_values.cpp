#include "base/whole_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace sdclattice {

WholeValues whole_values(const std::vector<double>& values) {
  constexpr int kFinest = 60;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto fits = [&](int e) { return std::ldexp(sum, e) < std::ldexp(1.0, 61); };
  const auto is_whole = [&](int e) {
    return std::all_of(values.begin(), values.end(), [&](double v) {
      const double scaled = std::ldexp(v, e);
      return scaled == std::floor(scaled);
    });
  };
  int e = 0;
  while (e < kFinest && !is_whole(e) && fits(e + 1)) ++e;
  if (!fits(e)) throw InputError("The values must sum to less than 2^61.");
  WholeValues out;
  out.exact = is_whole(e);
  out.unit = std::ldexp(1.0, -e);
  for (double v : values) out.values.push_back(std::llround(std::ldexp(v, e)));
  return out;
}

}  // namespace sdclattice
