// Linear programmes over the rows within reach of one cell. All other rows are left out, so that
// what bounds the cell here bounds it in the whole system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "linear/linear.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/traced_limits.hpp"

namespace sdclattice {

// Rows and cells around a cell, breadth first over the rows of cells that are not fixed.
class RowsAround {
 public:
  RowsAround(const LinearSystem& system, const TracedLimits& limits);
  // At most n_rows rows; false when there are no more than that.
  bool from(std::size_t cell, std::size_t n_rows);
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  const std::vector<std::uint32_t>& cells() const { return cells_; }
  // Of a cell within reach, its place in cells().
  std::size_t place(std::size_t cell) const { return place_[cell]; }

 private:
  void add_cells(std::size_t row);

  const LinearSystem& system_;
  const TracedLimits& limits_;
  std::vector<std::uint32_t> rows_, cells_;
  std::vector<char> row_seen_;
  std::vector<std::size_t> place_;  // SIZE_MAX: not within reach
};

class NearProgramme {
 public:
  // With the limits as they are now; keeps references.
  NearProgramme(const LinearSystem& system, const TracedLimits& limits, const RowsAround& reach,
                const std::function<void()>& check);

  // Starts from a solution of the whole system that keeps the limits.
  void load(const std::vector<std::int64_t>& table);
  // Takes the limits as they are now; the cell `free` keeps the ones that are given.
  void take_limits(std::size_t free, std::int64_t lower, std::int64_t upper);
  // The largest sign * cell; false when there is nothing within the limits. duals() say why.
  bool climb(std::size_t cell, int sign);
  bool restore() { return simplex_->restore(); }

  double value(std::size_t cell) const { return simplex_->value(reach_.place(cell)); }
  // times = round(denominator * dual), by rows of the whole system.
  Combination rounded_duals(std::int64_t denominator) const;

 private:
  const TracedLimits& limits_;
  const RowsAround& reach_;
  LinearSystem near_;
  std::vector<std::uint32_t> row_;  // of a row of near_ its number in the system
  std::unique_ptr<SparseSimplex> simplex_;
};

}  // namespace sdclattice
