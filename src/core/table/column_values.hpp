// The values of a column of microdata before they are levels: codes, strings or numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/flat_map.hpp"

namespace sdclattice {

constexpr std::int32_t kMissing = INT32_MIN;

// Values of strings or fractional numbers by their bits: the address of a string of a pool that
// holds each string once, or a number of type double. `width` is the size of an address.
struct ValueBits {
  const unsigned char* bytes = nullptr;
  std::size_t width = 0;
  bool real = false;
  std::uint64_t missing = 0;  // addresses only; a number is missing when it is none
};

// Numbers distinct words in the order in which they come: at most a quarter full, because each
// probe too many is a branch that the processor guesses wrong.
using ValueNumbers = FlatMap<std::int32_t, -1, 4>;

// The sorted distinct values of integers, when they span at most `max_span` values. Returns false
// when they span more. Missing values are left out, and noted.
bool find_levels(const std::int32_t* x, std::size_t n, std::size_t max_span,
                 std::vector<std::int32_t>& levels, bool& any_missing);

// The positions at which the distinct words of n values come first; missing values are left out,
// and noted. And the map that numbers the words at such positions.
std::vector<std::size_t> find_distinct(const ValueBits& x, std::size_t n, bool& any_missing);
ValueNumbers number_values(const ValueBits& x, const std::vector<std::size_t>& first);

// Each loads the word at a position, and says whether it is there. -0 is 0.
struct LoadReal {
  const unsigned char* bytes;
  bool operator()(std::size_t at, std::uint64_t& word) const {
    double value;
    std::memcpy(&value, bytes + at * sizeof value, sizeof value);
    value += 0.0;
    std::memcpy(&word, &value, sizeof value);
    return !std::isnan(value);
  }
};

template <class Address>
struct LoadAddress {
  const unsigned char* bytes;
  std::uint64_t missing;
  bool operator()(std::size_t at, std::uint64_t& word) const {
    Address address;
    std::memcpy(&address, bytes + at * sizeof address, sizeof address);
    word = address;
    return word != missing;
  }
};

template <class Work>
void with_loader(const ValueBits& x, Work work) {
  if (x.real)
    work(LoadReal{x.bytes});
  else if (x.width == 8)
    work(LoadAddress<std::uint64_t>{x.bytes, x.missing});
  else
    work(LoadAddress<std::uint32_t>{x.bytes, x.missing});
}

}  // namespace sdclattice
