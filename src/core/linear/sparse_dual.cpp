// The dual simplex: back to the optimum after limits of cells have changed.
#include <algorithm>
#include <cmath>

#include "linear/sparse_simplex.hpp"

namespace sdclattice {

namespace {

constexpr double kOptimal = 1e-8;     // a price below it changes nothing
constexpr double kPivot = 1e-9;       // smaller entries of a row are rounding errors
constexpr double kSmallPivot = 1e-6;  // asks for a new factor first
constexpr double kTie = 1e-9;
constexpr double kLeastWeight = 1e-4;

}  // namespace

// Unknowns that are not basic go to the limit that their price asks for. False when there is none.
bool SparseSimplex::go_by_prices() {
  for (std::size_t j = 0; j < n_unknowns(); ++j) {
    if (is_basic(j)) continue;
    double to = x_[j];
    if (price_[j] > kOptimal)
      to = upper_[j];
    else if (price_[j] < -kOptimal)
      to = lower_[j];
    else if (x_[j] != lower_[j] && x_[j] != upper_[j])
      to = std::isinf(lower_[j]) ? upper_[j] : lower_[j];
    if (std::isinf(to)) return false;
    put(j, to);
  }
  return true;
}

// The basic unknown that is furthest outside of its limits, along the steepest edge of the dual
// (Forrest and Goldfarb 1992).
std::uint32_t SparseSimplex::find_leaving() const {
  std::uint32_t out = kNotBasic;
  double most = 0.0;
  for (std::uint32_t k = 0; k < basic_.size(); ++k) {
    const std::uint32_t j = basic_[k];
    if (place_[j] != k) continue;
    const int outside = side(j);
    if (outside == 0) continue;
    const double by = outside > 0 ? x_[j] - upper_[j] : lower_[j] - x_[j];
    const double score = by * by / weight_[j];
    if (score <= most) continue;
    most = score;
    out = k;
  }
  return out;
}

// The unknowns that can bring the leaving one back, by how soon their prices change sign. `way` is
// 1 where it must rise.
void SparseSimplex::find_dual_breaks(int way) {
  breaks_.clear();
  row_.each([&](std::size_t j) {
    if (is_basic(j) || lower_[j] == upper_[j]) return;
    const double a = way * row_[j];
    if (std::fabs(a) < kPivot || (a < 0.0 ? x_[j] >= upper_[j] : x_[j] <= lower_[j])) return;
    const double price = a < 0.0 ? -price_[j] : price_[j];
    breaks_.push_back({std::max(price, 0.0) / std::fabs(a), std::fabs(a),
                       static_cast<std::uint32_t>(j), (upper_[j] - lower_[j]) * std::fabs(a)});
  });
  std::sort(breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.place < b.place;
  });
}

// Unknowns with limits on both sides may be passed, to their other limit, as long as the leaving
// one stays outside. Of those at which it would come back the one with the largest pivot enters.
// kNotBasic when all together do not bring it back.
std::uint32_t SparseSimplex::find_dual_entry(double outside) {
  double left = outside;
  const Break* last = nullptr;
  for (const Break& b : breaks_) {
    last = &b;
    left -= b.target;
    if (left < 0.0) break;
  }
  if (last == nullptr || left > SparseBasis::slack(outside)) return kNotBasic;
  const Break* best = last;
  for (const Break& b : breaks_)
    if (std::fabs(b.distance - last->distance) <= kTie && b.pivot > best->pivot) best = &b;
  for (const Break& b : breaks_)
    if (b.distance < last->distance - kTie)
      put(b.place, x_[b.place] <= lower_[b.place] ? upper_[b.place] : lower_[b.place]);
  return best->place;
}

void SparseSimplex::update_weights(std::size_t entering, std::size_t place) {
  double own = 0.0;
  tilt_.clear();
  leaving_.each([&](std::size_t k) {
    own += leaving_[k] * leaving_[k];
    tilt_.add(k, leaving_[k]);
  });
  lu_.ftran(tilt_);
  const double pivot = image_[place];
  image_.each([&](std::size_t k) {
    if (k == place || image_[k] == 0.0) return;
    const double share = image_[k] / pivot;
    double& weight = weight_[basic_[k]];
    weight = std::max(weight + share * (share * own - 2.0 * tilt_[k]), kLeastWeight);
  });
  weight_[entering] = std::max(own / (pivot * pivot), kLeastWeight);
}

// Multipliers with which the row of the tableau shows that the basic unknown cannot come back.
void SparseSimplex::keep_row(int way) {
  multiplier_.clear();
  leaving_.each([&](std::size_t k) { multiplier_.add(k, way * leaving_[k]); });
  keep_duals();
}

ClimbEnd SparseSimplex::climb_from_outside(const std::vector<Term>& objective,
                                           std::size_t max_steps) {
  return restore(max_steps) ? climb(objective, max_steps) : ClimbEnd::empty;
}

ClimbEnd SparseSimplex::climb_again(const std::vector<Term>& objective, std::size_t max_steps) {
  weight_.resize(n_unknowns(), 1.0);
  settle();
  price(objective);
  const std::size_t last = last_step(max_steps);
  for (bool is_carried = false;;) {
    if (!is_carried && !go_by_prices()) return climb_from_outside(objective, max_steps);
    settle();
    const std::uint32_t k = find_leaving();
    if (k == kNotBasic && !is_carried) {
      keep_duals();
      return ClimbEnd::optimal;
    }
    if (k != kNotBasic) {
      if (n_steps_ >= last) {
        keep_duals();
        return ClimbEnd::cut;
      }
      const DualStep done = dual_step(k);
      if (done == DualStep::carried) {
        is_carried = true;
        continue;
      }
      if (done == DualStep::none) return ClimbEnd::empty;
      if (done == DualStep::trouble) return climb_from_outside(objective, max_steps);
    }
    price(objective);
    is_carried = false;
  }
}

SparseSimplex::DualStep SparseSimplex::dual_step(std::uint32_t k) {
  if (++n_steps_ % 16 == 0 && check_) check_();
  const std::uint32_t j = basic_[k];
  const int way = side(j) < 0 ? 1 : -1;
  const double target = way > 0 ? lower_[j] : upper_[j];
  find_row(k);
  find_dual_breaks(way);
  const std::uint32_t entering = find_dual_entry(std::fabs(target - x_[j]));
  const bool is_new = lu_.n_updates() == 0;
  if (entering == kNotBasic) {
    keep_row(way);
    if (is_new) return DualStep::none;
    refactor();
    return DualStep::renewed;
  }
  settle();
  find_image(entering);
  const double pivot = image_[k];
  if (std::fabs(pivot - row_[entering]) > 1e-6 * (1.0 + std::fabs(pivot)) ||
      std::fabs(pivot) < (is_new ? kPivot : kSmallPivot)) {
    if (is_new) return DualStep::trouble;
    refactor();
    return DualStep::renewed;
  }
  const double by = (x_[j] - target) / pivot;
  slide(entering, by);
  update_weights(entering, k);
  update_prices({entering, by > 0.0 ? 1 : -1, price_[entering]}, k);
  return exchange(k, entering, target) ? DualStep::renewed : DualStep::carried;
}

}  // namespace sdclattice
