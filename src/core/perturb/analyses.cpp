#include "perturb/analyses.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace sdclattice {
namespace {

using TableCounts = std::vector<std::int64_t>;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Analyses::Analyses(const TableCounts& original, const std::vector<std::size_t>& dim)
    : original_(original), dim_(dim), log_change_(original.size(), 0) {
  std::size_t stride = 1;
  for (const std::size_t n : dim_) {
    stride_.push_back(stride);
    stride *= n;
  }
  if (stride != original.size()) throw InputError("The table and its shape must fit.");
  total_ = static_cast<double>(std::accumulate(original.begin(), original.end(), std::int64_t{0}));
  chi_square_ = chi_square_of(original);
}

double Analyses::chi_square_change(const TableCounts& table) const {
  if (!(chi_square_ > 1e-9 * total_)) return kUnknown;
  return std::fabs(chi_square_of(table) / chi_square_ - 1);
}

double Analyses::log_odds_change(const TableCounts& table) {
  for (std::size_t i = 0; i < table.size(); ++i)
    log_change_[i] = table[i] == original_[i] ? 0
                                              : std::log((static_cast<double>(table[i]) + .5) /
                                                         (static_cast<double>(original_[i]) + .5));
  double sum = 0, n = 0;
  for (std::size_t a = 0; a < dim_.size(); ++a)
    for (std::size_t b = a + 1; b < dim_.size(); ++b) add_odds(a, b, sum, n);
  return n > 0 ? sum / n : kUnknown;
}

double Analyses::hellinger_distance(const TableCounts& table) const {
  if (total_ == 0) return kUnknown;
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double by =
        std::sqrt(static_cast<double>(table[i])) - std::sqrt(static_cast<double>(original_[i]));
    sum += by * by;
  }
  return std::sqrt(sum / (2 * total_));
}

// Pearson's chi-square against mutual independence, from the table's own one-way margins.
double Analyses::chi_square_of(const TableCounts& table) const {
  std::vector<std::vector<double>> margin;
  for (const std::size_t n : dim_) margin.emplace_back(n, 0.0);
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] > 0)
      for (std::size_t v = 0; v < dim_.size(); ++v)
        margin[v][level(i, v)] += static_cast<double>(table[i]) / total_;
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] == 0) continue;
    double expected = total_;
    for (std::size_t v = 0; v < dim_.size(); ++v) expected *= margin[v][level(i, v)];
    sum += static_cast<double>(table[i]) * static_cast<double>(table[i]) / expected;
  }
  return sum - total_;
}

// Adjacent levels of variables a and b, all others held fixed.
void Analyses::add_odds(std::size_t a, std::size_t b, double& sum, double& n) const {
  const std::size_t da = stride_[a], db = stride_[b];
  for (std::size_t i = 0; i < log_change_.size(); ++i) {
    if (level(i, a) + 1 == dim_[a] || level(i, b) + 1 == dim_[b]) continue;
    sum += std::fabs(log_change_[i] - log_change_[i + da] - log_change_[i + db] +
                     log_change_[i + da + db]);
    ++n;
  }
}

}  // namespace sdclattice
