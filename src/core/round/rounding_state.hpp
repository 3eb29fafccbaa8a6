// A choice of the cells that go up to the next multiple, and which sums it violates.
//
// What it keeps. For each sum how many of its cells go up, the list of violated sums, the violation
// and the cost. What it costs. A move takes the number of sums of its cell. Agrees with the same
// numbers from the definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "round/lists.hpp"

namespace sdclattice {

// Row r sums `cells` from start[r] on. So many of them must go up: target[r], or one more where
// room[r] is 1, which costs row_cost[r].
struct RoundingRows {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> cells;
  std::vector<std::int64_t> target;
  std::vector<std::uint8_t> room;
  std::vector<std::int64_t> row_cost;
  std::vector<std::int64_t> cost;  // of going up, for each cell

  std::size_t n_rows() const { return target.size(); }
  std::size_t n_cells() const { return cost.size(); }
  std::size_t size(std::size_t r) const { return start[r + 1] - start[r]; }
};

// By how many multiples a sum is outside of its target.
inline std::int64_t excess(std::int64_t over, std::uint8_t room) {
  return over < 0 ? -over : over > room ? over - room : 0;
}

class RoundingState {
 public:
  // Each cell at its nearer multiple.
  explicit RoundingState(const RoundingRows& rows);

  void move(std::size_t c);

  const RoundingRows& rows() const { return rows_; }
  const std::vector<std::uint8_t>& up() const { return up_; }
  // How many cells of a row go up, beyond its target.
  std::int64_t over(std::size_t r) const { return over_[r]; }
  const std::vector<std::uint32_t>& violated() const { return violated_; }
  bool is_violated(std::size_t r) const { return place_[r] != kNowhere; }
  std::int64_t violation() const { return violation_; }
  std::int64_t cost() const { return cost_; }
  std::int64_t row_cost(std::size_t r, std::int64_t over) const {
    return rows_.room[r] != 0 && over > 0 ? rows_.row_cost[r] : 0;
  }
  // The rows of a cell.
  const std::uint32_t* begin(std::size_t c) const { return rows_of_.begin(c); }
  const std::uint32_t* end(std::size_t c) const { return rows_of_.end(c); }

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  // Enters a row into the list of those that are violated, or takes it out.
  void note(std::uint32_t r);

  const RoundingRows& rows_;
  Lists rows_of_;
  std::vector<std::uint8_t> up_;
  std::vector<std::int64_t> over_;
  std::vector<std::uint32_t> violated_, place_;
  std::int64_t violation_ = 0, cost_ = 0;
};

}  // namespace sdclattice
