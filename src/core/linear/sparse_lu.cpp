#include "linear/sparse_lu.hpp"

#include <cmath>

namespace sdclattice {

namespace {

constexpr double kNothing = 1e-14;  // what is smaller is a rounding error
constexpr std::size_t kMostUpdates = 64;

}  // namespace

void TriangleSide::transpose(const TriangleSide& from) {
  const std::size_t n = from.start.size() - 1;
  start.assign(n + 1, 0);
  for (const std::uint32_t k : from.place) ++start[k + 1];
  for (std::size_t k = 0; k < n; ++k) start[k + 1] += start[k];
  place.resize(from.place.size());
  value.resize(from.place.size());
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t e = from.start[k]; e < from.start[k + 1]; ++e) {
      const std::size_t at = --start[from.place[e] + 1];
      place[at] = static_cast<std::uint32_t>(k);
      value[at] = from.value[e];
    }
  start.erase(start.begin());
  start.push_back(place.size());
}

bool SparseLU::is_worn() const {
  return eta_at_.size() >= kMostUpdates ||
         eta_.place.size() > 3 * (lower_.place.size() + upper_.place.size() + row_at_.size());
}

std::size_t SparseLU::n_entries() const {
  return lower_.place.size() + upper_.place.size() + row_at_.size() + eta_.place.size();
}

void SparseLU::ftran(MarkedVector& x) const {
  x.ascend(first_lower_, [&](std::size_t k) {
    const double top = x[k];
    if (std::fabs(top) < kNothing) return;
    for (std::size_t e = lower_.start[k]; e < lower_.start[k + 1]; ++e)
      x.add(lower_.place[e], -lower_.value[e] * top);
  });
  x.descend([&](std::size_t k) {
    if (std::fabs(x[k]) < kNothing) return x.forget(k);
    const double top = x[k] / diagonal_[k];
    x.set(k, top);
    for (std::size_t e = upper_.start[k]; e < upper_.start[k + 1]; ++e)
      x.add(upper_.place[e], -upper_.value[e] * top);
  });
  for (std::size_t t = 0; t < eta_at_.size(); ++t) {
    const std::uint32_t k = eta_at_[t];
    if (std::fabs(x[k]) < kNothing) continue;
    const double top = x[k] / eta_pivot_[t];
    x.set(k, top);
    for (std::size_t e = eta_.start[t]; e < eta_.start[t + 1]; ++e)
      x.add(eta_.place[e], -eta_.value[e] * top);
  }
}

void SparseLU::btran(MarkedVector& y) const {
  for (std::size_t t = eta_at_.size(); t-- > 0;) {
    const std::uint32_t k = eta_at_[t];
    double sum = y[k];
    for (std::size_t e = eta_.start[t]; e < eta_.start[t + 1]; ++e)
      sum -= eta_.value[e] * y[eta_.place[e]];
    if (sum != 0.0 || y[k] != 0.0) y.set(k, sum / eta_pivot_[t]);
  }
  y.ascend(0, [&](std::size_t k) {
    if (std::fabs(y[k]) < kNothing) return y.forget(k);
    const double top = y[k] / diagonal_[k];
    y.set(k, top);
    for (std::size_t e = upper_rows_.start[k]; e < upper_rows_.start[k + 1]; ++e)
      y.add(upper_rows_.place[e], -upper_rows_.value[e] * top);
  });
  y.descend([&](std::size_t k) {
    const double top = y[k];
    if (std::fabs(top) < kNothing) return y.forget(k);
    for (std::size_t e = lower_rows_.start[k]; e < lower_rows_.start[k + 1]; ++e)
      y.add(lower_rows_.place[e], -lower_rows_.value[e] * top);
  });
}

void SparseLU::update(std::size_t k, const MarkedVector& image) {
  eta_at_.push_back(static_cast<std::uint32_t>(k));
  eta_pivot_.push_back(image[k]);
  image.each([&](std::size_t i) {
    if (i != k && std::fabs(image[i]) >= kNothing)
      eta_.push(static_cast<std::uint32_t>(i), image[i]);
  });
  eta_.close();
}

}  // namespace sdclattice
