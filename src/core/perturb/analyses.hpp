// What a table is used for: chi-square, odds ratios and the distribution over the cells, each
// against the original's. NaN where the table has no such statistic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

class Analyses {
 public:
  // Both must outlive the object. InputError unless the shape is that of the table.
  Analyses(const std::vector<std::int64_t>& original, const std::vector<std::size_t>& dim);

  double chi_square_change(const std::vector<std::int64_t>& table) const;
  double log_odds_change(const std::vector<std::int64_t>& table);
  double hellinger_distance(const std::vector<std::int64_t>& table) const;

 private:
  std::size_t level(std::size_t cell, std::size_t v) const { return cell / stride_[v] % dim_[v]; }
  double chi_square_of(const std::vector<std::int64_t>& table) const;
  void add_odds(std::size_t a, std::size_t b, double& sum, double& n) const;

  const std::vector<std::int64_t>& original_;
  const std::vector<std::size_t>& dim_;
  std::vector<double> log_change_;
  std::vector<std::size_t> stride_;
  double total_ = 0, chi_square_ = 0;
};

}  // namespace sdclattice
