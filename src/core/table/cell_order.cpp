#include "table/cell_order.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

namespace sdclattice {

namespace {

// Rows are `stride` words, of which the first `width` are the key. One stable pass of a radix sort
// over the bits [shift, shift + bits) of a word. Returns false, and moves nothing, when all rows
// agree there.
template <class Stride>
bool radix_pass(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to,
                Stride stride, std::size_t word, unsigned shift, unsigned bits) {
  const std::size_t n = from.size() / stride;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
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

template <class Width>
bool is_less(const std::uint64_t* a, const std::uint64_t* b, Width width) {
  for (std::size_t w = width; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w];
  return false;
}

template <class Width, class Stride>
bool rows_are_sorted(const std::vector<std::uint64_t>& rows, Width width, Stride stride) {
  for (std::size_t i = stride; i < rows.size(); i += stride)
    if (is_less(rows.data() + i, rows.data() + i - stride, width)) return false;
  return true;
}

}  // namespace

bool is_sorted(const Cells& cells) {
  bool out = true;
  with_width(cells.stride - 1,
             [&](auto width) { out = rows_are_sorted(cells.rows, width, width + 1); });
  return out;
}

namespace {

// In each word the bits in which some rows differ from the first.
template <class Width, class Stride>
std::vector<std::uint64_t> differing_bits(const std::vector<std::uint64_t>& rows, Width width,
                                          Stride stride) {
  std::vector<std::uint64_t> out(width, 0);
  for (std::size_t i = 0; i < rows.size(); i += stride)
    for (std::size_t w = 0; w < width; ++w) out[w] |= rows[i + w] ^ rows[w];
  return out;
}

unsigned bit_length(std::uint64_t x) {
  unsigned length = 0;
  for (; x != 0; x >>= 1) ++length;
  return length;
}

template <class Width, class Stride>
void sort_rows(std::vector<std::uint64_t>& rows, std::vector<std::uint64_t>& room, Width width,
               Stride stride) {
  if (rows_are_sorted(rows, width, stride)) return;
  const std::vector<std::uint64_t> differs = differing_bits(rows, width, stride);
  for (std::size_t word = 0; word < width; ++word) {
    unsigned low = 0;
    while (low < 63 && (differs[word] >> low & 1) == 0) ++low;
    const unsigned used = bit_length(differs[word] >> low);
    const unsigned passes = (used + 8) / 9;
    for (unsigned p = 0; p < passes; ++p) {
      const unsigned lo = used * p / passes, hi = used * (p + 1) / passes;
      if (radix_pass(rows, room, stride, word, low + lo, hi - lo)) rows.swap(room);
    }
  }
  assert(rows_are_sorted(rows, width, stride));
}

// One more, as a number that the compiler knows when it knows the width.
constexpr std::integral_constant<std::size_t, 2> one_more(std::integral_constant<std::size_t, 1>) {
  return {};
}
constexpr std::size_t one_more(std::size_t width) {
  return width + 1;
}

}  // namespace

void sort_cells(Cells& cells, std::vector<std::uint64_t>& room) {
  with_width(cells.stride - 1,
             [&](auto width) { sort_rows(cells.rows, room, width, one_more(width)); });
}

void sort_cells(Cells& cells) {
  std::vector<std::uint64_t> room;
  sort_cells(cells, room);
}

void sort_keys(std::vector<std::uint64_t>& keys, std::size_t n_words,
               std::vector<std::uint64_t>& room) {
  with_width(n_words, [&](auto width) { sort_rows(keys, room, width, width); });
}

void count_sorted(const std::vector<std::uint64_t>& keys, Cells& cells) {
  cells.rows.resize(keys.size() / (cells.stride - 1) * cells.stride);
  if (keys.empty()) return;
  with_width(cells.stride - 1, [&](auto width) {
    assert(rows_are_sorted(keys, width, width));
    const std::size_t stride = width + 1;
    std::uint64_t* cell = cells.rows.data();
    std::copy_n(keys.data(), std::size_t{width}, cell);
    cell[width] = 1;
    for (std::size_t i = width; i < keys.size(); i += width) {
      const std::uint64_t* key = keys.data() + i;
      const bool same = std::equal(key, key + width, cell);
      cell += same ? 0 : stride;
      std::copy_n(key, std::size_t{width}, cell);
      cell[width] = same ? cell[width] + 1 : 1;
    }
    cells.rows.resize(static_cast<std::size_t>(cell - cells.rows.data()) + stride);
  });
}

void merge_neighbours(Cells& cells) {
  assert(is_sorted(cells));
  with_width(cells.stride - 1, [&](auto width) {
    const std::size_t stride = width + 1;
    std::vector<std::uint64_t>& rows = cells.rows;
    std::size_t last = 0;
    for (std::size_t i = stride; i < rows.size(); i += stride) {
      if (std::equal(rows.data() + i, rows.data() + i + width, rows.data() + last)) {
        rows[last + stride - 1] += rows[i + stride - 1];
      } else {
        last += stride;
        if (last != i) std::copy_n(rows.data() + i, stride, rows.data() + last);
      }
    }
    if (!rows.empty()) rows.resize(last + stride);
  });
}

Cells united(const Cells& a, const Cells& b) {
  assert(is_sorted(a) && is_sorted(b) && a.stride == b.stride);
  Cells out(a.stride - 1);
  out.rows.reserve(a.rows.size() + b.rows.size());
  with_width(a.stride - 1, [&](auto width) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
      const bool is_b = is_less(b.row(j), a.row(i), width);
      const bool is_a = !is_b && is_less(a.row(i), b.row(j), width);
      const std::uint64_t* row = is_b ? b.row(j) : a.row(i);
      out.rows.insert(out.rows.end(), row, row + width + 1);
      i += !is_b;
      j += !is_a;
    }
    out.rows.insert(out.rows.end(), a.rows.data() + i * a.stride, a.rows.data() + a.rows.size());
    out.rows.insert(out.rows.end(), b.rows.data() + j * b.stride, b.rows.data() + b.rows.size());
  });
  return out;
}

void add_sorted(Cells& to, const Cells& more, std::vector<std::uint64_t>& room) {
  assert(is_sorted(to) && is_sorted(more) && to.stride == more.stride);
  room.resize(to.rows.size() + more.rows.size());
  with_width(to.stride - 1, [&](auto width) {
    const std::size_t stride = width + 1;
    const std::uint64_t *a = to.rows.data(), *const a_end = a + to.rows.size();
    const std::uint64_t *b = more.rows.data(), *const b_end = b + more.rows.size();
    std::uint64_t* out = room.data();
    while (a != a_end && b != b_end) {
      const bool is_b = is_less(b, a, width), is_a = is_less(a, b, width);
      std::copy_n(is_b ? b : a, stride, out);
      if (!is_a && !is_b) out[width] += b[width];
      a += is_b ? 0 : stride;
      b += is_a ? 0 : stride;
      out += stride;
    }
    out = std::copy(b, b_end, std::copy(a, a_end, out));
    room.resize(static_cast<std::size_t>(out - room.data()));
  });
  to.rows.swap(room);
}

void write_joined(std::vector<Cells>& pieces, WorkerPool& pool, const CellSink& sink) {
  std::vector<std::size_t> start{0};
  for (const Cells& piece : pieces) start.push_back(start.back() + piece.size());
  const CellRoom room = sink(start.back());
  pool.run(pieces.size(), [&](std::size_t p, std::size_t) {
    const std::vector<std::uint64_t> rows = std::move(pieces[p].rows);
    with_width(pieces[p].stride - 1, [&](auto width) {
      std::uint64_t* key = room.keys + start[p] * width;
      double* count = room.counts + start[p];
      for (std::size_t i = 0; i < rows.size(); i += width + 1) {
        key = std::copy_n(rows.data() + i, std::size_t{width}, key);
        *count++ = static_cast<double>(rows[i + width]);
      }
    });
  });
}

}  // namespace sdclattice
