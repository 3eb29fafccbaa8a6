// When an answer may leave that must not show how long it took to make.
#pragma once

#include <algorithm>
#include <cmath>

namespace sdclattice {

// The end of the slot that began with the request; of a later one where `now` is beyond it.
inline double slot_end(double arrival, double now, double tick) {
  return arrival + tick * std::max(1.0, std::ceil((now - arrival) / tick));
}

}  // namespace sdclattice
