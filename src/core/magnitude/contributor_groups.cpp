#include "magnitude/contributor_groups.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/wide_int.hpp"
#include "table/key_ranges.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kRange = std::size_t{1} << 14;  // records of a range, about
constexpr std::size_t kMostRanges = 512;
constexpr std::size_t kSampled = 16;                 // records for each range
constexpr std::size_t kPart = std::size_t{1} << 16;  // records that a thread deals at a time
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Words in the order of the numbers.
std::uint64_t word_of(std::int64_t x) {
  return static_cast<std::uint64_t>(x) ^ kSign;
}
std::int64_t number_of(std::uint64_t word) {
  return static_cast<std::int64_t>(word ^ kSign);
}

template <class From, class To>
void put(From from, To& to) {
  to = static_cast<To>(from);
}

template <class Number>
struct HeldRecords {
  const Number* cell;
  const std::int32_t* holder;
  const Number* value;
  std::size_t n;

  std::uint64_t cell_word(std::size_t i) const {
    return word_of(static_cast<std::int64_t>(cell[i]));
  }
};

template <class Number>
KeyRanges cell_ranges(const HeldRecords<Number>& records) {
  std::size_t n_ranges = 1;
  while (n_ranges < kMostRanges && n_ranges * 2 * kRange <= records.n) n_ranges *= 2;
  std::vector<std::uint64_t> sample;
  const std::size_t n_sampled = std::min(records.n, n_ranges * kSampled);
  for (std::size_t i = 0; i < n_sampled; ++i)
    sample.push_back(records.cell_word(i * (records.n / n_sampled)));
  return KeyRanges(Layout({1}), n_ranges, sample);
}

// A record in its range; narrow cells are numbers below 2^32.
template <class Word>
struct Row {
  std::int64_t value;
  Word cell;
  std::int32_t holder;
};

template <class Number>
std::uint64_t cell_as(const HeldRecords<Number>& records, std::size_t i, std::uint64_t) {
  return records.cell_word(i);
}
template <class Number>
std::uint32_t cell_as(const HeldRecords<Number>& records, std::size_t i, std::uint32_t) {
  return static_cast<std::uint32_t>(records.cell[i]);
}
std::int64_t cell_number(std::uint64_t word) {
  return number_of(word);
}
std::int64_t cell_number(std::uint32_t word) {
  return word;
}

// Which records go to which range: for each part the place of its next record of each range.
template <class Number>
struct Deal {
  const HeldRecords<Number>& records;
  KeyRanges ranges;
  std::vector<std::vector<std::size_t>> next;
  std::vector<std::size_t> start{0};
  bool narrow;

  Deal(const HeldRecords<Number>& of, WorkerPool& pool)
      : records(of),
        ranges(cell_ranges(of)),
        next((of.n + kPart - 1) / kPart, std::vector<std::size_t>(ranges.size(), 0)) {
    std::vector<char> wide(next.size(), 0);
    pool.run(next.size(), [&](std::size_t part, std::size_t) {
      for_records(part, [&](std::size_t i, std::size_t& count) {
        ++count;
        wide[part] |= records.cell[i] < 0 || records.cell[i] > UINT32_MAX;
      });
    });
    narrow = std::find(wide.begin(), wide.end(), 1) == wide.end();
    std::size_t sum = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      for (std::vector<std::size_t>& part : next) sum += std::exchange(part[r], sum);
      start.push_back(sum);
    }
  }
  template <class Work>
  void for_records(std::size_t part, Work work) {
    for (std::size_t i = part * kPart; i < std::min(records.n, (part + 1) * kPart); ++i) {
      const std::uint64_t cell = records.cell_word(i);
      work(i, next[part][ranges.range(&cell)]);
    }
  }
  template <class Word>
  void write(Row<Word>* rows, WorkerPool& pool) {
    pool.run(next.size(), [&](std::size_t part, std::size_t) {
      for_records(part, [&](std::size_t i, std::size_t& at) {
        rows[at++] = {static_cast<std::int64_t>(records.value[i]), cell_as(records, i, Word{}),
                      records.holder[i]};
      });
    });
  }
};

// A stable radix sort, over the bytes in which cells differ.
template <class Word>
void sort_by_cell(Row<Word>* rows, std::size_t n, std::vector<Row<Word>>& room) {
  Word differs = 0;
  bool sorted = true;
  for (std::size_t i = 1; i < n; ++i) {
    differs |= static_cast<Word>(rows[i].cell ^ rows[0].cell);
    sorted = sorted && rows[i - 1].cell <= rows[i].cell;
  }
  if (sorted) return;
  room.resize(n);
  Row<Word>*from = rows, *to = room.data();
  for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 8) {
    if ((differs >> shift & 255) == 0) continue;
    std::size_t place[256] = {}, sum = 0;
    for (std::size_t i = 0; i < n; ++i) ++place[from[i].cell >> shift & 255];
    for (std::size_t& p : place) sum += std::exchange(p, sum);
    for (std::size_t i = 0; i < n; ++i) to[place[from[i].cell >> shift & 255]++] = from[i];
    std::swap(from, to);
  }
  if (from != rows) std::copy_n(from, n, rows);
}

template <class Word>
bool has_lower_holder(const Row<Word>& a, const Row<Word>& b) {
  return a.holder < b.holder;
}

template <class Word>
bool is_before(const Row<Word>& a, const Row<Word>& b) {
  const std::int64_t x = magnitude(a.value), y = magnitude(b.value);
  return x != y ? x > y : a.holder < b.holder;
}

// Rows of one cell: those of one holder are added up, in their order, and the sums are written from
// `to` on, which is not behind the rows. Returns their end.
template <class Word>
Row<Word>* add_up(Row<Word>* from, Row<Word>* end, Row<Word>* to) {
  if (!std::is_sorted(from, end, has_lower_holder<Word>))
    std::stable_sort(from, end, has_lower_holder<Word>);
  while (from != end) {
    Row<Word> sum = *from;
    for (++from; from != end && from->holder == sum.holder; ++from)
      sum.value = checked_sum(sum.value, from->value, "A sum of values exceeds 64 bits.");
    *to++ = sum;
  }
  return to;
}

// The contributors of a range, at the beginning of its rows.
struct Piece {
  std::vector<std::int64_t> cell;
  std::vector<std::size_t> end;  // of the contributors of each cell
};

template <class Word>
Piece group_rows(Row<Word>* rows, std::size_t n) {
  Piece out;
  Row<Word>*to = rows, *const end = rows + n;
  for (Row<Word>* from = rows; from != end;) {
    Row<Word>* next = from;
    while (next != end && next->cell == from->cell) ++next;
    const Word cell = from->cell;
    Row<Word>* const first = to;
    to = add_up(from, next, to);
    std::sort(first, to, is_before<Word>);
    out.cell.push_back(cell_number(cell));
    out.end.push_back(static_cast<std::size_t>(to - rows));
    from = next;
  }
  return out;
}

// Pieces one after the other into room that open(cells, contributors) gives.
template <class Word, class Open>
void write_pieces(const std::vector<Piece>& pieces, const Row<Word>* rows,
                  const std::vector<std::size_t>& start, WorkerPool& pool, Open open) {
  std::vector<std::size_t> first_cell{0}, first{0};
  for (const Piece& piece : pieces) {
    first_cell.push_back(first_cell.back() + piece.cell.size());
    first.push_back(first.back() + (piece.end.empty() ? 0 : piece.end.back()));
  }
  const auto room = open(first_cell.back(), first.back());
  room.start[0] = 0;
  pool.run(pieces.size(), [&](std::size_t p, std::size_t) {
    const Piece& piece = pieces[p];
    for (std::size_t c = 0; c < piece.cell.size(); ++c) {
      put(piece.cell[c], room.cell[first_cell[p] + c]);
      put(first[p] + piece.end[c], room.start[first_cell[p] + c + 1]);
    }
    for (std::size_t i = first[p]; i < first[p + 1]; ++i) {
      const Row<Word>& row = rows[start[p] + i - first[p]];
      put(row.value, room.value[i]);
      room.holder[i] = row.holder;
    }
  });
}

template <class Word, class Number, class Open>
void group_dealt(Deal<Number>& deal, WorkerPool& pool, Open open) {
  const std::vector<std::size_t>& start = deal.start;
  const std::unique_ptr<Row<Word>[]> rows(new Row<Word>[deal.records.n]);  // left as it comes
  deal.write(rows.get(), pool);
  std::vector<Piece> pieces(start.size() - 1);
  std::vector<std::vector<Row<Word>>> rooms(pool.n_workers());
  pool.run(pieces.size(), [&](std::size_t p, std::size_t worker) {
    sort_by_cell(rows.get() + start[p], start[p + 1] - start[p], rooms[worker]);
    pieces[p] = group_rows(rows.get() + start[p], start[p + 1] - start[p]);
  });
  write_pieces(pieces, rows.get(), start, pool, open);
}

template <class Number, class Open>
void group(const HeldRecords<Number>& records, std::size_t threads, Open open) {
  if (records.n > UINT32_MAX) throw TooLargeError("At most 2^32 - 1 records can be grouped.");
  WorkerPool pool(std::min(threads, (records.n + kRange - 1) / kRange));
  Deal<Number> deal(records, pool);
  if (deal.narrow)
    group_dealt<std::uint32_t>(deal, pool, open);
  else
    group_dealt<std::uint64_t>(deal, pool, open);
}

}  // namespace

Contributors group_contributors(const std::vector<std::int64_t>& cell,
                                const std::vector<std::int32_t>& holder,
                                const std::vector<std::int64_t>& value, std::size_t threads) {
  struct Room {
    std::int64_t* cell;
    std::size_t* start;
    std::int64_t* value;
    std::int32_t* holder;
  };
  Contributors out;
  group(HeldRecords<std::int64_t>{cell.data(), holder.data(), value.data(), cell.size()}, threads,
        [&](std::size_t n_cells, std::size_t n) {
          out.cell.resize(n_cells);
          out.start.resize(n_cells + 1);
          out.value.resize(n);
          out.holder.resize(n);
          return Room{out.cell.data(), out.start.data(), out.value.data(), out.holder.data()};
        });
  return out;
}

void group_contributors(const double* cell, const std::int32_t* holder, const double* value,
                        std::size_t n, std::size_t threads, const ContributorSink& sink) {
  group(HeldRecords<double>{cell, holder, value, n}, threads, sink);
}

}  // namespace sdclattice
