// Numbers in words of messages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace sdclattice {

// "10^12": the least power of ten that is no smaller than x, and than 1.
inline std::string power_of_ten(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "10^%.0f", std::ceil(std::log10(std::max(x, 1.0))));
  return text;
}

// "1,234,567"
inline std::string in_groups(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace sdclattice
