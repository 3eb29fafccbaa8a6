#include "linear/whole_search.hpp"

#include <cstdint>

#include "linear/depth.hpp"

namespace sdclattice {

bool WholeSearch::find() {
  if (!simplex_.restore()) return false;
  const std::size_t v = simplex_.first_fractional();
  if (v == simplex_.n_cells()) return true;
  ++n_branches_;
  const Depth deeper(depth_);
  const std::int64_t low = simplex_.lower(v), high = simplex_.upper(v);
  const std::int64_t floor = simplex_.floor_of(v);
  const WideInt rest = simplex_.numerator(v) - static_cast<WideInt>(floor) * simplex_.denominator();
  const bool up_first = 2 * rest > simplex_.denominator();
  bool found = false;
  for (const bool up : {up_first, !up_first}) {
    simplex_.set_limits(v, up ? floor + 1 : low, up ? high : floor);
    found = find();
    simplex_.set_limits(v, low, high);
    if (found) break;
  }
  return found;
}

}  // namespace sdclattice
