#include "base/sum_set.hpp"

#include <algorithm>
#include <cassert>

#include "base/bits.hpp"

namespace sdclattice {

namespace {

std::size_t words_for(std::int64_t size) {
  return static_cast<std::size_t>((size + 63) / 64);
}

// to |= from << by, as far as `to` goes.
void or_shifted(const std::vector<std::uint64_t>& from, std::int64_t by,
                std::vector<std::uint64_t>& to) {
  const std::size_t skip = static_cast<std::size_t>(by) / 64, n = to.size();
  const unsigned bits = static_cast<unsigned>(by % 64);
  if (skip >= n) return;
  const std::uint64_t* source = from.data();
  std::uint64_t* target = to.data() + skip;
  if (bits == 0) {
    for (std::size_t i = 0; i < n - skip; ++i) target[i] |= source[i];
    return;
  }
  target[0] |= source[0] << bits;
  for (std::size_t i = 1; i < n - skip; ++i)
    target[i] |= (source[i] << bits) | (source[i - 1] >> (64 - bits));
}

}  // namespace

SumSet::SumSet(std::int64_t largest) : size_(largest + 1), words_(words_for(size_)) {
  assert(largest >= -1);
  if (size_ > 0) words_[0] = 1;
  find_tail();
}

std::int64_t SumSet::next(std::int64_t sum) const {
  if (sum >= size_) return sum;
  std::size_t at = static_cast<std::size_t>(sum) / 64;
  std::uint64_t word = words_[at] & (~std::uint64_t{0} << (sum % 64));
  while (word == 0) {
    if (++at == words_.size()) return size_;
    word = words_[at];
  }
  return std::min(size_, static_cast<std::int64_t>(at) * 64 + lowest_bit(word));
}

bool SumSet::add_steps(const std::vector<std::int64_t>& steps) {
  assert(!steps.empty() && steps[0] == 0);
  if (size_ == 0 || steps.size() == 1) return false;
  const std::int64_t before_tail = size_;
  const std::vector<std::uint64_t> before = words_;
  for (std::size_t i = 1; i < steps.size() && steps[i] < size_; ++i)
    or_shifted(before, steps[i], words_);
  find_tail();
  return size_ != before_tail || !std::equal(words_.begin(), words_.end(), before.begin());
}

// One pass from below: with a coin of 64 or more a word takes from words that are finished; a
// smaller one fills its own word by doubling.
void SumSet::add_coin(std::int64_t coin) {
  assert(coin > 0);
  if (coin >= size_) return;
  const std::size_t skip = static_cast<std::size_t>(coin) / 64, n = words_.size();
  const unsigned bits = static_cast<unsigned>(coin % 64);
  std::uint64_t* w = words_.data();
  if (skip > 0) {
    for (std::size_t i = skip; i < n; ++i) {
      const std::uint64_t below = bits > 0 && i > skip ? w[i - skip - 1] >> (64 - bits) : 0;
      w[i] |= (w[i - skip] << bits) | below;
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) w[i] |= w[i - 1] >> (64 - bits);
      for (unsigned by = bits; by < 64; by *= 2) w[i] |= w[i] << by;
    }
  }
  find_tail();
}

// The tail begins above the highest sum that is missing. Bits from the tail on are set, so that
// shifts bring nothing wrong from there.
void SumSet::find_tail() {
  const int used = static_cast<int>(size_ % 64);
  if (used > 0 && !words_.empty()) words_.back() |= ~std::uint64_t{0} << used;
  std::size_t n = words_.size();
  while (n > 0 && words_[n - 1] == ~std::uint64_t{0}) --n;
  words_.resize(n);
  size_ = n == 0 ? 0 : static_cast<std::int64_t>(n - 1) * 64 + highest_bit(~words_[n - 1]) + 1;
}

}  // namespace sdclattice
