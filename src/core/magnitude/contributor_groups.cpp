#include "magnitude/contributor_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/wide_int.hpp"
#include "table/cell_order.hpp"
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

// The records of each range, in their order.
struct DealtRecords {
  std::vector<std::uint32_t> record;
  std::vector<std::size_t> start;
};

template <class Number>
DealtRecords deal(const HeldRecords<Number>& records, WorkerPool& pool) {
  const KeyRanges ranges = cell_ranges(records);
  const std::size_t n_parts = (records.n + kPart - 1) / kPart;
  std::vector<std::vector<std::size_t>> next(n_parts, std::vector<std::size_t>(ranges.size(), 0));
  const auto for_records = [&](std::size_t part, auto work) {
    for (std::size_t i = part * kPart; i < std::min(records.n, (part + 1) * kPart); ++i) {
      const std::uint64_t cell = records.cell_word(i);
      work(i, next[part][ranges.range(&cell)]);
    }
  };
  pool.run(n_parts, [&](std::size_t part, std::size_t) {
    for_records(part, [](std::size_t, std::size_t& count) { ++count; });
  });
  DealtRecords out{std::vector<std::uint32_t>(records.n), {0}};
  std::size_t sum = 0;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    for (std::vector<std::size_t>& of : next) sum += std::exchange(of[r], sum);
    out.start.push_back(sum);
  }
  pool.run(n_parts, [&](std::size_t part, std::size_t) {
    for_records(part, [&](std::size_t i, std::size_t& at) {
      out.record[at++] = static_cast<std::uint32_t>(i);
    });
  });
  return out;
}

// Rows of a holder, a cell and the bits of a value.
template <class Number>
void fill_rows(const HeldRecords<Number>& records, const std::uint32_t* from,
               const std::uint32_t* to, Cells& rows) {
  rows.rows.resize(static_cast<std::size_t>(to - from) * rows.stride);
  for (std::uint64_t* row = rows.rows.data(); from != to; ++from, row += rows.stride) {
    row[0] = word_of(records.holder[*from]);
    row[1] = records.cell_word(*from);
    row[2] = static_cast<std::uint64_t>(static_cast<std::int64_t>(records.value[*from]));
  }
}

struct Held {
  std::int64_t value;
  std::int32_t holder;
};

bool is_before(const Held& a, const Held& b) {
  const std::int64_t x = magnitude(a.value), y = magnitude(b.value);
  return x != y ? x > y : a.holder < b.holder;
}

// Adds up rows of equal keys, and sorts the contributors of each cell.
Contributors group_rows(const Cells& rows) {
  Contributors out;
  std::vector<Held> held;
  for (std::size_t i = 0; i < rows.size();) {
    const std::uint64_t cell = rows.row(i)[1];
    held.clear();
    while (i < rows.size() && rows.row(i)[1] == cell) {
      const std::uint64_t holder = rows.row(i)[0];
      Held sum{0, static_cast<std::int32_t>(number_of(holder))};
      for (; i < rows.size() && rows.row(i)[1] == cell && rows.row(i)[0] == holder; ++i)
        sum.value = checked_sum(sum.value, static_cast<std::int64_t>(rows.count(i)),
                                "A sum of values exceeds 64 bits.");
      held.push_back(sum);
    }
    std::sort(held.begin(), held.end(), is_before);
    for (const Held& h : held) {
      out.value.push_back(h.value);
      out.holder.push_back(h.holder);
    }
    out.cell.push_back(number_of(cell));
    out.start.push_back(out.value.size());
  }
  return out;
}

// Pieces one after the other, each freed when it is copied.
Contributors join(std::vector<Contributors>& pieces, WorkerPool& pool) {
  Contributors out;
  std::vector<std::size_t> first;
  std::size_t n = 0;
  for (const Contributors& piece : pieces) {
    first.push_back(n);
    out.cell.insert(out.cell.end(), piece.cell.begin(), piece.cell.end());
    for (std::size_t c = 1; c < piece.start.size(); ++c) out.start.push_back(n + piece.start[c]);
    n += piece.value.size();
  }
  out.value.resize(n);
  out.holder.resize(n);
  pool.run(pieces.size(), [&](std::size_t p, std::size_t) {
    const Contributors piece = std::exchange(pieces[p], {});
    std::copy(piece.value.begin(), piece.value.end(), out.value.data() + first[p]);
    std::copy(piece.holder.begin(), piece.holder.end(), out.holder.data() + first[p]);
  });
  return out;
}

template <class Number>
Contributors group(const HeldRecords<Number>& records, std::size_t threads) {
  if (records.n > UINT32_MAX) throw TooLargeError("At most 2^32 - 1 records can be grouped.");
  WorkerPool pool(std::min(threads, (records.n + kRange - 1) / kRange));
  const DealtRecords dealt = deal(records, pool);
  std::vector<Contributors> pieces(dealt.start.size() - 1);
  std::vector<Cells> rows(pool.n_workers(), Cells(2));
  std::vector<std::vector<std::uint64_t>> rooms(pool.n_workers());
  pool.run(pieces.size(), [&](std::size_t p, std::size_t worker) {
    fill_rows(records, dealt.record.data() + dealt.start[p],
              dealt.record.data() + dealt.start[p + 1], rows[worker]);
    sort_cells(rows[worker], rooms[worker]);
    pieces[p] = group_rows(rows[worker]);
  });
  return join(pieces, pool);
}

}  // namespace

Contributors group_contributors(const std::vector<std::int64_t>& cell,
                                const std::vector<std::int32_t>& holder,
                                const std::vector<std::int64_t>& value, std::size_t threads) {
  return group(HeldRecords<std::int64_t>{cell.data(), holder.data(), value.data(), cell.size()},
               threads);
}

Contributors group_contributors(const double* cell, const std::int32_t* holder, const double* value,
                                std::size_t n, std::size_t threads) {
  return group(HeldRecords<double>{cell, holder, value, n}, threads);
}

}  // namespace sdclattice
