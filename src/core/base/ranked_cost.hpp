// A cost with a second one that decides ties.
#pragma once

#include <cstdint>

namespace sdclattice {

struct RankedCost {
  std::int64_t first = 0, second = 0;

  RankedCost operator+(const RankedCost& b) const { return {first + b.first, second + b.second}; }
  RankedCost operator-(const RankedCost& b) const { return {first - b.first, second - b.second}; }
  bool operator<(const RankedCost& b) const {
    return first != b.first ? first < b.first : second < b.second;
  }
  bool operator==(const RankedCost& b) const { return first == b.first && second == b.second; }
};

}  // namespace sdclattice
