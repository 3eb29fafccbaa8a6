#include "linear/sparse_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sdclattice {

namespace {

constexpr double kOptimal = 1e-8;  // a price below it changes nothing
constexpr double kTie = 1e-9;
constexpr double kReliable = 1e-6;    // how far both computations of a price may lie apart
constexpr double kSmallPivot = 1e-6;  // asks for a new factor first
constexpr std::size_t kStepsACheck = 16;

}  // namespace

SparseSimplex::SparseSimplex(const LinearSystem& system, std::uint64_t seed,
                             std::function<void()> check)
    : SparseBasis(system),
      random_(seed),
      check_(std::move(check)),
      multiplier_(lu_.n_places()),
      price_(n_unknowns()),
      duals_(system.n_rows(), 0.0),
      is_violated_(n_unknowns(), 0) {
  for (std::size_t i = 0; i < n_cells(); ++i)
    inverse_length_.push_back(
        1.0 / std::sqrt(1.0 + static_cast<double>(columns_.start[i + 1] - columns_.start[i])));
}

void SparseSimplex::clear_prices() {
  costs_.clear();
  multiplier_.clear();
  price_.clear();
}

void SparseSimplex::add_cost(std::size_t j, double weight) {
  costs_.push_back({static_cast<std::uint32_t>(j), weight});
  if (is_basic(j))
    multiplier_.add(place_[j], weight);
  else
    price_.add(j, weight);
}

// By how much the objective changes with each unknown that is not basic, when the basics follow.
void SparseSimplex::find_prices() {
  lu_.btran(multiplier_);
  multiplier_.each([&](std::size_t k) {
    const double y = multiplier_[k];
    if (y == 0.0) return;
    const std::size_t r = lu_.row_at(k);
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      price_.add(system_.cell[e], -y * coefficient_[e]);
    const std::size_t logical = n_cells() + r;
    if (lower_[logical] < upper_[logical]) price_.add(logical, -y);
  });
}

void SparseSimplex::judge(std::size_t j, Entry& best, double& score, std::size_t& ties) {
  const double price = price_[j];
  if (is_basic(j) || std::fabs(price) < kOptimal) return;
  const double own = std::fabs(price) * (j < n_cells() ? inverse_length_[j] : std::sqrt(0.5));
  if (own < score * (1.0 - kTie)) return;
  const int way = price > 0.0 ? 1 : -1;
  if (!(way > 0 ? x_[j] < upper_[j] : x_[j] > lower_[j])) return;
  if (own > score * (1.0 + kTie)) ties = 0;
  if (random_.below(++ties) != 0) return;
  best = {j, way, price};
  score = own;
}

// The unknown with the best price a length of its column; ties by chance, so that no fixed rule can
// go round in circles.
SparseSimplex::Entry SparseSimplex::find_entry() {
  Entry best;
  double score = 0.0;
  std::size_t ties = 0;
  price_.each([&](std::size_t j) { judge(j, best, score, ties); });
  return best;
}

void SparseSimplex::keep_duals() {
  for (const std::uint32_t r : dual_rows_) duals_[r] = 0.0;
  dual_rows_.clear();
  multiplier_.each([&](std::size_t k) {
    if (multiplier_[k] == 0.0) return;
    const std::uint32_t r = lu_.row_at(k);
    duals_[r] = multiplier_[k];
    dual_rows_.push_back(r);
  });
}

// Whether the image of the unknown gives it the same price as the rows do.
bool SparseSimplex::is_reliable(const Entry& entry) const {
  double price = 0.0;
  for (const Term& cost : costs_)
    if (is_basic(cost.cell))
      price -= cost.weight * image_[place_[cost.cell]];
    else if (cost.cell == entry.unknown)
      price += cost.weight;
  return std::fabs(price - entry.price) <= kReliable * std::max(1.0, std::fabs(price));
}

bool SparseSimplex::must_refactor(const Entry& entry, const Stop& stop) const {
  return !is_reliable(entry) || (stop.place != kNotBasic && lu_.n_updates() > 0 &&
                                 std::fabs(image_[stop.place]) < kSmallPivot);
}

bool SparseSimplex::step(const Entry& entry, const Stop& stop) {
  if (++n_steps_ % kStepsACheck == 0 && check_) check_();
  slide(entry.unknown, entry.way * stop.distance);
  if (stop.place != kNotBasic) return exchange(stop.place, entry.unknown, stop.target);
  x_[entry.unknown] = stop.target;
  return false;
}

// Random ties end every climb sooner or later; the cap sees to it that it is sooner.
std::size_t SparseSimplex::last_step(std::size_t asked) const {
  return n_steps_ + std::min(asked, 50 * (n_unknowns() + 20));
}

ClimbEnd SparseSimplex::climb(std::size_t cell, int sign, std::size_t max_steps) {
  return climb({{static_cast<std::uint32_t>(cell), static_cast<double>(sign)}}, max_steps);
}

ClimbEnd SparseSimplex::climb(const std::vector<Term>& objective, std::size_t max_steps) {
  settle();
  const std::size_t last = last_step(max_steps);
  for (;;) {
    clear_prices();
    for (const Term& term : objective) add_cost(term.cell, term.weight);
    find_prices();
    keep_duals();
    const Entry entry = find_entry();
    if (entry.way == 0) return ClimbEnd::optimal;
    if (n_steps_ >= last) return ClimbEnd::cut;
    find_image(entry.unknown);
    const Stop stop = find_stop(entry);
    if (must_refactor(entry, stop)) {
      if (lu_.n_updates() == 0) return ClimbEnd::cut;
      refactor();
    } else if (std::isinf(stop.distance)) {
      return ClimbEnd::endless;
    } else {
      step(entry, stop);
    }
  }
}

void SparseSimplex::note_violated(std::size_t j) {
  if (is_violated_[j] || side(j) == 0) return;
  is_violated_[j] = 1;
  violated_.push_back(static_cast<std::uint32_t>(j));
}

void SparseSimplex::find_violated() {
  for (const std::uint32_t j : basic_) note_violated(j);
}

// The objective is the negative of the sum of all violations.
void SparseSimplex::price_violations() {
  clear_prices();
  std::size_t n = 0;
  for (const std::uint32_t j : violated_) {
    const int outside = side(j);
    is_violated_[j] = outside != 0;
    if (outside == 0) continue;
    violated_[n++] = j;
    add_cost(j, -outside);
  }
  violated_.resize(n);
  find_prices();
  keep_duals();
}

bool SparseSimplex::restore(std::size_t max_steps) {
  settle();
  find_violated();
  const std::size_t last = last_step(max_steps);
  for (;;) {
    price_violations();
    if (violated_.empty()) return true;
    const Entry entry = find_entry();
    if (entry.way == 0 || n_steps_ >= last) return false;
    find_image(entry.unknown);
    const Stop stop = find_far_stop(entry);
    if (must_refactor(entry, stop)) {
      if (lu_.n_updates() == 0) return false;
      refactor();
      find_violated();
    } else if (step(entry, stop)) {
      find_violated();
    } else {
      image_.each([&](std::size_t k) { note_violated(basic_[k]); });
    }
  }
}

}  // namespace sdclattice
