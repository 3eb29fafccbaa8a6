// The levels of records, block by block, and the keys that are made of them.
//
// What is computed. For a block of records the place of each in the array of all cells, or its
// packed key. Columns are read one after the other, in place: first a block of levels, then what it
// adds to the keys; both are loops that compilers turn into vector instructions, and one loop where
// codes are levels. A block with a value that has no level is read again, value by value.
// What it guarantees. Records without a level are counted, by variable; from then on keys mean
// nothing. A code outside the levels throws InputError.
// What it costs. O(records variables), one pass over the columns, and memory for a block.
// Agrees with looking up every level by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/column_values.hpp"
#include "table/layout.hpp"

namespace sdclattice {

// A variable of microdata. It has codes, or values with numbers that are their codes. The level of
// a record is code - base, or lookup[code - base] when there is a lookup; a record whose value is
// missing has the level `level_of_missing`, or none at all when that is negative.
struct Column {
  const std::int32_t* codes = nullptr;
  ValueBits values;
  const ValueNumbers* numbers = nullptr;
  std::int32_t base = 1;
  const std::int32_t* lookup = nullptr;
  std::uint32_t lookup_size = 0;
  std::int64_t level_of_missing = -1;
};

// Reads for one thread.
class RecordReader {
 public:
  // The most records of a block.
  static constexpr std::size_t kBlock = 4096;

  // Both must outlive the reader.
  RecordReader(const Layout& layout, const std::vector<Column>& columns);

  // The places of n records in the array of all cells; Place is std::uint32_t for fewer than 2^32
  // cells, or std::uint64_t for fewer than 2^64.
  template <class Place>
  void read_places(std::size_t from, std::size_t n, Place* places);
  // Their keys, at the beginning of rows of `stride` words.
  void read_keys(std::size_t from, std::size_t n, std::size_t stride, std::uint64_t* rows);

  bool any_missing() const { return any_missing_; }
  // By variable, the records without a level.
  const std::vector<std::size_t>& missing() const { return missing_; }

 private:
  // Adds part(level) to every step-th word.
  template <class Word, class Part>
  void add(std::size_t variable, std::size_t from, std::size_t n, Part part, std::size_t step,
           Word* words);
  // Fills levels_.
  void read_levels(std::size_t variable, std::size_t from, std::size_t n);
  template <class Load>
  void read_values(std::size_t variable, std::size_t from, std::size_t n, Load load);
  void read_codes_one_by_one(std::size_t variable, std::size_t from, std::size_t n);
  std::uint32_t n_codes(std::size_t variable) const;
  // The level of a value that has no code, or a wrong one.
  std::uint32_t outside(std::size_t variable, std::int32_t code);

  const Layout& layout_;
  const std::vector<Column>& columns_;
  std::vector<std::uint64_t> strides_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::size_t> missing_;
  bool any_missing_ = false;
};

}  // namespace sdclattice
