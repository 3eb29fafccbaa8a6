// Tables with the same margins, reached by basic moves.
//
// Let S be a set of variables that no released margin holds. A choice of another level for each
// variable of S spans a box of 2^|S| cells about a cell; adding m to those that differ from it in
// an even number of variables, and taking m from the others, leaves every margin that lacks a
// variable of S as it is. So a walk of such moves that ends at or above zero everywhere ends at a
// table with the released margins: what its cells hold is attained, which is an inner bound. A walk
// that ends short proves nothing.
//
// First the largest moves without any cell below zero are made. Where none is left, a walk with
// debts: a move may leave cells below zero; then one of them is raised by the move that leaves the
// fewest others so, over and over, until none is left or the walk is given up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

struct CountChange {
  std::size_t cell;
  std::int64_t by;
};

class BasicMoves {
 public:
  // `non_faces`: sets that no margin holds, all their parts held. Each step looks at up to
  // `most_choices` boxes for each of them. The table must live as long.
  BasicMoves(const PartTable& table, std::vector<SubTable> non_faces, std::size_t most_choices);

  // Moves a cell up (sign 1) or down (-1) until it changed by `enough`, or neither kind of walk
  // goes on; `debts`: may it go below zero meanwhile? Returns the changes, each cell once. O(steps
  // x boxes x 2^|S|).
  std::vector<CountChange> walk(std::size_t cell, int sign, std::int64_t enough, bool debts);

 private:
  struct Box {
    std::vector<std::size_t> even, odd;
  };
  // Calls `visit` with boxes about the cell; `positive`: only over levels next to it that hold
  // something.
  template <class Visit>
  void for_boxes(SubTable set, std::size_t cell, bool positive, const Visit& visit) const;
  std::int64_t best_move(std::size_t cell, int sign, Box& best) const;
  bool pay(std::size_t goal, int sign, std::int64_t by);
  bool cheapest(std::size_t cell, int sign, std::int64_t by, std::size_t goal, int goal_sign,
                Box& best);
  Box box(const std::vector<std::size_t>& variables, const std::vector<std::uint32_t>& levels,
          std::size_t cell) const;
  std::int64_t room(const Box& box, int sign) const;
  void apply(const Box& box, std::int64_t by);

  const PartTable& table_;
  std::vector<SubTable> non_faces_;
  std::size_t most_choices_;
  std::vector<std::int64_t> work_;
  std::vector<CountChange> steps_;  // what led from the table to `work_`
  PublicRandom random_{1};
};

}  // namespace sdclattice
