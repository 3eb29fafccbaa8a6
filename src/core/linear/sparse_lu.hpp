// Solves with a square matrix whose columns are taken from a wide sparse one: the basis of a linear
// programme.
//
// The matrix is written as L U. Columns and rows with a single entry left come first and cause no
// fill (the bases of tables consist of little else); what remains, the bump, is eliminated column
// by column with partial pivoting (Gilbert and Peierls 1988). When one column is exchanged the
// product form of the inverse is carried on (Dantzig and Orchard-Hays 1954).
//
// Rows and columns of the basis are numbered in the order of their pivots: place k belongs to the
// row row_at(k) and to the k-th basic column, in the order in which factor() leaves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/marked_vector.hpp"

namespace sdclattice {

// Column j < n_columns() has the entries start[j], ..., start[j + 1] - 1, no row twice. Column
// n_columns() + r is the unit of row r.
struct SparseColumns {
  std::size_t n_rows = 0;
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> row;
  std::vector<double> value;

  std::size_t n_columns() const { return start.size() - 1; }
  // Calls visit(row, value) for each entry.
  template <class Visit>
  void each(std::size_t j, Visit visit) const {
    if (j >= n_columns()) return visit(static_cast<std::uint32_t>(j - n_columns()), 1.0);
    for (std::size_t e = start[j]; e < start[j + 1]; ++e) visit(row[e], value[e]);
  }
};

// A triangular matrix without its diagonal, by one of its sides.
struct TriangleSide {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> place;
  std::vector<double> value;

  void clear() {
    start.assign(1, 0);
    place.clear();
    value.clear();
  }
  void push(std::uint32_t k, double x) {
    place.push_back(k);
    value.push_back(x);
  }
  void close() { start.push_back(place.size()); }
  // Becomes the transpose of another one.
  void transpose(const TriangleSide& from);
};

class SparseLU {
 public:
  // Starts with the units of all rows.
  explicit SparseLU(const SparseColumns& columns);

  // Takes a basis and puts it in the order of its pivots. Columns that depend on the others leave
  // it for units of the rows that are left without a pivot, and are returned.
  std::vector<std::uint32_t> factor(std::vector<std::uint32_t>& basic);
  // x becomes B^-1 x: x comes by places of rows and leaves by places of columns.
  void ftran(MarkedVector& x) const;
  // y becomes B^-T y: y comes by places of columns and leaves by places of rows.
  void btran(MarkedVector& y) const;
  // The column at place k is exchanged for that of which `image` is B^-1 a.
  void update(std::size_t k, const MarkedVector& image);

  std::size_t n_updates() const { return eta_at_.size(); }
  // The updates cost more than a new factor would.
  bool is_worn() const;
  std::uint32_t row_at(std::size_t k) const { return row_at_[k]; }
  std::uint32_t place_of(std::size_t row) const { return place_of_[row]; }
  std::size_t n_entries() const;  // of L, U and all updates

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void clear();
  void read(const std::vector<std::uint32_t>& basic);
  void take(std::uint32_t row, std::uint32_t slot, double pivot);
  void peel_columns(const std::vector<std::uint32_t>& basic);
  void peel_rows(const std::vector<std::uint32_t>& basic);
  void close_peeled(const std::vector<std::uint32_t>& basic, std::uint32_t slot);
  void eliminate(const std::vector<std::uint32_t>& basic);
  void scatter(std::uint32_t column);
  void reduce();
  bool choose_pivot(std::uint32_t& row) const;
  void store(std::uint32_t row);
  void touch(std::uint32_t row, double x);
  std::vector<std::uint32_t> fill_up(std::vector<std::uint32_t>& basic);
  void finish();

  const SparseColumns& columns_;
  std::vector<std::uint32_t> row_at_, place_of_;
  TriangleSide lower_, upper_;            // by columns
  TriangleSide lower_rows_, upper_rows_;  // the same by rows
  std::vector<double> diagonal_;          // of U
  std::size_t first_lower_ = 0;           // columns of L before it are units

  std::vector<std::uint32_t> eta_at_;  // updates
  std::vector<double> eta_pivot_;
  TriangleSide eta_;

  // While a basis is factored: of each row and slot, how many of the other that are open it meets,
  // and the exclusive or of their numbers, which is the last one's number when one is left.
  std::vector<std::uint32_t> row_count_, row_mix_, slot_count_, slot_mix_, slot_at_, queue_;
  std::vector<char> slot_open_;
  std::vector<std::size_t> meet_start_;
  std::vector<std::uint32_t> meet_;  // the slots of each row
  MarkedVector bump_;                // places that the column in work touches
  std::vector<double> work_;         // by rows
  std::vector<std::uint32_t> touched_;
  std::vector<char> is_touched_;
};

}  // namespace sdclattice
