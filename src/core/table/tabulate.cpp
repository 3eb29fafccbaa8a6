#include "table/tabulate.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "table/cell_order.hpp"
#include "table/dense_cells.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kBlock = 2048;

// Reads the levels of a block of records one column after the other, in place.
class Reader {
 public:
  Reader(const Layout& layout, const std::vector<Column>& columns)
      : layout_(layout), columns_(columns), missing_(columns.size(), 0) {}

  // Calls use(i, level) for the records of the block.
  template <class Use>
  void read(std::size_t variable, std::size_t from, std::size_t n, Use use) {
    if (columns_[variable].numbers)
      read_values(variable, from, n, use);
    else
      read_codes(variable, from, n, use);
  }
  bool any_missing() const { return any_missing_; }
  const std::vector<std::size_t>& missing() const { return missing_; }

 private:
  template <class Use>
  void read_values(std::size_t variable, std::size_t from, std::size_t n, Use use) {
    const Column& column = columns_[variable];
    with_loader(column.values, [&](auto load) {
      std::uint64_t word;
      for (std::size_t i = 0; i < n; ++i) {
        const bool there = load(from + i, word);
        const std::int32_t id = there ? column.numbers->find(word) : kMissing;
        use(i, id < 0 ? outside(variable, id) : static_cast<std::uint32_t>(column.lookup[id]));
      }
    });
  }
  template <class Use>
  void read_codes(std::size_t variable, std::size_t from, std::size_t n, Use use) {
    const Column& column = columns_[variable];
    const std::int32_t* codes = column.codes + from;
    const std::uint32_t base = static_cast<std::uint32_t>(column.base);
    const std::uint32_t size = column.lookup ? column.lookup_size : layout_.n_levels(variable);
    for (std::size_t i = 0; i < n; ++i) {
      std::uint32_t level = static_cast<std::uint32_t>(codes[i]) - base;
      if (codes[i] == kMissing || level >= size)
        level = outside(variable, codes[i]);
      else if (column.lookup)
        level = static_cast<std::uint32_t>(column.lookup[level]);
      use(i, level);
    }
  }
  std::uint32_t outside(std::size_t variable, std::int32_t code) {
    if (code != kMissing)
      throw InputError("A factor holds a code that matches none of its levels.");
    const std::int64_t level = columns_[variable].level_of_missing;
    if (level >= 0) return static_cast<std::uint32_t>(level);
    any_missing_ = true;
    ++missing_[variable];
    return 0;
  }

  const Layout& layout_;
  const std::vector<Column>& columns_;
  std::vector<std::size_t> missing_;
  bool any_missing_ = false;
};

// The weights of the records, with the check of their sum.
class Weights {
 public:
  explicit Weights(const double* weights) : weights_(weights) {}
  std::uint64_t next(std::size_t record) {
    const std::uint64_t w = weights_ ? static_cast<std::uint64_t>(weights_[record]) : 1;
    total_ += w;
    if (total_ > kMaxCount) throw TooLargeError("The grand total is above 2^53.");
    return w;
  }

 private:
  const double* weights_;
  std::uint64_t total_ = 0;
};

template <class Block>
void for_blocks(std::size_t n, const Tick& tick, Block block) {
  for (std::size_t from = 0; from < n; from += kBlock) {
    if (from % (kBlock * 64) == 0) report(tick, static_cast<double>(from) / static_cast<double>(n));
    block(from, std::min(kBlock, n - from));
  }
}

Cells tabulate_dense(const Layout& layout, Reader& reader, std::size_t n, Weights& weights,
                     const Tick& tick) {
  const std::vector<std::size_t> strides = layout.strides();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(layout.n_cells()), 0);
  std::vector<std::size_t> at(kBlock);
  for_blocks(n, tick, [&](std::size_t from, std::size_t size) {
    std::fill(at.begin(), at.end(), 0);
    for (std::size_t v = 0; v < strides.size(); ++v)
      reader.read(v, from, size,
                  [&](std::size_t i, std::uint32_t level) { at[i] += level * strides[v]; });
    if (reader.any_missing()) return;
    for (std::size_t i = 0; i < size; ++i) counts[at[i]] += weights.next(from + i);
  });
  return gather_cells(layout, counts.data(), counts.size());
}

Cells tabulate_sparse(const Layout& layout, Reader& reader, std::size_t n, Weights& weights,
                      const Tick& tick) {
  Cells out(layout.n_words());
  with_width(layout.n_words(), [&](auto words) {
    KeyNumbers<decltype(words)> cells(words, 1);
    std::vector<std::uint64_t> keys(kBlock * words);
    for_blocks(n, tick, [&](std::size_t from, std::size_t size) {
      std::fill(keys.begin(), keys.end(), 0);
      for (std::size_t v = 0; v < layout.n_variables(); ++v) {
        const KeyField f = layout.field(v);
        reader.read(v, from, size, [&](std::size_t i, std::uint32_t level) {
          keys[i * words + f.word] |= std::uint64_t{level} << f.shift;
        });
      }
      if (reader.any_missing()) return;
      for (std::size_t i = 0; i < size; ++i) cells.prefetch_slot(keys.data() + i * words);
      for (std::size_t i = 0; i < size; ++i) cells.prefetch_row(keys.data() + i * words);
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t w = weights.next(from + i);
        if (w > 0) *cells.extra(cells.number(keys.data() + i * words)) += w;
      }
    });
    out.rows = cells.take();
  });
  sort_cells(out, layout);
  return out;
}

}  // namespace

// Counts records in one pass over blocks of them, column after column in a block. Where the array
// of all cells is small beside the number of records it is the counter (O(records variables +
// cells)); else a hash table of packed keys is, sorted at the end (O(records variables + cells
// bits)). Both give the counts of a table of pasted labels, which the tests compare with.
Tabulation tabulate(const Layout& layout, const std::vector<Column>& columns, std::size_t n,
                    const double* weights, const Tick& tick) {
  Reader reader(layout, columns);
  Weights sum(weights);
  const bool dense = is_dense(layout, n, .5);
  Tabulation out{dense ? tabulate_dense(layout, reader, n, sum, tick)
                       : tabulate_sparse(layout, reader, n, sum, tick),
                 {}};
  if (reader.any_missing()) out = {Cells(layout.n_words()), reader.missing()};
  return out;
}

}  // namespace sdclattice
