// Other tables with the same released margins: a walk of moves that may leave debts.
//
// A move on a set S of variables that are not released together: choose another level for each
// variable of S; of the 2^|S| cells of that sub-box those at an even number of changes rise by one
// and those at an odd number fall. No margin over a set that does not hold all of S changes.
//
// To raise a cell to a target, the walk starts with the cell in debt by the target, takes a debt,
// and applies the move that repays it and costs least in new debts, until no cell is below zero.
// The cost of a debt is learned: a cell with a count costs nothing, another one more than the
// cheapest move that was found to raise it (as in real-time heuristic search: Korf 1990). What is
// learned of one cell serves all others, so that debts drift to where tables are dense.
//
// Deterministic for a given generator: the effort is counted in cells looked at, never in seconds.
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

struct WalkEffort {
  std::size_t restarts = 8;
  std::size_t steps = 100;
  std::size_t looks = 2000000;  // cells looked at, in all restarts
};

class DebtWalk {
 public:
  explicit DebtWalk(const ComponentTable& table);

  // Forgets what was learned when `forget`.
  void move_on(const std::vector<MoveSet>& sets, bool forget);

  // A change after which the cell holds at least (at most) `target`. False when none was found.
  bool raise(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
             PublicRandom& random, TableChange& out);
  bool lower(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
             PublicRandom& random, TableChange& out);
  std::size_t n_looks() const { return n_looks_; }

 private:
  struct Node {
    std::uint32_t variable;
    std::int32_t child = -1, next = -1, set = -1;
    std::int32_t penalty = 0;  // the least of the sets in this branch
  };
  struct Move {
    std::int32_t set = -1;
    std::vector<std::int32_t> shifts;
  };

  void insert(LocalSet set, std::int32_t id);
  bool repay(std::size_t max_steps, std::size_t max_looks, PublicRandom& random);
  bool find_move(std::uint32_t cell, bool up, PublicRandom& random);
  void extend(std::int32_t first, std::size_t depth, std::int32_t cost, std::int32_t gain,
              PublicRandom& random);
  void consider(const Node& node, std::int32_t cost, std::int32_t gain, PublicRandom& random);
  void apply_move(std::uint32_t cell, bool up);
  void change(std::uint32_t cell, std::int32_t by);
  std::uint32_t pick_debt(PublicRandom& random);
  void learn(std::uint32_t cell);
  void undo();
  void write(std::uint32_t cell, std::int32_t borrowed, TableChange& out) const;

  static constexpr std::int32_t kHopeless = 200;
  static constexpr std::size_t kStepLooks = 20000;  // for one move, when some move is known
  static constexpr std::int32_t kNever = 1 << 20;

  const ComponentTable& table_;
  std::vector<std::int32_t> now_;
  std::vector<std::int16_t> learned_, price_;  // price_: learned_ where the table has no record
  std::vector<std::uint32_t> touched_, debts_;
  std::vector<char> is_touched_;
  std::vector<MoveSet> sets_;
  std::vector<char> used_;  // sets whose penalty this walk has paid
  bool any_paid_ = false;
  std::vector<Node> nodes_;
  std::int32_t root_ = -1;
  std::uint32_t barred_ = UINT32_MAX;  // a cell that must not rise
  std::size_t n_looks_ = 0;

  // The search for a move from one cell.
  std::vector<std::uint32_t> even_, odd_;          // the box by numbers of changes
  std::vector<std::vector<std::int32_t>> shifts_;  // alternatives of each variable, cheapest first
  std::vector<std::int32_t> path_;
  Move best_;
  std::vector<std::uint32_t> box_;  // of the move that is applied
  std::int32_t best_score_ = 0, best_cost_ = 0, most_gain_ = 0;
  std::size_t n_ties_ = 0, step_stop_ = 0;
  std::vector<std::int32_t> starts_;
  bool up_ = true;
};

}  // namespace sdclattice
