#include "linear/shared_dive.hpp"

#include <algorithm>
#include <cmath>

namespace sdclattice {

namespace {

constexpr std::size_t kMostGranted = 15;
constexpr double kNear = 1e-6;
constexpr std::size_t kStepsAWish = 100;
constexpr std::size_t kNodes = 40, kPlunges = 2;  // of the dive with wishes

}  // namespace

DiveEnd SharedDive::run(const std::vector<std::int64_t>& lower,
                        const std::vector<std::int64_t>& upper, const std::vector<Wish>& wishes,
                        PublicRandom& random, const DiveLimits& limits,
                        std::vector<std::int64_t>& x, std::size_t* n_nodes) {
  if (!wishes.empty() && takes_wishes()) {
    std::vector<std::int64_t> low = lower, high = upper;
    if (grant(low, high, wishes) > 0) {
      DiveLimits fewer = limits;
      fewer.nodes = std::min(limits.nodes, kNodes);
      fewer.plunges = std::min(limits.plunges, kPlunges);
      ++n_tried_;
      if (dive(system_, simplex_, walk_, low, high, random, fewer, x, n_nodes, &weights_) ==
          DiveEnd::found) {
        ++n_found_;
        return DiveEnd::found;
      }
    }
  }
  return dive(system_, simplex_, walk_, lower, upper, random, limits, x, n_nodes, &weights_);
}

// How many of them the programme can have at once; their cells are fixed. The limits of the
// programme are put back by the dive, or by the next one.
std::size_t SharedDive::grant(std::vector<std::int64_t>& lower, std::vector<std::int64_t>& upper,
                              const std::vector<Wish>& wishes) {
  for (std::size_t i = 0; i < lower.size(); ++i) simplex_.set_limits(i, lower[i], upper[i]);
  std::size_t n = 0;
  if (!simplex_.restore()) return n;
  for (const Wish& wish : wishes) {
    const std::uint32_t i = wish.cell;
    if (lower[i] == upper[i] || wish.value < lower[i] || wish.value > upper[i]) continue;
    if (!reaches(wish)) continue;
    lower[i] = upper[i] = wish.value;
    simplex_.set_limits(i, wish.value, wish.value);
    ++n;
    if (n == kMostGranted || !simplex_.restore()) break;
  }
  return n;
}

// Whether the programme has a point there: between where it stands and where it climbs to.
bool SharedDive::reaches(const Wish& wish) {
  const auto wanted = static_cast<double>(wish.value);
  const int sign = simplex_.value(wish.cell) < wanted ? 1 : -1;
  const auto there = [&] { return sign * (wanted - simplex_.value(wish.cell)) < kNear; };
  if (!there()) simplex_.climb(wish.cell, sign, kStepsAWish);
  return there();
}

}  // namespace sdclattice
