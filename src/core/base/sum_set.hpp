// Sets of sums that choices can reach: a bit for each sum, and a tail in which every sum is
// reached.
//
// What is computed. Sets of whole numbers under addition of further summands. A summand is a set of
// steps, one of which is taken, or a coin, which may be taken any number of times. Sets that are
// built up from many summands soon hold every number from some point on; that tail is not stored,
// and all work is done below it.
// What it costs. A step or a coin costs one pass over the words below the tail, of 64 sums each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

class SumSet {
 public:
  // The set {0} and all sums above `largest`, or all sums when that is -1.
  explicit SumSet(std::int64_t largest);

  bool has(std::int64_t sum) const {
    return sum >= size_ || ((words_[static_cast<std::size_t>(sum) / 64] >> (sum % 64)) & 1) != 0;
  }
  // Every sum from here on that matters is in the set.
  std::int64_t tail() const { return size_; }
  // The smallest sum in the set from `sum` on.
  std::int64_t next(std::int64_t sum) const;

  // Adds a step: every sum becomes itself plus one of the steps. Steps increase, the first is 0.
  // Says whether the set has grown.
  bool add_steps(const std::vector<std::int64_t>& steps);
  // Adds a coin, which is above 0.
  void add_coin(std::int64_t coin);

 private:
  void find_tail();

  std::int64_t size_;
  std::vector<std::uint64_t> words_;
};

}  // namespace sdclattice
