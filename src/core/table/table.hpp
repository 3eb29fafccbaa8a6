// The contingency table: its non-zero cells, each a packed key and a count.
//
// A key holds the level of every variable in a field of just enough bits. The first variable has
// the lowest bits of the first word, a field never straddles two words, and the last word is the
// most significant: the order of the keys is the order of the cells with the first variable
// fastest, as in R. There are as many words as the variables need, so that no number of cells is
// too large for a table (40 variables of 4 levels: 80 bits, two words).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// Single counts and grand totals stay at or below 2^53, so that a double holds them exactly.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;

struct Field {
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
  const Field& field(std::size_t variable) const { return fields_[variable]; }
  unsigned used_bits(std::size_t word) const { return used_[word]; }
  // The number of cells; infinite beyond the range of a double.
  double n_cells() const;

  std::uint32_t level(const std::uint64_t* key, std::size_t variable) const {
    const Field& f = fields_[variable];
    return static_cast<std::uint32_t>((key[f.word] >> f.shift) & f.mask);
  }
  void put(std::uint64_t* key, std::size_t variable, std::uint32_t level) const {
    const Field& f = fields_[variable];
    key[f.word] = (key[f.word] & ~(f.mask << f.shift)) | (std::uint64_t{level} << f.shift);
  }

 private:
  std::vector<std::uint32_t> levels_;
  std::vector<Field> fields_;
  std::vector<unsigned> used_;
};

// Cells in rows of n_words() + 1 numbers: the words of the key, then the count.
struct Cells {
  explicit Cells(std::size_t n_words) : stride(n_words + 1) {}

  std::size_t stride;
  std::vector<std::uint64_t> rows;

  std::size_t size() const { return rows.size() / stride; }
  const std::uint64_t* row(std::size_t i) const { return rows.data() + i * stride; }
  std::uint64_t count(std::size_t i) const { return rows[(i + 1) * stride - 1]; }
  void add(const std::uint64_t* key, std::uint64_t count) {
    rows.insert(rows.end(), key, key + stride - 1);
    rows.push_back(count);
  }
};

// Cells that somebody else owns: n keys one after the other, and their counts, which are whole.
struct CellsView {
  const std::uint64_t* keys = nullptr;
  const double* counts = nullptr;
  std::size_t n = 0;
};

constexpr std::int32_t kMissing = INT32_MIN;

// Values of strings or fractional numbers by their bits: the address of a string of a pool that
// holds each string once, or a number of type double. `width` is the size of an address.
struct Words {
  const unsigned char* bytes = nullptr;
  std::size_t width = 0;
  bool real = false;
  std::uint64_t missing = 0;  // addresses only; a number is missing when it is none
};

// Numbers distinct words in the order in which they come: open addressing, at most a
// quarter full, because each probe too many is a branch that the processor guesses wrong.
class WordMap {
 public:
  WordMap() : slots_(1024) {}
  std::int32_t find(std::uint64_t word) const { return slots_[place(word)].id; }
  bool insert(std::uint64_t word);
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t word = 0;
    std::int32_t id = -1;
  };
  std::size_t place(std::uint64_t word) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t mixed = (word ^ (word >> 32)) * 0x9E3779B97F4A7C15u;
    std::size_t i = static_cast<std::size_t>(mixed >> shift_);
    while (slots_[i].id >= 0 && slots_[i].word != word) i = (i + 1) & mask;
    return i;
  }
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  unsigned shift_ = 54;  // the top bits of a product are the best mixed
};

// A variable of microdata. It has codes, or words with a map that gives each its code. The level of
// a record is code - base, or lookup[code - base] when there is a lookup; a record whose value is
// missing has the level `level_of_missing`, or none at all when that is negative.
struct Column {
  const std::int32_t* codes = nullptr;
  Words words;
  const WordMap* map = nullptr;
  std::int32_t base = 1;
  const std::int32_t* lookup = nullptr;
  std::uint32_t lookup_size = 0;
  std::int64_t level_of_missing = -1;
};

// What tabulating found. When some record has no level, `missing` counts those records for each
// variable, and there are no cells.
struct Tabulation {
  Cells cells;
  std::vector<std::size_t> missing;
};

// Counts n records, each with its weight (1 when `weights` is null; checked whole numbers).
Tabulation tabulate(const Layout& layout, const std::vector<Column>& columns, std::size_t n,
                    const double* weights, const Tick& tick);

// The sorted distinct values of integers, when they span at most `max_span` values. Returns false
// when they span more. Missing values are left out, and noted.
bool find_levels(const std::int32_t* x, std::size_t n, std::size_t max_span,
                 std::vector<std::int32_t>& levels, bool& any_missing);

// The positions at which the distinct words of n values come first; missing values are left out,
// and noted. And the map that numbers the words at such positions.
std::vector<std::size_t> find_distinct(const Words& x, std::size_t n, bool& any_missing);
WordMap number_words(const Words& x, const std::vector<std::size_t>& first);

// The non-zero cells of a dense table, first variable fastest, and back.
Cells cells_from_dense(const Layout& layout, const double* counts, std::size_t n);
void write_dense(const Layout& layout, const CellsView& cells, double* out);

// How a variable of a new table comes from one of an old table: level l becomes map[l], or l when
// `map` is null; a cell with a negative map is left out.
struct Source {
  std::size_t variable = 0;
  const std::int32_t* map = nullptr;
};

// The table over some variables of another, in any order, some levels left out or merged: margins,
// selections and permutations.
Cells project(const Layout& from, const CellsView& cells, const Layout& to,
              const std::vector<Source>& sources, const Tick& tick);

// For each level of a variable the levels that are totals of it: those of level l are
// total[start[l]], ..., total[start[l + 1] - 1].
struct Totals {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> total;
};

// Adds to a table the totals over every variable. `to` has the levels of `from` and, after them,
// the totals. Refuses to hold more than max_rows rows at a time.
Cells add_totals(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<Totals>& totals, std::size_t max_rows, const Tick& tick);

// The levels of one variable, from `base` on.
void write_levels(const Layout& layout, const CellsView& cells, std::size_t variable,
                  std::int32_t base, std::int32_t* out);

// What is wrong with a count, if anything.
enum class CountFault { none, missing, infinite, negative, fractional, too_large };
struct CountCheck {
  CountFault fault = CountFault::none;
  std::size_t at = 0;
  bool total_too_large = false;
};
CountCheck check_counts(const double* counts, std::size_t n);

}  // namespace sdclattice
