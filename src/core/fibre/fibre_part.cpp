#include "fibre/fibre_part.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sdclattice {

std::string power_of_ten(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "10^%.0f", std::ceil(std::log10(std::max(x, 1.0))));
  return text;
}

}  // namespace sdclattice
