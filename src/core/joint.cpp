#include "core/joint.hpp"

#include <array>

#include "core/error.hpp"

namespace sdclattice {
namespace {

// Digits. With one flag: 0 plus, 1 minus, 2 nothing and allowed, 3 nothing and not allowed. With
// two: 2 + p + 2 m, p and m telling that plus and minus are NOT allowed.
constexpr int plus = 0, minus = 1, stay = 2;

bool two_flags(ZeroRule rule) { return rule == ZeroRule::nonnegative; }

// The values of a link's two groups of cells while the steps are taken. Up cells rise with
// `second` and fall with `first`; down cells the reverse.
struct Values {
  int up, down;
  void move(bool is_second, int coefficient) {
    const int by = is_second ? coefficient : -coefficient;
    up += by;
    down -= by;
  }
};

// The digit after one link has seen one application; -1: the coin's step was impossible.
int see(ZeroRule rule, int digit, bool is_second, Values& now) {
  const int coefficient = digit == plus ? 1 : digit == minus ? -1 : 0;
  const Values before = now;
  now.move(is_second, coefficient);
  const bool zero = before.up < 1 || before.down < 1;
  switch (rule) {
    case ZeroRule::none:
      return digit;
    case ZeroRule::blocked:
      if (!zero) return digit;
      return coefficient != 0 ? -1 : stay + 1;
    case ZeroRule::roehrig:
      if (coefficient != 0) return now.up < 0 || now.down < 0 ? -1 : digit;
      return zero ? stay + 1 : digit;
    case ZeroRule::nonnegative: {
      const bool no_plus = (is_second ? before.down : before.up) < 1;
      const bool no_minus = (is_second ? before.up : before.down) < 1;
      if (coefficient != 0) return (coefficient > 0 ? no_plus : no_minus) ? -1 : digit;
      return stay + ((digit - stay) | int(no_plus) | (int(no_minus) << 1));
    }
  }
  return -1;
}

double weight_of_digit(ZeroRule rule, int digit, double alpha, double beta) {
  if (digit == plus) return alpha;
  if (digit == minus) return beta;
  const double gamma = stay_probability(alpha, beta);
  const int flags = digit - stay;
  if (rule == ZeroRule::none) return gamma;
  if (!two_flags(rule)) return flags ? 1 : gamma;
  return gamma + (flags & 1 ? alpha : 0) + (flags & 2 ? beta : 0);
}

}  // namespace

StateSpace::StateSpace(ZeroRule rule, int covers)
    : rule_(rule), covers_(covers), base_(two_flags(rule) ? 6 : 4), size_(1) {
  if (covers > 8) throw TooLargeError("More than 8 covers: too many states per cycle.");
  for (int t = 0; t < covers; ++t) size_ *= base_;
  digits_.resize(static_cast<std::size_t>(size_) * covers);
  fresh_of_.assign(size_, 0);
  net_.assign(size_, 0);
  for (int state = 0; state < size_; ++state) {
    int rest = state, power = 1;
    for (int t = 0; t < covers; ++t, rest /= base_, power *= base_) {
      const int digit = rest % base_;
      digits_[state * covers + t] = static_cast<std::int8_t>(digit);
      net_[state] += digit == plus ? 1 : digit == minus ? -1 : 0;
      fresh_of_[state] += power * (digit < stay ? digit : stay);
    }
    if (fresh_of_[state] == state) fresh_.push_back(state);
  }
}

double StateSpace::digit_weight(int digit, double alpha, double beta) const {
  return weight_of_digit(rule_, digit, alpha, beta);
}

Join make_join(const StateSpace& space, const LinkKey& key) {
  const int size = space.size(), covers = space.covers();
  Join after(static_cast<std::size_t>(size) * size, -1);
  for (int first = 0; first < size; ++first) {
    for (int second = 0; second < size; ++second) {
      const int change = space.net(second) - space.net(first);
      Values now{key.up - change, key.down + change};
      if (now.up < 0 || now.down < 0) continue;  // the original would be negative
      std::array<int, 2> state{0, 0}, used{0, 0}, power{1, 1};
      bool possible = true;
      for (int t = 0; t < 2 * covers && possible; ++t) {
        const int who = key.pattern >> t & 1;
        const int digit = space.digit(who ? second : first, used[who]++);
        const int seen = see(space.rule(), digit, who == 1, now);
        possible = seen >= 0;
        state[who] += power[who] * seen;
        power[who] *= space.base();
      }
      if (possible) after[static_cast<std::size_t>(first) * size + second] = state[0] * size + state[1];
    }
  }
  return after;
}

}  // namespace sdclattice
