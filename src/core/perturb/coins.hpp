// The joint state of the applications of one cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "cycle/mechanism.hpp"

namespace sdclattice {

// A cycle's state has one digit per application: what the coin did (plus, minus, nothing) and, for
// nothing, whether the cells seen so far would have allowed a step. Rules "blocked", "none" and
// "roehrig" need one such flag (4 digits), "nonnegative" one for each direction (6 digits). A fresh
// state is one in which no cell has objected yet.
class CoinStates {
 public:
  static constexpr int plus = 0, minus = 1, stay = 2;  // digits; stay + flags where cells objected

  CoinStates(ZeroRule rule, int applications);

  ZeroRule rule() const { return rule_; }
  int applications() const { return applications_; }
  int size() const { return size_; }
  const std::vector<std::int32_t>& fresh() const { return fresh_; }
  int digit(int state, int application) const {
    return digits_[static_cast<std::size_t>(state) * applications_ + application];
  }
  int encode(const std::int8_t* digits) const {
    int state = 0;
    for (int t = applications_; t-- > 0;) state = state * base_ + digits[t];
    return state;
  }
  static int sign(int digit) { return digit == plus ? 1 : digit == minus ? -1 : 0; }

  // Probability of the coins behind a state, once no cell of the cycle is left unseen.
  double weight(const std::int8_t* digits, double alpha, double beta) const;

 private:
  ZeroRule rule_;
  int applications_, base_, size_;
  std::vector<std::int8_t> digits_;
  std::vector<std::int32_t> fresh_;
};

// The digit of a step by `coefficient` once cells with the values `up` (which the cycle raises) and
// `down` (which it lowers) have seen it, and the values after it; -1: the step was impossible.
int see_step(ZeroRule rule, int digit, int coefficient, int& up, int& down);

}  // namespace sdclattice
