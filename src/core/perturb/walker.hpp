// The steps of a mechanism on a table.
//
// Each step reads its coin, asks for +1 or -1 of its cycle or for nothing, and adds it
// unless the zero rule forbids that: "blocked" when a cell on the cycle is smaller than the size of
// its coefficient, whatever the sign asked for; "nonnegative" when a cell would become negative. So
// no cell falls below 0, and margins that every cycle keeps are kept by the sum. A count moves by
// at most 127 per step, from at most 2^53: 64 bits cannot overflow within 2^48 steps. Cost: the
// entries of the applied cycles. The tests hold a slow twin in R.
//
// Where zeros are skipped, a move touches columns i and k only, and the columns between them have a
// zero and keep it: the search for k goes on where it stopped, and a sweep costs no more than its
// columns. A column loses its right to move when one of its cells becomes 0, never gains it: so a
// sweep that found no k will find none. Given what came before, the move is decided by the coin
// alone and its sign is even for alpha = beta: unbiased; it takes 1 from cells of 1 or more only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "perturb/perturb.hpp"

namespace sdclattice {

class Walker {
 public:
  Walker(const CycleSet& cycles, const Mechanism& mechanism)
      : cycles_(cycles), blocked_(mechanism.rule == ZeroRule::blocked) {
    if (!blocked_ && mechanism.rule != ZeroRule::nonnegative) {
      throw InputError("Only the zero rules blocked and nonnegative can perturb a table.");
    }
    const bool one = mechanism.alpha.size() == 1 && mechanism.beta.size() == 1;
    const std::size_t n = one ? 1 : cycles.size();
    for (std::size_t c = 0; c < n; ++c)
      limits_.emplace_back(mechanism.alpha_of(c), mechanism.beta_of(c));
  }

  int asks(std::size_t c, std::uint64_t coin) const {
    return limits_[limits_.size() == 1 ? 0 : c].side(coin);
  }

  // Adds `side` times cycle c, or does nothing and says so. Must be called for every step, also
  // where side is 0; or for steps in any order, each after restart().
  bool apply(std::size_t c, int side, std::vector<std::int64_t>& counts) {
    if (cycles_.skips_zeros()) return sweep(c, side, counts);
    if (side == 0) return false;
    const std::size_t from = cycles_.start[c], to = cycles_.start[c + 1];
    for (std::size_t i = from; i < to; ++i) {
      const std::int64_t by = side * cycles_.coef[i];
      const std::int64_t needed = blocked_ && by > 0 ? by : -by;
      if (counts[cycles_.cell[i]] < needed) return false;
    }
    for (std::size_t i = from; i < to; ++i) counts[cycles_.cell[i]] += side * cycles_.coef[i];
    return true;
  }
  void restart() { to_ = 0; }
  // The cycle at whose second column the move of a step by cycle c ended that was obeyed last.
  std::size_t end_of(std::size_t c) const {
    return cycles_.skips_zeros() ? static_cast<std::size_t>(to_) : c;
  }

 private:
  // Moves the first column of cycle c and the second column of the cycle to_, the first one from c
  // on that has no zero there.
  bool sweep(std::size_t c, int side, std::vector<std::int64_t>& counts) {
    if (c == 0 || cycles_.next[c - 1] < 0) restart();
    if (side == 0 || to_ < 0) return false;
    const std::int32_t* from = entries(c);
    if (counts[from[0]] < 1 || counts[from[3]] < 1) return false;
    to_ = std::max(to_, static_cast<std::int32_t>(c));
    while (to_ >= 0 && (counts[entries(to_)[1]] < 1 || counts[entries(to_)[2]] < 1))
      to_ = cycles_.next[to_];
    if (to_ < 0) return false;
    const std::int32_t* to = entries(to_);
    counts[from[0]] += side;
    counts[to[1]] -= side;
    counts[to[2]] += side;
    counts[from[3]] -= side;
    return true;
  }

  const std::int32_t* entries(std::size_t c) const { return &cycles_.cell[cycles_.start[c]]; }

  const CycleSet& cycles_;
  bool blocked_;
  std::int32_t to_ = 0;
  std::vector<CoinLimits> limits_;
};

}  // namespace sdclattice
