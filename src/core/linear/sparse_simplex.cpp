#include "linear/sparse_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sdclattice {

namespace {

constexpr double kApart = 1e-6;          // how far both computations of a price may lie apart
constexpr double kDoubtfulPivot = 1e-6;  // asks for a new factor first
constexpr std::size_t kStepsACheck = 16;

}  // namespace

SparseSimplex::SparseSimplex(const LinearSystem& system, std::uint64_t seed,
                             std::function<void()> check)
    : SparseBasis(system),
      random_(seed),
      check_(std::move(check)),
      multiplier_(lu_.n_places()),
      price_(n_unknowns()),
      tilt_(lu_.n_places()),
      duals_(system.n_rows(), 0.0),
      is_violated_(n_unknowns(), 0) {
  for (std::size_t j = 0; j < n_unknowns(); ++j) {
    length_.push_back(1.0);
    columns_.each(j, [&](std::uint32_t, double a) { length_[j] += a * a; });
  }
}

// Whether the image of the unknown gives it the same price as the rows do.
bool SparseSimplex::is_reliable(const Entry& entry) const {
  double price = 0.0;
  for (const Term& cost : costs_)
    if (is_basic(cost.cell))
      price -= cost.weight * image_[place_[cost.cell]];
    else if (cost.cell == entry.unknown)
      price += cost.weight;
  return std::fabs(price - entry.price) <= kApart * std::max(1.0, std::fabs(price));
}

// A new factor may know better.
bool SparseSimplex::is_doubtful(const Entry& entry, const Stop& stop) const {
  return !is_reliable(entry) || (stop.place != kNotBasic && lu_.n_updates() > 0 &&
                                 std::fabs(image_[stop.place]) < kDoubtfulPivot);
}

// True when all prices must be computed anew.
bool SparseSimplex::step(const Entry& entry, const Stop& stop, bool keeps_objective) {
  if (++n_steps_ % kStepsACheck == 0 && check_) check_();
  slide(entry.unknown, entry.way * stop.distance);
  if (stop.place == kNotBasic) {
    x_[entry.unknown] = stop.target;
    return false;
  }
  find_row(stop.place);
  update_lengths(entry, stop.place);
  if (keeps_objective) update_prices(entry, stop.place);
  return exchange(stop.place, entry.unknown, stop.target);
}

// Random ties end every climb sooner or later; the cap sees to it that it is sooner.
std::size_t SparseSimplex::last_step(std::size_t asked) const {
  return n_steps_ + std::min(asked, 50 * (n_unknowns() + 20));
}

ClimbEnd SparseSimplex::climb(std::size_t cell, int sign, std::size_t max_steps) {
  return climb({{static_cast<std::uint32_t>(cell), static_cast<double>(sign)}}, max_steps);
}

void SparseSimplex::price(const std::vector<Term>& objective) {
  clear_prices();
  for (const Term& term : objective) add_cost(term.cell, term.weight);
  find_prices();
}

// Prices are carried from step to step. They are computed anew after a new factor, in doubt, and
// before an end is believed.
ClimbEnd SparseSimplex::climb(const std::vector<Term>& objective, std::size_t max_steps) {
  settle();
  price(objective);
  const std::size_t last = last_step(max_steps);
  for (bool is_carried = false;;) {
    const Entry entry = find_entry();
    Stop stop;
    if (entry.way != 0) {
      find_image(entry.unknown);
      stop = find_stop(entry);
      if (n_steps_ < last && !std::isinf(stop.distance) && !is_doubtful(entry, stop)) {
        is_carried = !step(entry, stop, true);
        if (!is_carried) price(objective);
        continue;
      }
    }
    if (!is_carried) {
      keep_duals();
      if (entry.way == 0) return ClimbEnd::optimal;
      if (n_steps_ >= last) return ClimbEnd::cut;
      if (!is_doubtful(entry, stop)) return ClimbEnd::endless;
      if (lu_.n_updates() == 0) return ClimbEnd::cut;
      refactor();
    }
    price(objective);
    is_carried = false;
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
    if (std::isinf(stop.distance) || is_doubtful(entry, stop)) {
      if (lu_.n_updates() == 0) return false;
      refactor();
      find_violated();
    } else if (step(entry, stop, false)) {
      find_violated();
    } else {
      image_.each([&](std::size_t k) { note_violated(basic_[k]); });
    }
  }
}

}  // namespace sdclattice
