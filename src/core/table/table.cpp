#include "table/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

namespace {

unsigned bits_for(std::uint32_t levels) {
  unsigned bits = 0;
  while (bits < 32 && (std::uint64_t{1} << bits) < levels) ++bits;
  return bits;
}

// A stride known to the compiler where it matters most: one word and a count.
struct Two {
  constexpr operator std::size_t() const { return 2; }
};

template <class Work>
void with_stride(std::size_t stride, Work work) {
  if (stride == 2)
    work(Two{});
  else
    work(stride);
}

// ---- sorting -----------------------------------------------------------------------------------

// One stable pass of a radix sort over the bits [shift, shift + width) of a word. Returns false,
// and moves nothing, when all rows agree there.
template <class Stride>
bool radix_pass(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to,
                Stride stride, std::size_t word, unsigned shift, unsigned width) {
  const std::size_t n = from.size() / stride;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::vector<std::size_t> place(mask + 1, 0);
  for (std::size_t i = 0; i < n; ++i) ++place[(from[i * stride + word] >> shift) & mask];
  if (place[(from[word] >> shift) & mask] == n) return false;
  std::size_t sum = 0;
  for (std::size_t& p : place) sum += std::exchange(p, sum);
  to.resize(from.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t* row = from.data() + i * stride;
    std::uint64_t* slot = to.data() + stride * place[(row[word] >> shift) & mask]++;
    for (std::size_t w = 0; w < stride; ++w) slot[w] = row[w];
  }
  return true;
}

template <class Stride>
bool is_less(const std::uint64_t* a, const std::uint64_t* b, Stride stride) {
  for (std::size_t w = stride - 1; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w];
  return false;
}

template <class Stride>
bool is_same(const std::uint64_t* a, const std::uint64_t* b, Stride stride) {
  for (std::size_t w = 0; w + 1 < stride; ++w)
    if (a[w] != b[w]) return false;
  return true;
}

template <class Stride>
bool is_sorted(const std::vector<std::uint64_t>& rows, Stride stride) {
  for (std::size_t i = stride; i < rows.size(); i += stride)
    if (is_less(rows.data() + i, rows.data() + i - stride, stride)) return false;
  return true;
}

// Sorts by key: least significant digits first, some 9 bits at a time, only the bits in use.
// Cost: O(n bits / 9), and a second copy of the rows. Agrees with std::sort (tests/core).
void sort_cells(Cells& cells, const Layout& layout) {
  with_stride(cells.stride, [&](auto stride) {
    if (is_sorted(cells.rows, stride)) return;
    std::vector<std::uint64_t> other;
    for (std::size_t word = 0; word < layout.n_words(); ++word) {
      const unsigned used = layout.used_bits(word);
      const unsigned passes = (used + 8) / 9;
      for (unsigned p = 0; p < passes; ++p) {
        const unsigned lo = used * p / passes, hi = used * (p + 1) / passes;
        if (radix_pass(cells.rows, other, stride, word, lo, hi - lo)) cells.rows.swap(other);
      }
    }
  });
}

// Adds up neighbours with the same key. Sums stay below the grand total, which was checked.
void merge_neighbours(Cells& cells) {
  with_stride(cells.stride, [&](auto stride) {
    std::vector<std::uint64_t>& rows = cells.rows;
    std::size_t last = 0;
    for (std::size_t i = stride; i < rows.size(); i += stride) {
      if (is_same(rows.data() + i, rows.data() + last, stride)) {
        rows[last + stride - 1] += rows[i + stride - 1];
      } else {
        last += stride;
        if (last != i) std::copy_n(rows.data() + i, std::size_t{stride}, rows.data() + last);
      }
    }
    if (!rows.empty()) rows.resize(last + stride);
  });
}

// ---- dense counts ------------------------------------------------------------------------------

std::vector<std::size_t> strides_of(const Layout& layout) {
  std::vector<std::size_t> out;
  std::size_t stride = 1;
  for (std::uint32_t levels : layout.levels()) {
    out.push_back(stride);
    stride *= levels;
  }
  return out;
}

// Walks through the cells in order and keeps the key of the present one.
class Odometer {
 public:
  explicit Odometer(const Layout& layout)
      : layout_(layout), key_(layout.n_words(), 0), at_(layout.n_variables(), 0) {}

  const std::uint64_t* key() const { return key_.data(); }
  void step() {
    for (std::size_t v = 0; v < at_.size(); ++v) {
      const bool wraps = ++at_[v] == layout_.n_levels(v);
      if (wraps) at_[v] = 0;
      layout_.put(key_.data(), v, at_[v]);
      if (!wraps) return;
    }
  }

 private:
  const Layout& layout_;
  std::vector<std::uint64_t> key_;
  std::vector<std::uint32_t> at_;
};

template <class Count>
Cells gather(const Layout& layout, const Count* counts, std::size_t n) {
  Cells out(layout.n_words());
  const std::size_t zeros = static_cast<std::size_t>(std::count(counts, counts + n, Count{0}));
  out.rows.reserve((n - zeros) * out.stride);
  Odometer cell(layout);
  for (std::size_t i = 0; i < n; ++i, cell.step())
    if (counts[i] != Count{0}) out.add(cell.key(), static_cast<std::uint64_t>(counts[i]));
  return out;
}

// A dense array pays when it is not much larger than what is counted into it.
bool is_dense(const Layout& layout, std::size_t n, double share) {
  return layout.n_cells() <= std::max(4096.0, share * static_cast<double>(n));
}

// ---- hashing -----------------------------------------------------------------------------------

// Counts by key: open addressing, linear probing, at most half full, rows as in Cells; a row with
// count 0 is free.
template <class Stride>
class CountMap {
 public:
  explicit CountMap(Stride stride) : stride_(stride) { resize(12); }

  std::size_t slot(const std::uint64_t* key) const {
    std::uint64_t h = 0;
    for (std::size_t w = 0; w + 1 < stride_; ++w) {
      h = (h ^ key[w]) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return static_cast<std::size_t>((h * 0xD6E8FEB86659FD93u) >> (64 - log_size_));
  }
  void prefetch(const std::uint64_t* key) const {
#if defined(__GNUC__)
    __builtin_prefetch(rows_.data() + slot(key) * stride_, 1);
#else
    static_cast<void>(key);
#endif
  }
  void add(const std::uint64_t* key, std::uint64_t count) {
    std::uint64_t* row = find(key);
    if (row[stride_ - 1] == 0) {
      if (2 * ++size_ > (std::size_t{1} << log_size_)) {
        grow();
        row = find(key);
      }
      std::copy_n(key, stride_ - 1, row);
    }
    row[stride_ - 1] += count;
  }
  // The rows in use, closed up; the map is empty afterwards.
  std::vector<std::uint64_t> take() {
    std::size_t out = 0;
    for (std::size_t i = 0; i < rows_.size(); i += stride_) {
      if (rows_[i + stride_ - 1] == 0) continue;
      if (out != i) std::copy_n(rows_.data() + i, std::size_t{stride_}, rows_.data() + out);
      out += stride_;
    }
    rows_.resize(out);
    rows_.shrink_to_fit();
    return std::move(rows_);
  }

 private:
  std::uint64_t* find(const std::uint64_t* key) {
    const std::size_t mask = (std::size_t{1} << log_size_) - 1;
    for (std::size_t i = slot(key);; i = (i + 1) & mask) {
      std::uint64_t* row = rows_.data() + i * stride_;
      if (row[stride_ - 1] == 0 || is_same(row, key, stride_)) return row;
    }
  }
  void resize(unsigned log_size) {
    log_size_ = log_size;
    rows_.assign((std::size_t{1} << log_size) * stride_, 0);
  }
  void grow() {
    const std::vector<std::uint64_t> old = std::move(rows_);
    resize(log_size_ + 1);
    for (std::size_t i = 0; i < old.size(); i += stride_)
      if (old[i + stride_ - 1] != 0)
        std::copy_n(old.data() + i, std::size_t{stride_}, find(old.data() + i));
  }

  Stride stride_;
  unsigned log_size_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> rows_;
};

// ---- reading records ---------------------------------------------------------------------------

constexpr std::size_t kBlock = 2048;

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
void with_loader(const Words& x, Work work) {
  if (x.real)
    work(LoadReal{x.bytes});
  else if (x.width == 8)
    work(LoadAddress<std::uint64_t>{x.bytes, x.missing});
  else
    work(LoadAddress<std::uint32_t>{x.bytes, x.missing});
}

// Reads the levels of a block of records one column after the other, in place.
class Reader {
 public:
  Reader(const Layout& layout, const std::vector<Column>& columns)
      : layout_(layout), columns_(columns), missing_(columns.size(), 0) {}

  // Calls use(i, level) for the records of the block.
  template <class Use>
  void read(std::size_t variable, std::size_t from, std::size_t n, Use use) {
    if (columns_[variable].map)
      read_words(variable, from, n, use);
    else
      read_codes(variable, from, n, use);
  }
  bool any_missing() const { return any_missing_; }
  const std::vector<std::size_t>& missing() const { return missing_; }

 private:
  template <class Use>
  void read_words(std::size_t variable, std::size_t from, std::size_t n, Use use) {
    const Column& column = columns_[variable];
    with_loader(column.words, [&](auto load) {
      std::uint64_t word;
      for (std::size_t i = 0; i < n; ++i) {
        const bool there = load(from + i, word);
        const std::int32_t id = there ? column.map->find(word) : kMissing;
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
  const std::vector<std::size_t> strides = strides_of(layout);
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
  return gather(layout, counts.data(), counts.size());
}

Cells tabulate_sparse(const Layout& layout, Reader& reader, std::size_t n, Weights& weights,
                      const Tick& tick) {
  Cells out(layout.n_words());
  with_stride(out.stride, [&](auto stride) {
    const std::size_t words = stride - 1;
    CountMap<decltype(stride)> map(stride);
    std::vector<std::uint64_t> keys(kBlock * words);
    for_blocks(n, tick, [&](std::size_t from, std::size_t size) {
      std::fill(keys.begin(), keys.end(), 0);
      for (std::size_t v = 0; v < layout.n_variables(); ++v) {
        const Field f = layout.field(v);
        reader.read(v, from, size, [&](std::size_t i, std::uint32_t level) {
          keys[i * words + f.word] |= std::uint64_t{level} << f.shift;
        });
      }
      if (reader.any_missing()) return;
      for (std::size_t i = 0; i < size; ++i) map.prefetch(keys.data() + i * words);
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t w = weights.next(from + i);
        if (w > 0) map.add(keys.data() + i * words, w);
      }
    });
    out.rows = map.take();
  });
  sort_cells(out, layout);
  return out;
}

// ---- rearranging keys --------------------------------------------------------------------------

// Fields that move together from one layout to another: one shift and one mask.
struct Move {
  Field from;
  std::size_t word;
  unsigned shift;
};

std::vector<Move> plan_moves(const Layout& from, const Layout& to,
                             const std::vector<Source>& sources) {
  std::vector<Move> moves;
  for (std::size_t v = 0; v < sources.size(); ++v) {
    const Field a = from.field(sources[v].variable), b = to.field(v);
    if (a.mask == 0) continue;
    Move* last = moves.empty() ? nullptr : &moves.back();
    const bool joins = last && last->from.word == a.word && last->word == b.word &&
                       a.shift > last->from.shift && a.mask <= b.mask &&
                       a.shift - last->from.shift == b.shift - last->shift &&
                       (last->from.mask >> (a.shift - last->from.shift)) == 0;
    if (joins)
      last->from.mask |= a.mask << (a.shift - last->from.shift);
    else
      moves.push_back({a, b.word, b.shift});
  }
  return moves;
}

Cells move_fields(const Layout& from, const CellsView& cells, const Layout& to,
                  const std::vector<Source>& sources) {
  const std::vector<Move> moves = plan_moves(from, to, sources);
  Cells out(to.n_words());
  out.rows.assign(cells.n * out.stride, 0);
  const std::size_t words = from.n_words();
  for (std::size_t i = 0; i < cells.n; ++i) {
    const std::uint64_t* key = cells.keys + i * words;
    std::uint64_t* row = out.rows.data() + i * out.stride;
    for (const Move& m : moves)
      row[m.word] |= ((key[m.from.word] >> m.from.shift) & m.from.mask) << m.shift;
    row[out.stride - 1] = static_cast<std::uint64_t>(cells.counts[i]);
  }
  return out;
}

Cells map_fields(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<Source>& sources) {
  Cells out(to.n_words());
  std::vector<std::uint64_t> key(to.n_words());
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::fill(key.begin(), key.end(), 0);
    bool kept = true;
    for (std::size_t v = 0; v < sources.size() && kept; ++v) {
      const std::uint32_t level = from.level(cells.keys + i * from.n_words(), sources[v].variable);
      const std::int64_t to_level = sources[v].map ? sources[v].map[level] : std::int64_t{level};
      kept = to_level >= 0;
      if (kept) to.put(key.data(), v, static_cast<std::uint32_t>(to_level));
    }
    if (kept) out.add(key.data(), static_cast<std::uint64_t>(cells.counts[i]));
  }
  return out;
}

Cells project_dense(const Layout& from, const CellsView& cells, const Layout& to,
                    const std::vector<Source>& sources) {
  const std::vector<std::size_t> strides = strides_of(to);
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(to.n_cells()), 0);
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::size_t at = 0;
    for (std::size_t v = 0; v < sources.size(); ++v)
      at += strides[v] * from.level(cells.keys + i * from.n_words(), sources[v].variable);
    counts[at] += static_cast<std::uint64_t>(cells.counts[i]);
  }
  return gather(to, counts.data(), counts.size());
}

// "1,234,567"
std::string in_groups(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// Each row once as it is and once for every total above its level of the variable.
Cells spread(const Cells& cells, const Layout& layout, std::size_t variable, const Totals& totals,
             std::size_t max_rows) {
  Cells out(layout.n_words());
  std::vector<std::uint64_t> key(layout.n_words());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint64_t* row = cells.row(i);
    out.add(row, cells.count(i));
    std::copy_n(row, key.size(), key.data());
    const std::uint32_t level = layout.level(row, variable);
    for (std::size_t t = totals.start[level]; t < totals.start[level + 1]; ++t) {
      layout.put(key.data(), variable, totals.total[t]);
      out.add(key.data(), cells.count(i));
    }
    if (out.size() > max_rows)
      throw TooLargeError("The table with its totals needs more than " + in_groups(max_rows) +
                          " rows.");
  }
  return out;
}

}  // namespace

Layout::Layout(std::vector<std::uint32_t> levels) : levels_(std::move(levels)), used_(1, 0) {
  for (std::uint32_t n : levels_) {
    const unsigned bits = bits_for(n);
    if (used_.back() + bits > 64) used_.push_back(0);
    fields_.push_back(
        {used_.size() - 1, bits == 0 ? 0 : used_.back(), (std::uint64_t{1} << bits) - 1});
    used_.back() += bits;
  }
}

double Layout::n_cells() const {
  double n = 1;
  for (std::uint32_t levels : levels_) n *= levels;
  return n;
}

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

bool find_levels(const std::int32_t* x, std::size_t n, std::size_t max_span,
                 std::vector<std::int32_t>& levels, bool& any_missing) {
  std::int64_t lo = INT32_MAX, hi = INT32_MIN;
  any_missing = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] == kMissing) {
      any_missing = true;
      continue;
    }
    lo = std::min<std::int64_t>(lo, x[i]);
    hi = std::max<std::int64_t>(hi, x[i]);
  }
  if (lo > hi) return true;
  if (static_cast<std::uint64_t>(hi - lo) >= max_span) return false;
  std::vector<char> seen(static_cast<std::size_t>(hi - lo) + 1, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (x[i] != kMissing) seen[static_cast<std::size_t>(x[i] - lo)] = 1;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) levels.push_back(static_cast<std::int32_t>(lo + static_cast<std::int64_t>(i)));
  return true;
}

bool WordMap::insert(std::uint64_t word) {
  Slot& slot = slots_[place(word)];
  if (slot.id >= 0) return false;
  if (size_ == INT32_MAX) throw TooLargeError("A variable has more than 2^31 - 1 levels.");
  slot = {word, static_cast<std::int32_t>(size_++)};
  if (4 * size_ > slots_.size()) {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(2 * old.size(), Slot{});
    --shift_;
    for (const Slot& s : old)
      if (s.id >= 0) slots_[place(s.word)] = s;
  }
  return true;
}

std::vector<std::size_t> find_distinct(const Words& x, std::size_t n, bool& any_missing) {
  WordMap map;
  std::vector<std::size_t> first;
  any_missing = false;
  with_loader(x, [&](auto load) {
    std::uint64_t word;
    for (std::size_t i = 0; i < n; ++i) {
      if (!load(i, word))
        any_missing = true;
      else if (map.find(word) < 0 && map.insert(word))
        first.push_back(i);
    }
  });
  return first;
}

WordMap number_words(const Words& x, const std::vector<std::size_t>& first) {
  WordMap map;
  with_loader(x, [&](auto load) {
    std::uint64_t word;
    for (std::size_t at : first)
      if (load(at, word)) map.insert(word);
  });
  return map;
}

Cells cells_from_dense(const Layout& layout, const double* counts, std::size_t n) {
  return gather(layout, counts, n);
}

void write_dense(const Layout& layout, const CellsView& cells, double* out) {
  const std::vector<std::size_t> strides = strides_of(layout);
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::size_t at = 0;
    for (std::size_t v = 0; v < strides.size(); ++v)
      at += strides[v] * layout.level(cells.keys + i * layout.n_words(), v);
    out[at] = cells.counts[i];
  }
}

// Margins into a small array where that is possible, else the fields are moved to their new places
// and equal keys brought together by sorting, which is skipped when they still are in order.
// O(cells variables), or O(cells bits) when sorted. Agrees with apply(x, ..., sum) in the tests.
Cells project(const Layout& from, const CellsView& cells, const Layout& to,
              const std::vector<Source>& sources, const Tick& tick) {
  report(tick, 0);
  const bool mapped =
      std::any_of(sources.begin(), sources.end(), [](const Source& s) { return s.map != nullptr; });
  if (!mapped && is_dense(to, cells.n, 1)) return project_dense(from, cells, to, sources);
  Cells out = mapped ? map_fields(from, cells, to, sources) : move_fields(from, cells, to, sources);
  sort_cells(out, to);
  merge_neighbours(out);
  return out;
}

// One variable after the other: the rows of the table so far are repeated for the totals of that
// variable, sorted, and added up. Each cell of the result is the sum of its cells exactly once,
// because a total lists a level at most once. O(rows bits) for each variable, where rows is the
// size after spreading that variable. Agrees with addmargins() in the tests.
Cells add_totals(const Layout& from, const CellsView& cells, const Layout& to,
                 const std::vector<Totals>& totals, std::size_t max_rows, const Tick& tick) {
  std::vector<Source> sources(totals.size());
  for (std::size_t v = 0; v < sources.size(); ++v) sources[v].variable = v;
  Cells out = move_fields(from, cells, to, sources);
  for (std::size_t v = 0; v < totals.size(); ++v) {
    report(tick, static_cast<double>(v) / static_cast<double>(totals.size()));
    if (totals[v].total.empty()) continue;
    out = spread(out, to, v, totals[v], max_rows);
    sort_cells(out, to);
    merge_neighbours(out);
  }
  return out;
}

void write_levels(const Layout& layout, const CellsView& cells, std::size_t variable,
                  std::int32_t base, std::int32_t* out) {
  const std::size_t words = layout.n_words();
  for (std::size_t i = 0; i < cells.n; ++i)
    out[i] = static_cast<std::int32_t>(layout.level(cells.keys + i * words, variable)) + base;
}

CountCheck check_counts(const double* counts, std::size_t n) {
  CountCheck out;
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = counts[i];
    const CountFault fault = std::isnan(x)                        ? CountFault::missing
                             : std::isinf(x)                      ? CountFault::infinite
                             : x < 0                              ? CountFault::negative
                             : x != std::floor(x)                 ? CountFault::fractional
                             : x > static_cast<double>(kMaxCount) ? CountFault::too_large
                                                                  : CountFault::none;
    if (fault != CountFault::none) return {fault, i, false};
    total += x;
    if (total > static_cast<double>(kMaxCount)) out.total_too_large = true;
  }
  return out;
}

}  // namespace sdclattice
