#include "cycle/mechanism.hpp"

#include <numeric>

namespace sdclattice {
namespace {

// 0, 1, ..., n - 1, again and again.
bool ascends(const std::vector<std::int32_t>& sequence, std::size_t n) {
  for (std::size_t i = 0; i < sequence.size(); ++i)
    if (sequence[i] != static_cast<std::int32_t>(i % n)) return false;
  return sequence.size() % n == 0;
}

}  // namespace

Times::Times(const std::vector<std::int32_t>& sequence, std::size_t n_cycles)
    : n_cycles_(n_cycles) {
  if (n_cycles == 0) return;
  ascending_ = ascends(sequence, n_cycles);
  covers_ = static_cast<int>(sequence.size() / n_cycles);
  if (ascending_) return;
  start_.assign(n_cycles + 1, 0);
  for (std::int32_t c : sequence) ++start_[c + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  step_.resize(sequence.size());
  for (std::size_t i = 0; i < sequence.size(); ++i)
    step_[next[sequence[i]]++] = static_cast<std::uint32_t>(i);
}

}  // namespace sdclattice
