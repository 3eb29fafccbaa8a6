// From one whole table to another: a cell is moved to a value, and what no longer adds up is
// repaired by small changes of other cells, chosen at random among the best.
//
// A walk that ends well is a witness: its table meets every row and every limit, in whole numbers
// without rounding. A walk that is given up proves nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// Works on all rows of a system, and touches only those of the cells that it changes.
class RepairWalk {
 public:
  // The system must live as long. O(its entries).
  explicit RepairWalk(const LinearSystem& system);

  struct Change {
    std::uint32_t cell;
    std::int64_t before;
  };

  // x meets all rows and is within lower and upper. Sets x[cell] to `value`, holds it, and repairs
  // in at most `max_steps` changes. True: x is another whole table within lower and upper, and
  // changes() says what moved. False: x is as it was.
  bool move(std::vector<std::int64_t>& x, std::size_t cell, std::int64_t value,
            const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
            PublicRandom& random, std::size_t max_steps = 300);
  // The same from any whole numbers x, such as a rounded vertex, which first go to the nearest ends
  // of their limits; `held` cells keep their values. O(entries of the system) before the first
  // step.
  bool repair(std::vector<std::int64_t>& x, const std::vector<std::uint32_t>& held,
              const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
              PublicRandom& random, std::size_t max_steps = 300);

  // Of the last call, when it was true: each cell that moved, once, with its value before.
  const std::vector<Change>& changes() const { return changes_; }

 private:
  struct Entry {
    std::uint32_t row;
    std::int64_t coefficient;
  };
  // How far the sum of a row is above either limit.
  struct Excess {
    std::int64_t over_lower, over_upper;
    std::int64_t violation() const;
    std::int64_t wanted() const;  // the change of the sum that just meets the limits
  };
  struct Limits {
    const std::vector<std::int64_t>&lower, &upper;
  };
  struct Choice {
    std::uint32_t cell;
    std::int64_t by;
  };

  void begin(std::size_t max_steps);
  bool enter(std::vector<std::int64_t>& x, const Limits& limits);
  void put_back(std::vector<std::int64_t>& x);
  bool run(std::vector<std::int64_t>& x, const Limits& limits, PublicRandom& random,
           std::size_t max_steps);
  bool best_change(std::uint32_t row, const std::vector<std::int64_t>& x, const Limits& limits,
                   PublicRandom& random, Choice& best);
  std::int64_t cost(std::uint32_t cell, std::int64_t by, const std::vector<std::int64_t>& x);
  void apply(std::uint32_t cell, std::int64_t by, std::vector<std::int64_t>& x);
  void log(std::uint32_t cell, const std::vector<std::int64_t>& x);
  void load(std::uint32_t row, const std::vector<std::int64_t>& x);
  void list(std::uint32_t row);
  void hold(std::uint32_t cell);
  void release();

  const LinearSystem& system_;
  std::vector<std::size_t> at_;  // of each cell its first entry
  std::vector<Entry> entries_;
  std::vector<Excess> excess_;         // 0 for equations between calls
  std::vector<std::uint32_t> loaded_;  // the call that last knew the excess of a row with a range
  std::vector<char> ranged_;
  std::vector<std::uint32_t> violated_, place_;  // rows, and where in that list each one is
  std::vector<std::uint64_t> rests_until_;
  std::vector<std::uint32_t> held_;
  std::vector<std::uint32_t> logged_;  // the call that last changed a cell
  std::vector<Change> changes_;
  std::uint32_t call_ = 0;
  std::uint64_t step_ = 0;
  std::int64_t largest_ = 1, most_change_ = 0;  // coefficient; change that cannot overflow
};

}  // namespace sdclattice
