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
// cycles in the order of their numbers nothing is kept.
class Times {
 public:
  Times() = default;
  Times(const std::vector<std::int32_t>& sequence, std::size_t n_cycles);

  int applications(std::int32_t cycle) const {
    return ascending_ ? covers_ : static_cast<int>(start_[cycle + 1] - start_[cycle]);
  }
  std::uint32_t step(std::int32_t cycle, int application) const {
    if (ascending_) return static_cast<std::uint32_t>(cycle + application * n_cycles_);
    return step_[start_[cycle] + application];
  }

 private:
  std::size_t n_cycles_ = 0;
  int covers_ = 0;
  bool ascending_ = true;
  std::vector<std::uint32_t> start_, step_;
};

}  // namespace sdclattice
