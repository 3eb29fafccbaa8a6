// How far an unknown may move before another one reaches a limit.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/sparse_simplex.hpp"

namespace sdclattice {

namespace {

constexpr double kSlower = 1e-9;  // a basic that moves by less does not stop the unknown
constexpr double kBeyond = 1e-9;  // by how much a limit may be passed for a larger pivot
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

double SparseSimplex::own_room(const Entry& entry) const {
  const std::size_t j = entry.unknown;
  return entry.way > 0 ? upper_[j] - x_[j] : x_[j] - lower_[j];
}

SparseSimplex::Stop SparseSimplex::own_stop(const Entry& entry) const {
  return {own_room(entry), kNotBasic,
          entry.way > 0 ? upper_[entry.unknown] : lower_[entry.unknown]};
}

void SparseSimplex::add_break(double rate, std::uint32_t place, double target) {
  if (std::isinf(target)) return;
  const double distance = (target - x_[basic_[place]]) / rate;
  breaks_.push_back({std::max(distance, 0.0), std::fabs(rate), place, target});
}

// From a point within the limits: the first limit that a basic reaches. Of those reached at the
// same distance, or so little later that no limit is passed by more than a rounding error, the one
// with the largest pivot (Harris 1973), ties by chance.
SparseSimplex::Stop SparseSimplex::find_stop(const Entry& entry) {
  breaks_.clear();
  double most = kUnbounded;
  image_.each([&](std::size_t k) {
    const double rate = -entry.way * image_[k];
    if (std::fabs(rate) < kSlower) return;
    const std::size_t n = breaks_.size();
    add_break(rate, static_cast<std::uint32_t>(k),
              rate > 0.0 ? upper_[basic_[k]] : lower_[basic_[k]]);
    if (breaks_.size() > n)
      most = std::min(most, breaks_.back().distance + kBeyond / breaks_.back().pivot);
  });
  const Stop own = own_stop(entry);
  if (own.distance <= most) return own;
  const Break* best = nullptr;
  std::size_t ties = 0;
  for (const Break& b : breaks_) {
    if (b.distance > most || (best && b.pivot < best->pivot * (1.0 - kBeyond))) continue;
    if (best && b.pivot > best->pivot * (1.0 + kBeyond)) ties = 0;
    if (random_.below(++ties) == 0) best = &b;
  }
  if (best == nullptr) return own;
  return {best->distance, best->place, best->target};
}

// From a point outside of limits, for the least sum of violations: the unknown goes on past limits
// as long as the sum falls. Of the limits up to where it would rise, the one with the largest
// pivot.
SparseSimplex::Stop SparseSimplex::find_far_stop(const Entry& entry) {
  breaks_.clear();
  image_.each([&](std::size_t k) {
    const double rate = -entry.way * image_[k];
    if (std::fabs(rate) < kSlower) return;
    const std::uint32_t j = basic_[k];
    const int outside = side(j);
    const auto place = static_cast<std::uint32_t>(k);
    if (rate > 0.0 && outside < 0) add_break(rate, place, lower_[j]);
    if (rate > 0.0 && outside <= 0) add_break(rate, place, upper_[j]);
    if (rate < 0.0 && outside > 0) add_break(rate, place, upper_[j]);
    if (rate < 0.0 && outside >= 0) add_break(rate, place, lower_[j]);
  });
  std::sort(breaks_.begin(), breaks_.end(),
            [](const Break& a, const Break& b) { return a.distance < b.distance; });
  const Stop own = own_stop(entry);
  double falls = std::fabs(entry.price);
  const Break* best = nullptr;
  double end = kUnbounded;
  for (const Break& b : breaks_) {
    if (b.distance > end + kBeyond) break;
    if (best == nullptr || b.distance > best->distance + kBeyond || b.pivot > best->pivot)
      best = &b;
    falls -= b.pivot;
    if (falls <= kBeyond) end = std::min(end, b.distance);
  }
  if (best == nullptr || own.distance <= best->distance) return own;
  return {best->distance, best->place, best->target};
}

}  // namespace sdclattice
