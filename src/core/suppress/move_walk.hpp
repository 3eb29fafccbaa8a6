// Sums of product moves: walks that may make debts.
//
// What is computed. Product moves alone miss what long changes do in sparse tables: a hexagon of a
// two-way table is two moves that cancel at a zero. A walk begins with a product move through the
// cell that may also change zeros, and goes on with moves through what it owes: a zero that would
// change, a cell that would fall below its limit, and, when nothing of this is left, a cell that is
// dear to hide. Each such move cancels the change there; the cell itself is left alone, and what
// the walk changes already is free. The cheapest change without debts is the result.
// What it costs. `starts` walks of at most `steps` searches of product moves each.
// Agrees with the definition of a change: the result is checked against all limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "suppress/pattern_state.hpp"
#include "suppress/product_move.hpp"

namespace sdclattice {

struct MoveWalkEffort {
  std::size_t starts = 6, steps = 14;
  MoveEffort move{40, 12, 20000, 0.0};
};

class MoveWalk {
 public:
  // Prices of the state are changed during a search, and are as before after it.
  MoveWalk(const StoredCells& cells, PatternState& state, ProductMoveSearch& search);

  // A change that moves the stored cell as wished and costs less than `bound`.
  bool find(std::uint32_t cell, const MoveWish& wish, std::int64_t bound,
            const MoveWalkEffort& effort, PublicRandom& random);
  const ScaledChange& best() const { return best_; }
  std::int64_t best_price() const { return bound_; }

 private:
  void walk(const MoveWalkEffort& effort, double skip, PublicRandom& random);
  void apply(const ProductMove& move, std::int64_t times);
  void change(const MoveCell& at, std::int64_t by);
  bool judge();
  bool next_debt(PublicRandom& random, std::uint64_t& key, std::int64_t& owed);
  void list_falls(std::int8_t sign, std::vector<std::uint32_t>& out) const;
  void list_dear(std::vector<std::uint32_t>& out) const;
  void forget();

  const StoredCells& cells_;
  PatternState& state_;
  ProductMoveSearch& search_;
  std::vector<std::int64_t> change_;                             // of each cell
  std::vector<std::pair<std::uint32_t, std::int64_t>> touched_;  // with the prices before
  std::vector<char> is_touched_;
  std::vector<std::pair<std::uint64_t, std::int64_t>> zeros_;  // that change
  std::uint32_t cell_ = 0;
  MoveWish wish_;
  std::int64_t bound_ = 0;
  ScaledChange now_, best_;
};

}  // namespace sdclattice
