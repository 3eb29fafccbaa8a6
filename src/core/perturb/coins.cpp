#include "perturb/coins.hpp"

#include <cstdlib>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr int kMaxStates = 1 << 20;

bool two_flags(ZeroRule rule) {
  return rule == ZeroRule::nonnegative;
}

double weight_of_digit(ZeroRule rule, int digit, double alpha, double beta) {
  if (digit == CoinStates::plus) return alpha;
  if (digit == CoinStates::minus) return beta;
  const double gamma = stay_probability(alpha, beta);
  const int flags = digit - CoinStates::stay;
  if (rule == ZeroRule::none) return gamma;
  if (!two_flags(rule)) return flags ? 1 : gamma;
  return gamma + (flags & 1 ? alpha : 0) + (flags & 2 ? beta : 0);
}

}  // namespace

CoinStates::CoinStates(ZeroRule rule, int applications)
    : rule_(rule), applications_(applications), base_(two_flags(rule) ? 6 : 4), size_(1) {
  for (int t = 0; t < applications; ++t) {
    size_ *= base_;
    if (size_ > kMaxStates)
      throw TooLargeError("A cycle is applied " + std::to_string(applications) +
                          " times: too many states per cycle.");
  }
  digits_.resize(static_cast<std::size_t>(size_) * applications);
  for (int state = 0; state < size_; ++state) {
    bool is_fresh = true;
    for (int t = 0, rest = state; t < applications; ++t, rest /= base_) {
      const int digit = rest % base_;
      digits_[static_cast<std::size_t>(state) * applications + t] = static_cast<std::int8_t>(digit);
      is_fresh = is_fresh && digit <= stay;
    }
    if (is_fresh) fresh_.push_back(state);
  }
}

double CoinStates::weight(const std::int8_t* digits, double alpha, double beta) const {
  double weight = 1;
  for (int t = 0; t < applications_; ++t) weight *= weight_of_digit(rule_, digits[t], alpha, beta);
  return weight;
}

// The flags of "nonnegative" are 1 where plus and 2 where minus is not possible.
int see_step(ZeroRule rule, int digit, int coefficient, int& up, int& down) {
  const int sign = CoinStates::sign(digit), size = std::abs(coefficient);
  const int up_before = up, down_before = down;
  up += sign * coefficient;
  down -= sign * coefficient;
  switch (rule) {
    case ZeroRule::none:
      return digit;
    case ZeroRule::blocked:
      if (up_before >= size && down_before >= size) return digit;
      return sign != 0 ? -1 : CoinStates::stay + 1;
    case ZeroRule::roehrig:
      if (sign != 0) return up < 0 || down < 0 ? -1 : digit;
      return up < 1 || down < 1 ? CoinStates::stay + 1 : digit;
    case ZeroRule::nonnegative: {
      const bool no_plus = up_before + coefficient < 0 || down_before - coefficient < 0;
      const bool no_minus = up_before - coefficient < 0 || down_before + coefficient < 0;
      if (sign != 0) return (sign > 0 ? no_plus : no_minus) ? -1 : digit;
      const int flags = (digit - CoinStates::stay) | int(no_plus) | (int(no_minus) << 1);
      return CoinStates::stay + flags;
    }
  }
  return -1;
}

}  // namespace sdclattice
