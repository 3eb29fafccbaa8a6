// Solves with a square matrix whose columns are taken from a wide sparse one: the basis of a linear
// programme.
//
// The matrix is written as L U. Columns and rows with a single entry left come first and cause no
// fill (the bases of tables consist of little else); what remains, the bump, is eliminated by
// pivots that cause little fill and are not too small in their columns (Markowitz 1957). When one
// column is exchanged, U gets the new one as its last and loses the row of the old one (Forrest and
// Tomlin 1972).
//
// Rows and columns of the basis are numbered in the order of their pivots: place k belongs to the
// row row_at(k) and to the k-th basic column, in the order in which factor() leaves them. Each
// update abandons a place and opens the next one at the end, so that the places stay in order.
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
  // Gives places new names; entries whose new name is `none` leave.
  void rename(const std::vector<std::uint32_t>& name, std::uint32_t none);
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
  // How many places there are, with those of updates to come.
  std::size_t n_places() const { return n_rows() + most_updates_; }
  // x becomes B^-1 x: x comes by start_of(row) and leaves by places of columns.
  void ftran(MarkedVector& x) const;
  // The same for the column that update() may then take in.
  void ftran_entering(MarkedVector& x);
  // y becomes B^-T y: y comes by places of columns and leaves by start_of(row).
  void btran(MarkedVector& y) const;
  // y becomes B^-T times the unit of place k, whose column update() may then give up.
  void btran_leaving(std::size_t k, MarkedVector& y);
  // The column of the last btran_leaving() leaves for that of the last ftran_entering(), which had
  // `pivot` there. Returns the new column's place.
  std::uint32_t update(double pivot);

  std::size_t n_updates() const { return left_.size(); }
  // A new factor is due: the updates cost more, or their errors grow.
  bool is_worn() const;
  // Of a place before n_rows(), as btran() uses them.
  std::uint32_t row_at(std::size_t k) const { return row_at_[k]; }
  std::uint32_t start_of(std::size_t row) const { return place_of_[row]; }
  std::size_t n_entries() const;  // of L, U and all updates

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::size_t n_rows() const { return columns_.n_rows; }
  void solve_lower(MarkedVector& x) const;
  void solve_upper(MarkedVector& x) const;
  void solve_upper_rows(MarkedVector& y, std::size_t from) const;
  template <class Visit>
  void each_in_row(std::size_t k, Visit visit) const;
  void finish_btran(MarkedVector& y) const;
  double append_spike();
  void clear();
  void read(const std::vector<std::uint32_t>& basic);
  void take(std::uint32_t row, std::uint32_t slot, double pivot);
  void peel_columns();
  void peel_rows(const std::vector<std::uint32_t>& basic);
  void load_bump(const std::vector<std::uint32_t>& basic);
  void link(std::uint32_t slot);
  void unlink(std::uint32_t slot);
  struct Entry {
    std::uint32_t row;
    double value;
  };
  struct Pivot {
    std::uint32_t row = kNone, slot = kNone;
    double value = 0.0;
    std::size_t fill = SIZE_MAX;  // how many new entries it may cause
  };
  bool judge(std::uint32_t slot, Pivot& best) const;
  bool find_pivot(Pivot& best);
  void drop(std::uint32_t slot);
  void pivot_on(const Pivot& p);
  void take_off(std::uint32_t row, std::uint32_t slot, std::size_t first);
  void eliminate(const std::vector<std::uint32_t>& basic);
  std::vector<std::uint32_t> fill_up(std::vector<std::uint32_t>& basic);
  void finish();

  const SparseColumns& columns_;
  std::vector<std::uint32_t> row_at_, place_of_;
  TriangleSide lower_, upper_;            // by columns
  TriangleSide lower_rows_, upper_rows_;  // the same by rows
  std::vector<double> diagonal_;          // of U
  std::size_t first_lower_ = 0;           // columns of L before it are units

  // Updates. Columns of U that came later follow the others; what they add to its rows is chained:
  // chain_at_ of a place leads to an entry, and each entry to the next one.
  struct Link {
    std::uint32_t place, next;
    double value;
  };
  std::size_t most_updates_;
  std::vector<std::uint32_t> left_;  // the place that each update abandoned
  std::vector<char> is_left_;
  TriangleSide row_eta_;  // of each update, the multiples of rows that cleared the old row
  std::vector<std::uint32_t> chain_at_;
  std::vector<Link> chain_;
  std::vector<std::uint32_t> spike_place_;  // the entering column before it meets U
  std::vector<double> spike_;
  std::size_t leaving_ = 0;
  MarkedVector cleared_;  // the multiples of rows that clear the leaving one
  bool is_doubtful_ = false;
  std::size_t factored_entries_ = 0;  // of L and U when they were new

  // While a basis is factored. A slot is a column's number in the basis as it came; rows and slots
  // are open until they have a pivot. Of each row: how many open slots have an entry there, and the
  // exclusive or of their numbers, which is the number of the last one when one is left. Of each
  // slot the same over rows.
  std::vector<std::uint32_t> row_count_, row_mix_, slot_count_, slot_mix_, slot_at_, queue_;
  std::vector<char> slot_open_;
  std::vector<std::size_t> meet_start_;
  std::vector<std::uint32_t> meet_;  // the slots of each row
  std::vector<double> meet_value_;
  std::vector<std::vector<Entry>> bump_column_;             // by slots
  std::vector<std::vector<std::uint32_t>> bump_row_;        // slots, also some that have left
  std::vector<std::uint32_t> first_with_, before_, after_;  // open slots by numbers of entries
  std::size_t least_count_ = 1;
  std::vector<double> multiple_;  // of the pivot's row that is taken off a row
  std::vector<std::uint64_t> stamp_of_;
  std::uint64_t stamp_ = 0;
  std::vector<char> is_loaded_;
};

}  // namespace sdclattice
