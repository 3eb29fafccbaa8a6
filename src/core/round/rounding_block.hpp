// The best choice for a few cells of a rounding while all others stay.
//
// What is computed. Of all choices for the cells of a block the one of least price: the weighted
// violation of the sums they are in, or violation first and then cost. Among equals, any. How.
// Branch and bound, a cell at a time: for each sum, what its undecided cells may still add gives a
// range, and the least price within the range a bound. What it costs. Each node takes the number of
// sums of its cell; at most `max_nodes` nodes, after which the best so far is taken. Agrees with
// trying all choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "round/rounding_state.hpp"

namespace sdclattice {

enum class BlockResult { same, equal, better };

class RoundingBlock {
 public:
  explicit RoundingBlock(const RoundingRows& rows) : local_(rows.n_rows(), kNowhere) {}

  // Which cells; each once.
  std::vector<std::uint32_t> cells;

  // `weight`: of one multiple outside, for each row; tries either way first at random, and takes
  // a choice as good as the present one when it finds no better.
  BlockResult mend(RoundingState& state, const std::vector<std::int64_t>& weight,
                   PublicRandom& random, std::size_t max_nodes);
  // No violation more, and less cost.
  BlockResult save(RoundingState& state, std::size_t max_nodes);

  // Nodes of the last search.
  std::size_t nodes() const { return nodes_; }

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  struct Row {
    std::int32_t low, high;  // what it may hold beyond its target
    std::int32_t room;
    std::int64_t weight;
    // how much more than the least it costs to be above its target, and not to be
    std::int64_t cost_up, cost_down;
  };

  void load(const RoundingState& state);
  void weigh(const RoundingState& state, const std::vector<std::int64_t>* weight);
  static std::int64_t least_cost(const Row& row);
  std::int64_t price_of_rows() const;
  std::int64_t decide(std::size_t i, bool up);
  void undo(std::size_t i, bool up);
  // Finds what costs less than `limit`; true when it does.
  bool search(std::int64_t limit, std::size_t max_nodes);
  BlockResult take(RoundingState& state, std::int64_t present, std::int64_t limit,
                   std::size_t max_nodes);
  std::int64_t least(std::size_t i) const { return cost_[i] < 0 ? cost_[i] : 0; }

  std::vector<Row> rows_;
  std::vector<std::uint32_t> local_, global_;  // rows of the block, and back
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::int64_t> cost_, bound_;
  std::vector<std::uint8_t> first_try_, tried_, now_, best_;
  std::int64_t found_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace sdclattice
