// The exponents of a term of residue.hpp, packed into words: b of each column but the last, then e
// of each pair of columns. Each lies in a field of a word, and a change of it is an addition to the
// word.
//
// Ranges. The e of a term add up to at most m (n - 1) when the rows are multiplied, and to one less
// after each residue. A b is at most the total and these; the negative ones together fall by no
// more than the sum of the column, one, and the order of a pole, each time a column is taken out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "fibre/open_table.hpp"

namespace sdclattice {

inline unsigned bits_of(std::uint64_t x) {
  return x == 0 ? 1 : 1 + static_cast<unsigned>(highest_bit(x));
}

class ExponentFields {
 public:
  explicit ExponentFields(const OpenTable& table)
      : n_(table.column.size()), most_e_(table.row.size() * n_) {
    const std::int64_t total = std::accumulate(table.row.begin(), table.row.end(), std::int64_t{0});
    bias_ = total + static_cast<std::int64_t>((n_ + 1) * (most_e_ + 2));
    const unsigned wide = bits_of(2 * static_cast<std::uint64_t>(bias_)), narrow = bits_of(most_e_);
    for (std::size_t j = 0; j + 1 < n_; ++j) place(wide);
    for (std::size_t j = 0; j < n_ * (n_ - 1) / 2; ++j) place(narrow);
  }

  std::size_t n_words() const { return n_words_; }
  std::size_t most_e() const { return most_e_; }
  std::size_t pair(std::size_t j, std::size_t k) const {  // of two different columns
    if (j > k) std::swap(j, k);
    return n_ - 1 + j * n_ - j * (j + 1) / 2 + (k - j - 1);
  }
  std::vector<std::uint64_t> zero() const {
    std::vector<std::uint64_t> out(n_words_, 0);
    for (std::size_t j = 0; j + 1 < n_; ++j) add(out.data(), j, bias_);
    return out;
  }
  std::int64_t b(const std::uint64_t* key, std::size_t j) const {
    return static_cast<std::int64_t>(read(key, j)) - bias_;
  }
  std::size_t e(const std::uint64_t* key, std::size_t pair) const { return read(key, pair); }
  void add(std::uint64_t* key, std::size_t field, std::int64_t by) const {
    key[field_[field].word] += static_cast<std::uint64_t>(by) << field_[field].shift;
  }

 private:
  struct Field {
    std::uint32_t word, shift;
    std::uint64_t mask;
  };
  void place(unsigned bits) {
    if (n_words_ == 0 || used_ + bits > 64) ++n_words_, used_ = 0;
    field_.push_back(
        {static_cast<std::uint32_t>(n_words_ - 1), used_, (std::uint64_t{1} << bits) - 1});
    used_ += bits;
  }
  std::uint64_t read(const std::uint64_t* key, std::size_t field) const {
    const Field& f = field_[field];
    return (key[f.word] >> f.shift) & f.mask;
  }

  std::size_t n_, most_e_, n_words_ = 0;
  unsigned used_ = 0;
  std::int64_t bias_ = 0;
  std::vector<Field> field_;
};

}  // namespace sdclattice
