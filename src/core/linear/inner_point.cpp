#include "linear/inner_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sdclattice {

namespace {

constexpr double kShareOfRoom = .9;  // of its room that a cell may take in one step
constexpr double kRoom = 20;         // above the lower limit, where a cell starts at most

class Approach {
 public:
  explicit Approach(const LinearSystem& system) : system_(system) {
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      const double low = lower(i), high = upper(i);
      const bool endless = system.lower[i] <= -kNoLimit;
      value_.push_back(endless ? std::min(0.0, high) : low + std::min(high - low, kRoom) / 2);
    }
  }

  // How far the sum of the row was off.
  double visit(std::size_t row) {
    double sum = 0, weight = 0;
    const std::size_t first = system_.start[row], last = system_.start[row + 1];
    for (std::size_t e = first; e < last; ++e) {
      const auto a = static_cast<double>(system_.coefficient[e]);
      sum += a * value_[system_.cell[e]];
      weight += a * a * room(system_.cell[e]);
    }
    const double off = std::clamp(sum, static_cast<double>(system_.row_lower[row]),
                                  static_cast<double>(system_.row_upper[row])) -
                       sum;
    for (std::size_t e = first; e < last && off != 0 && weight > 0; ++e) {
      const std::size_t i = system_.cell[e];
      move(i, static_cast<double>(system_.coefficient[e]) * room(i) * off / weight);
    }
    return std::fabs(off);
  }

  std::vector<double> take() { return std::move(value_); }

 private:
  double lower(std::size_t i) const { return static_cast<double>(system_.lower[i]); }
  double upper(std::size_t i) const { return static_cast<double>(system_.upper[i]); }

  double room(std::size_t i) const {
    return std::max(0.0, std::min(value_[i] - lower(i), upper(i) - value_[i]));
  }
  void move(std::size_t i, double by) {
    const double limit = by > 0 ? upper(i) - value_[i] : value_[i] - lower(i);
    const double most = kShareOfRoom * limit;
    value_[i] += std::clamp(by, -most, most);
  }

  const LinearSystem& system_;
  std::vector<double> value_;
};

}  // namespace

std::vector<double> inner_point(const LinearSystem& system, double tolerance,
                                std::size_t max_rounds, const Tick& tick) {
  Approach approach(system);
  for (std::size_t round = 0; round < max_rounds; ++round) {
    double most = 0;
    for (std::size_t r = 0; r < system.n_rows(); ++r) most = std::max(most, approach.visit(r));
    report(tick, static_cast<double>(round) / static_cast<double>(max_rounds));
    if (most <= tolerance) break;
  }
  return approach.take();
}

}  // namespace sdclattice
