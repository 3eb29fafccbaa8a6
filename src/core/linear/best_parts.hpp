// The table of a system in which a weighted sum of the cells is least, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/work_clock.hpp"
#include "linear/best_search.hpp"
#include "linear/linear.hpp"
#include "linear/presolve.hpp"

namespace sdclattice {

class BestParts {
 public:
  // As BestSearch. InfeasibleError, here and later, when it is proved that there is no table.
  BestParts(const LinearSystem& system, const std::vector<std::int64_t>& weight,
            const std::vector<char>& first, WorkClock& watch, bool helped);

  // At most so many nodes in each part.
  void advance(std::size_t nodes);
  bool done() const;
  // A table of the system, to start from.
  void offer(const std::vector<std::int64_t>& table);
  // Empty when a part has none.
  std::vector<std::int64_t> table() const;
  // No table has a smaller sum.
  std::int64_t bound() const;

 private:
  // The sums of a part are multiples of its unit.
  struct Part {
    std::int64_t unit;
    std::unique_ptr<BestSearch> search;
  };

  Presolved small_;
  WideInt shift_ = 0;  // of the sum: what the parts do not hold
  std::vector<Part> parts_;
};

}  // namespace sdclattice
