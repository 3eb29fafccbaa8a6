// Keys of cells: the level of every variable in a field of just enough bits.
//
// The first variable has the lowest bits of the first word, a field never straddles two words, and
// the last word is the most significant: the order of the keys is the order of the cells with the
// first variable fastest, as in R. There are as many words as the variables need, so that no number
// of cells is too large for a table (40 variables of 4 levels: 80 bits, two words).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sdclattice {

// Where a key holds the level of a variable.
struct KeyField {
  std::size_t word = 0;
  unsigned shift = 0;
  std::uint64_t mask = 0;
};

class Layout {
 public:
  explicit Layout(std::vector<std::uint32_t> levels);

  std::size_t n_variables() const { return levels_.size(); }
  std::size_t n_words() const { return used_.size(); }
  std::uint32_t n_levels(std::size_t variable) const { return levels_[variable]; }
  const std::vector<std::uint32_t>& levels() const { return levels_; }
  const KeyField& field(std::size_t variable) const { return fields_[variable]; }
  unsigned used_bits(std::size_t word) const { return used_[word]; }
  // The distance of neighbours along each variable in the array of all cells.
  std::vector<std::size_t> strides() const;
  // The number of cells; infinite beyond the range of a double.
  double n_cells() const;

  std::uint32_t level(const std::uint64_t* key, std::size_t variable) const {
    const KeyField& f = fields_[variable];
    return static_cast<std::uint32_t>((key[f.word] >> f.shift) & f.mask);
  }
  void put(std::uint64_t* key, std::size_t variable, std::uint32_t level) const {
    const KeyField& f = fields_[variable];
    assert(level <= f.mask);
    key[f.word] = (key[f.word] & ~(f.mask << f.shift)) | (std::uint64_t{level} << f.shift);
  }

 private:
  std::vector<std::uint32_t> levels_;
  std::vector<KeyField> fields_;
  std::vector<unsigned> used_;
};

// Calls work(width) with the number of words of a key, one that the compiler knows where it matters
// most.
template <class Work>
void with_width(std::size_t width, Work work) {
  if (width == 1)
    work(std::integral_constant<std::size_t, 1>{});
  else
    work(width);
}

}  // namespace sdclattice
