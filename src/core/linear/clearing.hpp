// Do the sums that equations give keep a linear rule? A proof for either answer.
//
// The equations A z = b say of the unknowns z what A'y says for any y. Of these combinations u
// those with u >= 0 are sums of unknowns. With c_i in cell i the sum u has c.u, and c is cleared
// when no sum has less than nothing. By Farkas' lemma that is so if and only if some change d with
// A d = 0 leaves c + d >= 0: then c.u = (c + d).u >= 0.
//
// Changes and sums are proposed by a linear programme in floating point. A change counts when whole
// multiples of it meet all rows in whole numbers, and a sum when whole multipliers of rows give it:
// neither answer rests on a rounded number, and what has no such proof is open.
//
// One object serves many questions over the same rows. Each starts where nothing changes, from the
// basis of the last one, so that it costs what few cells with less than nothing lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "linear/linear.hpp"
#include "linear/sparse_simplex.hpp"

namespace sdclattice {

enum class Cleared { yes, no, open };

// A sum of unknowns that equations give: `times` each of these cells, by these rows.
struct DerivedSum {
  std::vector<std::uint32_t> cell, row;
  std::vector<std::int64_t> times;
};

class Clearing {
 public:
  // Sums that are asked about have none of a cell with so much.
  static constexpr std::int64_t kFree = kNoLimit;
  // No cell may have more, or less than the negative of it.
  static constexpr std::int64_t kMost = std::int64_t{1} << 52;

  // Over the rows of a system, whose limits mean nothing here. Every cell has 0. `check` is called
  // every few steps and may throw; the object stays usable.
  Clearing(const LinearSystem& rows, std::function<void()> check);

  std::size_t n_cells() const { return programme_.n_cells(); }
  void set(std::size_t cell, std::int64_t value);
  // What the cell has.
  std::int64_t value(std::size_t cell) const { return value_[cell]; }
  Cleared ask();

  // Of the last no: a sum with less than nothing. Where it was open, rows that may give one.
  const DerivedSum& sum() const { return sum_; }
  // Of the last yes: multiple() times a change that leaves each cell something or nothing.
  const std::vector<std::int64_t>& change() const { return change_; }
  std::int64_t multiple() const { return multiple_; }

 private:
  bool proves_change(const std::vector<double>& change, std::int64_t multiple);
  bool proves_sum();
  Cleared ask_once();
  void start(std::uint64_t seed);

  LinearSystem programme_;  // of the change: lower limits are what must not be taken away
  std::function<void()> check_;
  std::vector<std::int64_t> value_, nothing_;
  std::unique_ptr<SparseSimplex> simplex_;
  DerivedSum sum_;
  std::vector<std::int64_t> change_;
  std::int64_t multiple_ = 1;
};

}  // namespace sdclattice
