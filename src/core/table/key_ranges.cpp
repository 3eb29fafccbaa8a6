#include "table/key_ranges.hpp"

#include <algorithm>
#include <cassert>

namespace sdclattice {

KeyRanges::KeyRanges(const Layout& layout, std::size_t n_ranges,
                     const std::vector<std::uint64_t>& keys)
    : n_words_(layout.n_words()), used_(layout.used_bits(layout.n_words() - 1)) {
  assert(n_ranges > 0 && (n_ranges & (n_ranges - 1)) == 0);
  assert(n_words_ == 1 || used_ > 0);
  std::vector<std::uint64_t> sample;
  for (std::size_t at = 0; at < keys.size(); at += n_words_)
    sample.push_back(first_bits(keys.data() + at));
  if (sample.empty()) sample.push_back(0);
  std::sort(sample.begin(), sample.end());
  for (std::size_t r = 1; r < n_ranges; ++r) cuts_.push_back(sample[r * sample.size() / n_ranges]);
}

}  // namespace sdclattice
