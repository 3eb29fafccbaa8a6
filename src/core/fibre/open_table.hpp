// Two-way tables whose cells are open, without a limit of their own, or closed; and the terms of
// their generating function, a coefficient of which is the number of tables: see residue.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/big_count.hpp"
#include "base/tick.hpp"
#include "fibre/fibre_part.hpp"

namespace sdclattice {

struct OpenTable {
  std::vector<std::int64_t> row, column;
  std::vector<std::vector<bool>> open;

  OpenTable transposed() const;
};

// What one term counts against the limit of steps: it took some 130 to 420 ns.
constexpr double kStepsOfTerm = 200;

// The number of tables, found bit by bit, so that two ways can be tried side by side.
class OpenCount {
 public:
  explicit OpenCount(const OpenTable& table);
  ~OpenCount();

  // Goes on until it has taken so many steps in all; true when the count is known. Throws
  // TooLargeError when the terms at a time exceed `max_states`.
  bool reach(double steps, double max_states, const Tick& tick);
  double steps() const;
  const BigCount& count() const { return count_; }

 private:
  class Extraction;
  std::unique_ptr<OpenTable> table_;
  std::unique_ptr<Extraction> extraction_;  // none when the count is known at once
  BigCount count_ = 0;
};

// At once. Throws TooLargeError when the terms at a time or the steps exceed a limit.
BigCount count_open(const OpenTable& table, const FibreLimits& limits, const Tick& tick);

}  // namespace sdclattice
