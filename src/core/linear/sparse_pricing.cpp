// Which unknown moves next: prices, lengths of edges, and the choice among them.
#include <algorithm>
#include <cmath>

#include "linear/sparse_simplex.hpp"

namespace sdclattice {

namespace {

constexpr double kNoPrice = 1e-8;  // a price below it changes nothing
constexpr double kPriceTie = 1e-9;

}  // namespace

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
  add_product(-1.0, multiplier_, price_);
}

// The same after an exchange, from the row of the basic unknown that leaves.
void SparseSimplex::update_prices(const Entry& entry, std::size_t place) {
  const double by = entry.price / image_[place];
  row_.each([&](std::size_t j) { price_.add(j, -by * row_[j]); });
  price_.set(basic_[place], -by);
  leaving_.each([&](std::size_t k) { multiplier_.add(k, by * leaving_[k]); });
}

// The squared length of an edge, 1 + |B^-1 a_j|^2, after an exchange.
void SparseSimplex::update_lengths(const Entry& entry, std::size_t place) {
  double length = 1.0;
  tilt_.clear();
  image_.each([&](std::size_t k) {
    if (image_[k] == 0.0) return;
    length += image_[k] * image_[k];
    tilt_.add(k, image_[k]);
  });
  lu_.btran(tilt_);
  const double pivot = image_[place];
  row_.each([&](std::size_t j) {
    if (is_basic(j) || row_[j] == 0.0) return;
    const double share = row_[j] / pivot;
    double dot = 0.0;
    columns_.each(j, [&](std::uint32_t r, double a) { dot += a * tilt_[lu_.start_of(r)]; });
    length_[j] = std::max(length_[j] + share * (share * length - 2.0 * dot), 1.0 + share * share);
  });
  length_[basic_[place]] = std::max(length / (pivot * pivot), 1.0);
  length_[entry.unknown] = 1.0;
}

void SparseSimplex::judge(std::size_t j, Entry& best, double& score, std::size_t& ties) {
  const double price = price_[j];
  if (std::fabs(price) < kNoPrice || is_basic(j)) return;
  const double own = price * price / length_[j];
  if (own < score * (1.0 - kPriceTie)) return;
  const int way = price > 0.0 ? 1 : -1;
  if (!(way > 0 ? x_[j] < upper_[j] : x_[j] > lower_[j])) return;
  if (own > score * (1.0 + kPriceTie)) ties = 0;
  if (random_.below(++ties) != 0) return;
  best = {j, way, price};
  score = own;
}

// The steepest edge; ties by chance, so that no fixed rule can go round in circles.
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

}  // namespace sdclattice
