#include "magnitude/whole_units.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"

namespace sdclattice {

bool find_units(const double* values, std::size_t n, double per_unit, std::size_t threads,
                double* units) {
  constexpr std::size_t part = std::size_t{1} << 15;
  const std::size_t n_parts = (n + part - 1) / part;
  WorkerPool pool(std::min(threads, n_parts));
  std::atomic<bool> whole{true};
  pool.run(n_parts, [&](std::size_t p, std::size_t) {
    bool fits = whole;
    for (std::size_t i = p * part; i < std::min(n, (p + 1) * part) && fits; ++i) {
      units[i] = std::nearbyint(values[i] * per_unit);
      fits = std::abs(values[i] - units[i] / per_unit) <= 2e-15 * std::abs(values[i]);
    }
    if (!fits) whole = false;
  });
  return whole;
}

}  // namespace sdclattice
