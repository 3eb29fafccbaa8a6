#include "linear/sparse_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sdclattice {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double from_limit(std::int64_t limit) {
  if (limit >= kNoLimit) return kInfinity;
  if (limit <= -kNoLimit) return -kInfinity;
  return static_cast<double>(limit);
}

double nearest(double x, double lower, double upper) {
  return std::min(std::max(x, lower), upper);
}

// The entries of a system by cell; two entries of one cell in a row become one.
SparseColumns by_column(const LinearSystem& system) {
  const std::size_t n = system.n_cells();
  std::vector<std::size_t> begin(n + 1, 0), end;
  for (const std::uint32_t i : system.cell) ++begin[i + 1];
  for (std::size_t i = 0; i < n; ++i) begin[i + 1] += begin[i];
  end = begin;
  std::vector<std::uint32_t> row(system.cell.size());
  std::vector<double> value(system.cell.size());
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (end[i] == begin[i] || row[end[i] - 1] != r) {
        row[end[i]] = static_cast<std::uint32_t>(r);
        value[end[i]++] = 0.0;
      }
      value[end[i] - 1] += static_cast<double>(system.coefficient[e]);
    }
  SparseColumns out;
  out.n_rows = system.n_rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = begin[i]; e < end[i]; ++e)
      if (value[e] != 0.0) {
        out.row.push_back(row[e]);
        out.value.push_back(value[e]);
      }
    out.start.push_back(out.row.size());
  }
  return out;
}

}  // namespace

SparseBasis::SparseBasis(const LinearSystem& system)
    : system_(system),
      columns_(by_column(system)),
      coefficient_(system.coefficient.begin(), system.coefficient.end()),
      place_(system.n_cells() + system.n_rows(), kNotBasic),
      lu_(columns_),
      image_(lu_.n_places()),
      leaving_(lu_.n_places()),
      row_(system.n_cells() + system.n_rows()) {
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    lower_.push_back(from_limit(system.lower[i]));
    upper_.push_back(from_limit(system.upper[i]));
    x_.push_back(nearest(0.0, lower_[i], upper_[i]));
  }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    lower_.push_back(-from_limit(system.row_upper[r]));
    upper_.push_back(-from_limit(system.row_lower[r]));
    x_.push_back(0.0);
    basic_.push_back(static_cast<std::uint32_t>(n_cells() + lu_.row_at(r)));
    place_[basic_[r]] = static_cast<std::uint32_t>(r);
  }
  find_basics();
}

double SparseBasis::slack(double limit) {
  return 1e-8 + 1e-13 * std::fabs(limit);
}

int SparseBasis::side(std::size_t j) const {
  if (x_[j] < lower_[j] && lower_[j] - x_[j] > slack(lower_[j])) return -1;
  if (x_[j] > upper_[j] && x_[j] - upper_[j] > slack(upper_[j])) return 1;
  return 0;
}

void SparseBasis::load(const std::vector<std::int64_t>& x) {
  moved_.clear();
  for (std::size_t i = 0; i < n_cells(); ++i) x_[i] = static_cast<double>(x[i]);
  for (std::size_t r = 0; r < system_.n_rows(); ++r) {
    const std::size_t j = n_cells() + r;
    x_[j] = lower_[j];
    if (lower_[j] == upper_[j]) continue;
    x_[j] = 0.0;
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      x_[j] -= coefficient_[e] * x_[system_.cell[e]];
  }
  for (std::size_t j = 0; j < n_unknowns(); ++j) move_inside(j);
}

void SparseBasis::move_inside(std::size_t j) {
  if (!is_basic(j)) put(j, nearest(x_[j], lower_[j], upper_[j]));
}

void SparseBasis::put(std::size_t j, double to) {
  if (to == x_[j]) return;
  moved_.emplace_back(j, to - x_[j]);
  x_[j] = to;
}

void SparseBasis::set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper) {
  lower_[cell] = from_limit(lower);
  upper_[cell] = from_limit(upper);
  move_inside(cell);
}

void SparseBasis::settle() {
  if (moved_.empty()) return;
  image_.clear();
  for (const auto& move : moved_)
    columns_.each(move.first,
                  [&](std::uint32_t r, double a) { image_.add(lu_.start_of(r), a * move.second); });
  moved_.clear();
  lu_.ftran(image_);
  image_.each([&](std::size_t k) { x_[basic_[k]] -= image_[k]; });
}

void SparseBasis::find_image(std::size_t j) {
  image_.clear();
  columns_.each(j, [&](std::uint32_t r, double a) { image_.add(lu_.start_of(r), a); });
  lu_.ftran_entering(image_);
}

void SparseBasis::find_row(std::size_t k) {
  lu_.btran_leaving(k, leaving_);
  row_.clear();
  add_product(1.0, leaving_, row_);
}

void SparseBasis::add_product(double times, const MarkedVector& y, MarkedVector& to) const {
  y.each([&](std::size_t k) {
    if (y[k] == 0.0) return;
    const double by = times * y[k];
    const std::size_t r = lu_.row_at(k);
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      to.add(system_.cell[e], by * coefficient_[e]);
    const std::size_t logical = n_cells() + r;
    if (lower_[logical] < upper_[logical]) to.add(logical, by);
  });
}

void SparseBasis::slide(std::size_t j, double by) {
  if (by == 0.0) return;
  x_[j] += by;
  image_.each([&](std::size_t k) { x_[basic_[k]] -= by * image_[k]; });
}

bool SparseBasis::exchange(std::size_t k, std::size_t j, double target) {
  x_[basic_[k]] = target;
  place_[basic_[k]] = kNotBasic;
  place_[j] = lu_.update(image_[k]);
  basic_.resize(place_[j] + 1);
  basic_[place_[j]] = static_cast<std::uint32_t>(j);
  if (!lu_.is_worn()) return false;
  refactor();
  return true;
}

void SparseBasis::refactor() {
  std::size_t n = 0;
  for (std::size_t k = 0; k < basic_.size(); ++k)
    if (place_[basic_[k]] == k) basic_[n++] = basic_[k];
  basic_.resize(n);
  for (const std::uint32_t j : lu_.factor(basic_)) {
    place_[j] = kNotBasic;
    x_[j] = nearest(x_[j], lower_[j], upper_[j]);
  }
  for (std::size_t k = 0; k < basic_.size(); ++k) place_[basic_[k]] = static_cast<std::uint32_t>(k);
  find_basics();
}

void SparseBasis::find_basics() {
  moved_.clear();
  image_.clear();
  for (std::size_t j = 0; j < n_unknowns(); ++j)
    if (!is_basic(j) && x_[j] != 0.0)
      columns_.each(j, [&](std::uint32_t r, double a) { image_.add(lu_.start_of(r), a * x_[j]); });
  lu_.ftran(image_);
  for (std::size_t k = 0; k < basic_.size(); ++k) {
    const double whole = std::round(-image_[k]);
    x_[basic_[k]] = std::fabs(whole + image_[k]) < slack(whole) ? whole : -image_[k];
  }
}

bool SparseBasis::is_whole() const {
  for (std::size_t i = 0; i < n_cells(); ++i) {
    const double part = std::fabs(x_[i] - static_cast<double>(static_cast<std::int64_t>(x_[i])));
    if (part > 1e-6 && part < 1.0 - 1e-6) return false;
  }
  return true;
}

std::vector<std::int64_t> SparseBasis::rounded() const {
  std::vector<std::int64_t> out(n_cells());
  for (std::size_t i = 0; i < n_cells(); ++i) out[i] = std::llround(x_[i]);
  return out;
}

}  // namespace sdclattice
