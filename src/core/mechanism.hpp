// The random mechanism of cyclic perturbation: which cycle is applied when, with which
// probabilities, and when a step must not be taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// When a step is skipped. `blocked`: a cell on the cycle's support is smaller than the size of its
// coefficient. `nonnegative`: a cell would become negative. `none`: never. `roehrig`: the improper
// backward recursion behind the slides' numbers; for posteriors only, no probability model.
enum class ZeroRule { blocked, nonnegative, none, roehrig };

// Step i applies cycle sequence[i]: plus the cycle with probability alpha, minus it with
// probability beta. Probabilities are one for all cycles or one per cycle.
struct Mechanism {
  std::vector<std::int32_t> sequence;
  std::vector<double> alpha;
  std::vector<double> beta;
  ZeroRule rule = ZeroRule::blocked;

  double alpha_of(std::size_t cycle) const { return alpha.size() == 1 ? alpha[0] : alpha[cycle]; }
  double beta_of(std::size_t cycle) const { return beta.size() == 1 ? beta[0] : beta[cycle]; }
};

// Probability that a coin asks for nothing: 0 where alpha and beta add up to 1 in double precision,
// as the coins have it.
inline double stay_probability(double alpha, double beta) {
  return alpha + beta >= 1 ? 0 : 1 - alpha - beta;
}

// When each cycle is applied: the step of its application t = 0, 1, ... Where every cover takes the
// cycles in the same order only the order of the first is kept, and nothing where that is 0, 1, ...
class Times {
 public:
  Times() = default;
  // Every one of n_cycles cycles stands equally often in the sequence; throws InputError otherwise.
  Times(const std::vector<std::int32_t>& sequence, std::size_t n_cycles);

  int covers() const { return covers_; }
  std::uint32_t step(std::int32_t cycle, int application) const {
    if (periodic_) {
      const std::uint32_t first = first_.empty() ? static_cast<std::uint32_t>(cycle) : first_[cycle];
      return first + static_cast<std::uint32_t>(application * n_cycles_);
    }
    return first_[static_cast<std::size_t>(cycle) * covers_ + application];
  }

 private:
  int covers_ = 0;
  std::size_t n_cycles_ = 0;
  bool periodic_ = true;
  std::vector<std::uint32_t> first_;
};

}  // namespace sdclattice
