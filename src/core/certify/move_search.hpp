// The cheapest move from one cell of a table that may be in debt (debt_walk.hpp).
//
// A move on a set S of variables that are not released together: choose another level for each
// variable of S; of the 2^|S| cells of that sub-box those at an even number of changes rise by one
// and those at an odd number fall. No margin over a set that does not hold all of S changes.
//
// The sets are a tree of ascending variables, so that the cells of moves on S are those of moves on
// S without its last variable, and as many again. What falls costs its price; what rises may repay
// debts. A branch ends where it costs more than the best move by all that could be repaid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "certify/component_table.hpp"

namespace sdclattice {

// A set to move on. A penalty counts once in a walk, when the set is first moved on.
struct MoveSet {
  LocalSet set;
  std::int32_t penalty = 0;
};

// A table on a walk: cells below zero are in debt.
struct DebtTable {
  std::vector<std::int32_t> now;
  std::vector<std::int16_t> learned, price;  // of a debt; price: 0 where the table has a record
  std::vector<std::uint32_t> debts;
  std::vector<char> used;  // sets whose penalty this walk has paid
  bool any_paid = false;
  std::uint32_t barred = UINT32_MAX;  // a cell that must not rise
};

class MoveSearch {
 public:
  static constexpr std::int32_t kNever = 1 << 20;
  struct Move {
    std::int32_t set = -1;
    std::vector<std::int32_t> shifts;
  };

  explicit MoveSearch(const ComponentTable& table) : table_(table), shifts_(table.size()) {}

  void move_on(const std::vector<MoveSet>& sets);
  const std::vector<MoveSet>& sets() const { return sets_; }
  // A move that raises the cell, or lowers it; false when there is none.
  bool find(const DebtTable& walk, std::uint32_t cell, bool up, PublicRandom& random);
  const Move& best() const { return best_; }
  std::int32_t best_cost() const { return best_cost_; }
  std::size_t n_looks() const { return n_looks_; }

 private:
  struct Node {
    std::uint32_t variable;
    std::int32_t child = -1, next = -1, set = -1;
    std::int32_t penalty = 0;  // the least of the sets in this branch
  };

  void insert(LocalSet set, std::int32_t id);
  void start(const DebtTable& walk, std::uint32_t cell, bool up);
  void list_shifts(const DebtTable& walk, std::uint32_t cell, bool up);
  void extend(const DebtTable& walk, std::int32_t first, std::size_t depth, std::int32_t cost,
              std::int32_t gain, PublicRandom& random);
  void consider(const DebtTable& walk, const Node& node, std::int32_t cost, std::int32_t gain,
                PublicRandom& random);

  static constexpr std::size_t kStepLooks = 20000;  // for one move, when some move is known

  const ComponentTable& table_;
  std::vector<MoveSet> sets_;
  std::vector<Node> nodes_;
  std::int32_t root_ = -1;
  std::vector<std::uint32_t> even_, odd_;          // the box by numbers of changes
  std::vector<std::vector<std::int32_t>> shifts_;  // alternatives of each variable, cheapest first
  std::vector<std::int32_t> path_;
  Move best_;
  std::int32_t best_score_ = 0, best_cost_ = 0, most_gain_ = 0;
  std::size_t n_ties_ = 0, n_looks_ = 0, step_stop_ = 0;
  std::vector<std::int32_t> starts_;
  bool up_ = true;
};

}  // namespace sdclattice
