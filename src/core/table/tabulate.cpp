#include "table/tabulate.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "table/record_counts.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kBlock = RecordReader::kBlock;
constexpr std::size_t kPart = 4 * kBlock;   // records that stay in a cache
constexpr std::size_t kParts = 64;          // of a batch
constexpr std::size_t kOwnBytes = 1 << 21;  // of the array that each thread has
constexpr double kSomeBytes = 1 << 26;      // of an array of all cells that may have many zeros
constexpr std::size_t kMostRanges = 64;     // a byte holds the number of one
constexpr std::size_t kSampled = 16;        // keys for each range

struct Records {
  const Layout& layout;
  const std::vector<Column>& columns;
  std::size_t n;
  const double* weights;

  std::uint64_t weight(std::size_t record) const {
    return static_cast<std::uint64_t>(weights[record]);
  }
};

// What a thread has read.
struct Reading {
  explicit Reading(const Records& records) : reader(records.layout, records.columns) {}

  RecordReader reader;
  std::uint64_t total = 0;  // of the weights
};

std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
  if (a + b > kMaxCount) throw TooLargeError("The grand total is above 2^53.");
  return a + b;
}

// Work on records by several threads, in parts that do not depend on how many there are.
class Readings {
 public:
  Readings(const Records& records, std::size_t threads)
      : records_(records),
        pool_(std::min(threads, (records.n + kPart - 1) / kPart)),
        readings_(pool_.n_workers(), Reading(records)) {}

  WorkerPool& pool() { return pool_; }
  // Calls work(reading, worker, from, n, part) for the parts of records [from, from + n).
  template <class Work>
  void run(std::size_t from, std::size_t n, Work work) {
    pool_.run((n + kPart - 1) / kPart, [&](std::size_t part, std::size_t worker) {
      const std::size_t begin = from + part * kPart, end = std::min(begin + kPart, from + n);
      sum_weights(readings_[worker].total, begin, end);
      work(readings_[worker].reader, worker, begin, end - begin, part);
    });
    std::uint64_t total = 0;
    for (const Reading& reading : readings_) total = checked_sum(total, reading.total);
  }
  bool any_missing() const {
    return std::any_of(readings_.begin(), readings_.end(),
                       [](const Reading& reading) { return reading.reader.any_missing(); });
  }
  std::vector<std::size_t> missing() const {
    std::vector<std::size_t> out(records_.columns.size(), 0);
    for (const Reading& reading : readings_)
      for (std::size_t v = 0; v < out.size(); ++v) out[v] += reading.reader.missing()[v];
    return out;
  }

 private:
  void sum_weights(std::uint64_t& total, std::size_t begin, std::size_t end) const {
    if (!records_.weights) return;
    for (std::size_t i = begin; i < end; ++i) total = checked_sum(total, records_.weight(i));
  }

  const Records& records_;
  WorkerPool pool_;
  std::vector<Reading> readings_;
};

template <class Batch>
void for_batches(std::size_t n, const Tick& tick, Batch batch) {
  constexpr std::size_t size = kPart * kParts;
  for (std::size_t from = 0; from < n; from += size) {
    report(tick, static_cast<double>(from) / static_cast<double>(n));
    batch(from, std::min(size, n - from));
  }
}

// An array of all cells for each thread.
template <class Count>
void count_in_own_arrays(const Records& records, Readings& readings, const Tick& tick,
                         const CellSink& sink) {
  const auto n_cells = static_cast<std::size_t>(records.layout.n_cells());
  std::vector<std::vector<Count>> counts(readings.pool().n_workers(),
                                         std::vector<Count>(n_cells, 0));
  const auto count = [&](RecordReader& reader, std::size_t worker, std::size_t from, std::size_t n,
                         std::size_t) {
    std::uint32_t places[kBlock];
    Count* own = counts[worker].data();
    for (std::size_t at = from; at < from + n; at += kBlock) {
      const std::size_t size = std::min(kBlock, from + n - at);
      reader.read_places(at, size, places);
      if (reader.any_missing()) continue;
      if (!records.weights)
        for (std::size_t i = 0; i < size; ++i) ++own[places[i]];
      else
        for (std::size_t i = 0; i < size; ++i)
          own[places[i]] += static_cast<Count>(records.weight(at + i));
    }
  };
  for_batches(records.n, tick,
              [&](std::size_t from, std::size_t n) { readings.run(from, n, count); });
  if (readings.any_missing()) return;
  readings.pool().run((n_cells + kPart - 1) / kPart, [&](std::size_t part, std::size_t) {
    for (std::size_t w = 1; w < counts.size(); ++w)
      for (std::size_t i = part * kPart; i < std::min(n_cells, (part + 1) * kPart); ++i)
        counts[0][i] += counts[w][i];
  });
  gather_cells(records.layout, counts[0].data(), n_cells, readings.pool(), sink);
}

// Calls work(stride) with a number that the compiler knows where keys have one word.
template <class Work>
void with_stride(std::size_t stride, Work work) {
  if (stride == 2)
    work(std::integral_constant<std::size_t, 2>{});
  else
    with_width(stride, work);
}

template <class Counts>
class RangeCounter {
  using Word = typename Counts::Word;

  // The rows of a part, as they are read and sorted into ranges.
  struct SortedPart {
    std::vector<Word> rows;
    std::vector<std::uint32_t> start;  // of each range, and the end
  };

  // A thread's room for the rows of a part.
  struct PartRoom {
    std::vector<Word> rows;
    std::vector<std::uint8_t> range;
  };

 public:
  RangeCounter(const Records& records, Readings& readings, Counts& counts)
      : records_(records),
        readings_(readings),
        counts_(counts),
        stride_(counts.stride()),
        rooms_(readings.pool().n_workers()),
        parts_(std::min(kParts, (records.n + kPart - 1) / kPart)) {}

  void run(const Tick& tick) {
    for_batches(records_.n, tick, [&](std::size_t from, std::size_t n) {
      readings_.run(from, n,
                    [&](RecordReader& reader, std::size_t worker, std::size_t begin,
                        std::size_t size, std::size_t part) {
                      const std::size_t left = read(reader, begin, size, rooms_[worker]);
                      if (!reader.any_missing()) sort(rooms_[worker], left, parts_[part]);
                    });
      if (readings_.any_missing()) return;
      const std::size_t n_parts = (n + kPart - 1) / kPart;
      readings_.pool().run(counts_.n_ranges(), [&](std::size_t range, std::size_t worker) {
        for (std::size_t p = 0; p < n_parts; ++p) add(range, parts_[p], worker);
      });
    });
  }

 private:
  // Returns how many rows there are: those of records of weight 0 are left out.
  std::size_t read(RecordReader& reader, std::size_t from, std::size_t n, PartRoom& room) const {
    room.rows.resize(kPart * stride_);
    Word* rows = room.rows.data();
    for (std::size_t at = 0; at < n; at += kBlock)
      counts_.read(reader, from + at, std::min(kBlock, n - at), rows + at * stride_);
    if (!counts_.has_weights()) return n;
    std::size_t left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto weight = static_cast<Word>(records_.weights ? records_.weight(from + i) : 1);
      if (left < i) std::copy_n(rows + i * stride_, stride_ - 1, rows + left * stride_);
      rows[(left + 1) * stride_ - 1] = weight;
      left += weight > 0 ? 1 : 0;
    }
    return left;
  }
  // A stable counting sort.
  void sort(PartRoom& room, std::size_t n, SortedPart& out) const {
    room.range.resize(kPart);
    std::vector<std::uint32_t>& start = out.start;
    start.assign(counts_.n_ranges() + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t range = counts_.range(room.rows.data() + i * stride_);
      room.range[i] = static_cast<std::uint8_t>(range);
      ++start[range + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    out.rows.resize(kPart * stride_);
    std::uint32_t next[kMostRanges];
    std::copy(start.begin(), start.end() - 1, next);
    with_stride(stride_, [&](auto stride) {
      const Word* row = room.rows.data();
      for (std::size_t i = 0; i < n; ++i, row += stride) {
        Word* slot = out.rows.data() + stride * next[room.range[i]]++;
        for (std::size_t w = 0; w < stride; ++w) slot[w] = row[w];
      }
    });
  }
  void add(std::size_t range, const SortedPart& part, std::size_t worker) const {
    counts_.add(range, part.rows.data() + part.start[range] * stride_,
                part.start[range + 1] - part.start[range], worker);
  }

  const Records& records_;
  Readings& readings_;
  Counts& counts_;
  std::size_t stride_;
  std::vector<PartRoom> rooms_;
  std::vector<SortedPart> parts_;
};

template <class Counts>
void count_in_ranges(const Records& records, Readings& readings, Counts counts, const Tick& tick,
                     const CellSink& sink) {
  RangeCounter<Counts>(records, readings, counts).run(tick);
  if (!readings.any_missing()) counts.take(readings.pool(), sink);
}

// Ranges for keys of records, cut by a sample at equal distances.
KeyRanges ranges_for(const Records& records) {
  std::size_t n_ranges = 1;
  while (n_ranges < kMostRanges && n_ranges * 2 * kPart <= records.n) n_ranges *= 2;
  std::vector<std::uint64_t> keys(n_ranges * kSampled * records.layout.n_words());
  if (n_ranges == 1) return KeyRanges(records.layout, 1, {});
  RecordReader reader(records.layout, records.columns);
  for (std::size_t i = 0; i < n_ranges * kSampled; ++i)
    reader.read_keys(i * (records.n / (n_ranges * kSampled)), 1, records.layout.n_words(),
                     keys.data() + i * records.layout.n_words());
  return KeyRanges(records.layout, n_ranges, keys);
}

template <class Count>
void count_in_arrays(const Records& records, Readings& readings, const Tick& tick,
                     const CellSink& sink) {
  if (records.layout.n_cells() * sizeof(Count) <= kOwnBytes)
    return count_in_own_arrays<Count>(records, readings, tick, sink);
  count_in_ranges(records, readings, ArrayCounts<Count>(records.layout, kMostRanges), tick, sink);
}

void count(const Records& records, Readings& readings, const Tick& tick, const CellSink& sink) {
  const Layout& layout = records.layout;
  const bool fits = layout.n_cells() < 4294967296.0;
  const bool narrow = !records.weights && records.n <= UINT32_MAX;
  const double share = layout.n_cells() * sizeof(std::uint32_t) <= kSomeBytes ? 2 : 1;
  if (fits && narrow && is_dense(layout, records.n, share))
    return count_in_arrays<std::uint32_t>(records, readings, tick, sink);
  if (fits && !narrow && is_dense(layout, records.n, .5))
    return count_in_arrays<std::uint64_t>(records, readings, tick, sink);
  SortedCounts counts(layout, ranges_for(records), records.weights != nullptr,
                      readings.pool().n_workers());
  count_in_ranges(records, readings, std::move(counts), tick, sink);
}

}  // namespace

std::vector<std::size_t> tabulate(const Layout& layout, const std::vector<Column>& columns,
                                  std::size_t n, const double* weights, std::size_t threads,
                                  const Tick& tick, const CellSink& sink) {
  const Records records{layout, columns, n, weights};
  Readings readings(records, threads);
  count(records, readings, tick, sink);
  return readings.any_missing() ? readings.missing() : std::vector<std::size_t>();
}

std::vector<std::size_t> tabulate_in_runs(const Layout& layout, const std::vector<Column>& columns,
                                          std::size_t n, const double* weights, CellRuns& runs) {
  RecordReader reader(layout, columns);
  const std::size_t words = layout.n_words(), stride = words + 1;
  std::vector<std::uint64_t> rows(kBlock * stride);
  std::uint64_t total = 0;
  for (std::size_t from = 0; from < n; from += kBlock) {
    const std::size_t size = std::min(kBlock, n - from);
    reader.read_keys(from, size, stride, rows.data());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto weight = weights ? static_cast<std::uint64_t>(weights[from + i]) : 1;
      total = checked_sum(total, weight);
      std::copy_n(rows.data() + i * stride, words, rows.data() + kept * stride);
      rows[kept * stride + words] = weight;
      kept += weight > 0;
    }
    if (!reader.any_missing()) runs.add(rows.data(), kept);
  }
  return reader.any_missing() ? reader.missing() : std::vector<std::size_t>();
}

std::vector<std::size_t> place_records(const Layout& layout, const std::vector<Column>& columns,
                                       std::size_t n, std::size_t threads, const Tick& tick,
                                       double* places) {
  const Records records{layout, columns, n, nullptr};
  Readings readings(records, threads);
  for_batches(n, tick, [&](std::size_t batch, std::size_t size) {
    readings.run(batch, size,
                 [&](RecordReader& reader, std::size_t, std::size_t from, std::size_t n_of_part,
                     std::size_t) {
                   std::uint64_t block[kBlock];
                   for (std::size_t at = from; at < from + n_of_part; at += kBlock) {
                     const std::size_t n_of_block = std::min(kBlock, from + n_of_part - at);
                     reader.read_places(at, n_of_block, block);
                     std::copy_n(block, n_of_block, places + at);
                   }
                 });
  });
  return readings.any_missing() ? readings.missing() : std::vector<std::size_t>();
}

}  // namespace sdclattice
