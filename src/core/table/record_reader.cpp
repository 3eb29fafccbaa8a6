#include "table/record_reader.hpp"

#include <algorithm>
#include <cassert>

#include "base/error.hpp"

namespace sdclattice {

namespace {

// Loops over a strip have a length that compilers know.
constexpr std::size_t kStrip = 64;
static_assert(RecordReader::kBlock % kStrip == 0, "levels have room for whole strips");

// Codes minus their base. Returns whether all are below `size`: a level is when neither it nor
// size - 1 - level has the highest bit. A missing code is not, for base + size is at most 2^31.
bool shift_codes(const std::int32_t* __restrict__ codes, std::size_t n, std::uint32_t base,
                 std::uint32_t size, std::uint32_t* __restrict__ levels) {
  std::uint32_t wrong = 0;
  std::size_t i = 0;
  for (; i + kStrip <= n; i += kStrip)
    for (std::size_t j = i; j < i + kStrip; ++j) {
      const std::uint32_t level = static_cast<std::uint32_t>(codes[j]) - base;
      wrong |= level | (size - 1 - level);
      levels[j] = level;
    }
  for (; i < n; ++i) {
    levels[i] = static_cast<std::uint32_t>(codes[i]) - base;
    wrong |= levels[i] | (size - 1 - levels[i]);
  }
  return wrong >> 31 == 0;
}

// How the level of a variable is part of a place, and of a word of a key.
template <class Place>
struct Times {
  Place stride;
  Place operator()(std::uint32_t level) const { return level * stride; }
};
struct Shift {
  unsigned by;
  std::uint64_t operator()(std::uint32_t level) const { return std::uint64_t{level} << by; }
};

template <class Word, class Part>
void add_levels(const std::uint32_t* __restrict__ levels, std::size_t n, Part part,
                std::size_t step, Word* __restrict__ words) {
  if (step != 1) {
    for (std::size_t i = 0; i < n; ++i) words[i * step] += part(levels[i]);
    return;
  }
  std::size_t i = 0;
  for (; i + kStrip <= n; i += kStrip)
    for (std::size_t j = i; j < i + kStrip; ++j) words[j] += part(levels[j]);
  for (; i < n; ++i) words[i] += part(levels[i]);
}

// shift_codes() and add_levels() in one pass, for words one after the other. What was added is
// taken away again when not all codes are levels.
template <class Word, class Part>
bool add_codes(const std::int32_t* __restrict__ codes, std::size_t n, std::uint32_t base,
               std::uint32_t size, Part part, Word* __restrict__ words) {
  std::uint32_t wrong = 0;
  std::size_t i = 0;
  for (; i + kStrip <= n; i += kStrip)
    for (std::size_t j = i; j < i + kStrip; ++j) {
      const std::uint32_t level = static_cast<std::uint32_t>(codes[j]) - base;
      wrong |= level | (size - 1 - level);
      words[j] += part(level);
    }
  for (; i < n; ++i) {
    const std::uint32_t level = static_cast<std::uint32_t>(codes[i]) - base;
    wrong |= level | (size - 1 - level);
    words[i] += part(level);
  }
  if (wrong >> 31 == 0) return true;
  for (i = 0; i < n; ++i) words[i] -= part(static_cast<std::uint32_t>(codes[i]) - base);
  return false;
}

}  // namespace

RecordReader::RecordReader(const Layout& layout, const std::vector<Column>& columns)
    : layout_(layout), columns_(columns), levels_(kBlock), missing_(columns.size(), 0) {
  assert(columns.size() == layout.n_variables());
  std::uint64_t stride = 1;
  for (std::uint32_t levels : layout.levels()) {
    strides_.push_back(stride);
    stride *= levels;  // wraps where there are too many cells for places
  }
}

template <class Place>
void RecordReader::read_places(std::size_t from, std::size_t n, Place* places) {
  std::fill_n(places, n, Place{0});
  for (std::size_t v = 0; v < columns_.size(); ++v)
    add(v, from, n, Times<Place>{static_cast<Place>(strides_[v])}, 1, places);
}
template void RecordReader::read_places(std::size_t, std::size_t, std::uint32_t*);
template void RecordReader::read_places(std::size_t, std::size_t, std::uint64_t*);

void RecordReader::read_keys(std::size_t from, std::size_t n, std::size_t stride,
                             std::uint64_t* rows) {
  std::fill_n(rows, n * stride, 0);
  for (std::size_t v = 0; v < columns_.size(); ++v) {
    const KeyField& field = layout_.field(v);
    add(v, from, n, Shift{field.shift}, stride, rows + field.word);
  }
}

// Codes that are levels are added as they are read.
template <class Word, class Part>
void RecordReader::add(std::size_t variable, std::size_t from, std::size_t n, Part part,
                       std::size_t step, Word* words) {
  const Column& column = columns_[variable];
  const bool plain = column.codes && !column.lookup && step == 1;
  if (plain && add_codes(column.codes + from, n, static_cast<std::uint32_t>(column.base),
                         layout_.n_levels(variable), part, words))
    return;
  read_levels(variable, from, n);
  add_levels(levels_.data(), n, part, step, words);
}

std::uint32_t RecordReader::n_codes(std::size_t variable) const {
  const Column& column = columns_[variable];
  return column.lookup ? column.lookup_size : layout_.n_levels(variable);
}

void RecordReader::read_levels(std::size_t variable, std::size_t from, std::size_t n) {
  assert(n <= kBlock);
  const Column& column = columns_[variable];
  if (column.numbers) {
    with_loader(column.values, [&](auto load) { read_values(variable, from, n, load); });
    return;
  }
  std::uint32_t* levels = levels_.data();
  if (!shift_codes(column.codes + from, n, static_cast<std::uint32_t>(column.base),
                   n_codes(variable), levels))
    read_codes_one_by_one(variable, from, n);
  else if (column.lookup)
    for (std::size_t i = 0; i < n; ++i)
      levels[i] = static_cast<std::uint32_t>(column.lookup[levels[i]]);
}

template <class Load>
void RecordReader::read_values(std::size_t variable, std::size_t from, std::size_t n, Load load) {
  const Column& column = columns_[variable];
  std::uint64_t word;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t id = load(from + i, word) ? column.numbers->find(word) : kMissing;
    levels_[i] = id < 0 ? outside(variable, id) : static_cast<std::uint32_t>(column.lookup[id]);
  }
}

void RecordReader::read_codes_one_by_one(std::size_t variable, std::size_t from, std::size_t n) {
  const Column& column = columns_[variable];
  const std::uint32_t size = n_codes(variable);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t code = column.codes[from + i];
    const std::uint32_t at =
        static_cast<std::uint32_t>(code) - static_cast<std::uint32_t>(column.base);
    if (code == kMissing || at >= size)
      levels_[i] = outside(variable, code);
    else
      levels_[i] = column.lookup ? static_cast<std::uint32_t>(column.lookup[at]) : at;
  }
}

std::uint32_t RecordReader::outside(std::size_t variable, std::int32_t code) {
  if (code != kMissing) throw InputError("A factor holds a code that matches none of its levels.");
  const std::int64_t level = columns_[variable].level_of_missing;
  if (level >= 0) return static_cast<std::uint32_t>(level);
  any_missing_ = true;
  ++missing_[variable];
  return 0;
}

}  // namespace sdclattice
