#include "core/mechanism.hpp"

#include "core/error.hpp"

namespace sdclattice {
namespace {

bool repeats(const std::vector<std::int32_t>& sequence, std::size_t period) {
  for (std::size_t i = period; i < sequence.size(); ++i)
    if (sequence[i] != sequence[i - period]) return false;
  return true;
}

bool ascends(const std::vector<std::int32_t>& sequence, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (sequence[i] != static_cast<std::int32_t>(i)) return false;
  return true;
}

}  // namespace

Times::Times(const std::vector<std::int32_t>& sequence, std::size_t n_cycles)
    : n_cycles_(n_cycles) {
  if (n_cycles == 0) return;
  covers_ = static_cast<int>(sequence.size() / n_cycles);
  periodic_ = repeats(sequence, n_cycles);
  if (periodic_ && ascends(sequence, n_cycles)) return;
  const std::size_t kept = periodic_ ? 1 : static_cast<std::size_t>(covers_);
  first_.resize(n_cycles * kept);
  std::vector<std::uint8_t> used(n_cycles, 0);
  for (std::size_t i = 0; i < n_cycles * kept; ++i) {
    const std::int32_t c = sequence[i];
    if (used[c] == kept) throw InputError("A cycle is applied more often than the others.");
    first_[static_cast<std::size_t>(c) * kept + used[c]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace sdclattice
