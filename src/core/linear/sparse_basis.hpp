// Where a linear programme over the rows of a system stands: the values of all unknowns, which of
// them are basic, and the factor of their columns.
//
// Unknown i < n_cells() is a cell; unknown n_cells() + r is the negative of what row r adds up to,
// so that the columns of all unknowns together sum to 0. It is fixed where the row is an equation.
// Unknowns that are not basic may lie anywhere between their limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "linear/linear.hpp"
#include "linear/sparse_lu.hpp"

namespace sdclattice {

class SparseBasis {
 public:
  // Keeps a reference to the system's rows. All cells at the limit that is nearest to 0.
  explicit SparseBasis(const LinearSystem& system);
  SparseBasis(const SparseBasis&) = delete;
  SparseBasis& operator=(const SparseBasis&) = delete;

  void load(const std::vector<std::int64_t>& x);
  void set_limits(std::size_t cell, std::int64_t lower, std::int64_t upper);
  double value(std::size_t cell) const { return x_[cell]; }
  bool is_whole() const;
  std::vector<std::int64_t> rounded() const;

 protected:
  static constexpr std::uint32_t kNotBasic = UINT32_MAX;

  std::size_t n_cells() const { return columns_.n_columns(); }
  std::size_t n_unknowns() const { return x_.size(); }
  bool is_basic(std::size_t j) const { return place_[j] != kNotBasic; }
  // How far an unknown may lie outside of a limit for want of digits.
  static double slack(double limit);
  // Below its lower limit (-1), above its upper one (1), or neither.
  int side(std::size_t j) const;

  // Moves an unknown that is not basic; the basics follow in settle().
  void put(std::size_t j, double to);
  // Moves the basics by what others were moved to be within their limits.
  void settle();
  // image_ becomes B^-1 times the column of j.
  void find_image(std::size_t j);
  // leaving_ becomes B^-T times the unit of place k, and row_ that row of the tableau: by how much
  // the basic unknown there falls when one that is not basic rises by 1.
  void find_row(std::size_t k);
  // Moves j, whose image is image_, and all basics with it.
  void slide(std::size_t j, double by);
  // The basic unknown whose row is row_ leaves at `target` for j, whose image is image_. True when
  // a new factor was due: all basics then have new values and places.
  bool exchange(std::size_t k, std::size_t j, double target);
  // Adds times * y A to the vector over all unknowns, where y is over start_of(row).
  void add_product(double times, const MarkedVector& y, MarkedVector& to) const;
  // A new factor, and the values of the basics from those of all others.
  void refactor();

  const LinearSystem& system_;
  SparseColumns columns_;
  std::vector<double> coefficient_;  // of the system's rows
  std::vector<double> lower_, upper_, x_;
  std::vector<std::uint32_t> basic_;  // by places; where one was abandoned, what stood there
  std::vector<std::uint32_t> place_;  // kNotBasic or the unknown's place
  SparseLU lu_;
  MarkedVector image_, leaving_, row_;

 private:
  void move_inside(std::size_t j);
  void find_basics();

  std::vector<std::pair<std::size_t, double>> moved_;
};

}  // namespace sdclattice
