#include "posterior/chain.hpp"

#include <algorithm>
#include <cmath>

#include "posterior/chain_numbers.hpp"
#include "posterior/chain_passes.hpp"

namespace sdclattice {
namespace {

constexpr double kMaxRange = 60;  // of a law's log weights, for messages of doubles
constexpr double kManyBytes = 2.5e8;

// Whether some law tells its possible changes apart by more than kMaxRange.
bool needs_wide(const Chain& chain, const LawWeights& weights) {
  if (!weights.data) return false;
  for (std::int32_t law : chain.laws) {
    double top = kNever, least = -kNever;
    for (int d = -weights.reach; d <= weights.reach; ++d) {
      const double w = weights.get(law, d);
      if (w == kNever) continue;
      top = std::max(top, w);
      least = std::min(least, w);
    }
    if (top - least > kMaxRange) return true;
  }
  return false;
}

// act(number, ...) with doubles, and with wide numbers where those are needed or find nothing.
template <typename Act>
double with_numbers(const Chain& chain, const LawWeights& weights, Act&& act) {
  const double found = needs_wide(chain, weights) ? kNever : act(double());
  return found == kNever ? act(Wide()) : found;
}

}  // namespace

double chain_work(const Chain& chain) {
  double work = 0;
  for (const ChainStep& step : chain.steps)
    work += static_cast<double>(step.kernel->entries.size()) * step.lanes;
  return work;
}

std::size_t chain_stride(std::size_t n_steps, double message_bytes) {
  if (message_bytes <= kManyBytes) return std::max<std::size_t>(n_steps, 1);
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n_steps))));
}

double chain_evidence(const Chain& chain, const LawWeights& weights, const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    return Passes<decltype(number)>(chain, weights, false, tick).log_evidence();
  });
}

double chain_infer(const Chain& chain, const LawWeights& weights, int reach, double* laws,
                   const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    Passes<decltype(number)> passes(chain, weights, true, tick);
    if (passes.log_evidence() == kNever) return kNever;
    if (passes.add_laws(reach, laws)) return passes.log_evidence();
    const std::size_t width = 2 * static_cast<std::size_t>(reach) + 1;
    for (std::int32_t law : chain.laws) std::fill_n(laws + std::size_t(law) * width, width, 0.0);
    return kNever;
  });
}

double chain_sample(const Chain& chain, const LawWeights& weights, std::size_t n,
                    std::size_t n_laws, const std::function<double()>& uniform, std::int8_t* shifts,
                    const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    Passes<decltype(number)> passes(chain, weights, true, tick);
    if (passes.log_evidence() != kNever) passes.sample(n, n_laws, uniform, shifts);
    return passes.log_evidence();
  });
}

}  // namespace sdclattice
