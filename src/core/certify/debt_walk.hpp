// Other tables with the same released margins: a walk of moves that may leave debts.
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
#include <functional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "certify/component_table.hpp"
#include "certify/move_search.hpp"

namespace sdclattice {

struct WalkEffort {
  std::size_t restarts = 8;
  std::size_t steps = 100;
  std::size_t looks = 2000000;  // cells looked at, in all restarts
};

// What was learned of a cell: a debt there costs as much at least.
struct Lesson {
  std::uint32_t cell;
  std::int16_t cost;
};
using Lessons = std::vector<Lesson>;

class DebtWalk {
 public:
  explicit DebtWalk(const ComponentTable& table);

  // Searches end without a result when `must_stop` says so, which is asked at each step.
  void listen(std::function<bool()> must_stop) { must_stop_ = std::move(must_stop); }
  // Forgets what was learned when `forget_all`.
  void move_on(const std::vector<MoveSet>& sets, bool forget_all);

  // A change after which the cell holds at least (at most) `target`. False when none was found.
  bool raise(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
             PublicRandom& random, CellChanges& out);
  bool lower(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
             PublicRandom& random, CellChanges& out);
  std::size_t n_looks() const { return search_.n_looks(); }

  void forget();
  // What was learned since the last call (a cell may come more than once), which is forgotten here.
  Lessons take_lessons();
  void know(const Lessons& lessons);
  void know(const std::vector<std::int16_t>& costs);  // of all cells; none: nothing is known

 private:
  void set_learned(std::uint32_t cell, std::int16_t cost);
  bool repay(std::size_t max_steps, std::size_t max_looks, PublicRandom& random);
  void apply_move(std::uint32_t cell, bool up);
  void change(std::uint32_t cell, std::int32_t by);
  std::uint32_t pick_debt(PublicRandom& random);
  void learn(std::uint32_t cell);
  void undo();
  void write(std::uint32_t cell, std::int32_t borrowed, CellChanges& out) const;

  static constexpr std::int32_t kHopeless = 200;

  const ComponentTable& table_;
  DebtTable walk_;
  MoveSearch search_;
  std::vector<std::uint32_t> touched_;
  std::vector<char> is_touched_;
  std::vector<std::uint32_t> box_;  // of the move that is applied
  Lessons before_;                  // what debts cost before lessons, in their order
  std::function<bool()> must_stop_ = [] { return false; };
};

}  // namespace sdclattice
