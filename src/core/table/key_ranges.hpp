// Ranges of keys with about as many records each, so that what belongs to a range stays in a cache
// and threads share the work evenly.
//
// What is computed. The ranges are cut at quantiles of a sample. A key belongs to a range by its
// first 64 bits, the most significant ones, so that equal keys belong to the same range, and all
// keys of a range come before those of the next.
// What it costs. A binary search without branches, of log2(n ranges) steps.
// Agrees with std::upper_bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/layout.hpp"

namespace sdclattice {

class KeyRanges {
 public:
  // `n_ranges` is a power of two. `keys` holds the sample: keys of n_words() words one after the
  // other. An empty sample is one of a key of zeros.
  KeyRanges(const Layout& layout, std::size_t n_ranges, const std::vector<std::uint64_t>& keys);

  std::size_t size() const { return cuts_.size() + 1; }
  std::size_t range(const std::uint64_t* key) const {
    const std::uint64_t first = first_bits(key);
    std::size_t at = 0;
    for (std::size_t step = size() / 2; step > 0; step /= 2)
      at += cuts_[at + step - 1] <= first ? step : 0;
    return at;
  }

 private:
  std::uint64_t first_bits(const std::uint64_t* key) const {
    const std::uint64_t last = key[n_words_ - 1];
    if (n_words_ == 1) return last;
    return last << (64 - used_) | key[n_words_ - 2] >> 1 >> (used_ - 1);
  }

  std::size_t n_words_;
  unsigned used_;  // bits of the last word; there are some, when it is not the only one
  std::vector<std::uint64_t> cuts_;
};

}  // namespace sdclattice
