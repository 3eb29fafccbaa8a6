// What counts of records go into: an array of all cells, or sorted cells, split into ranges that
// threads fill one by one.
//
// A range is filled by one thread at a time, and no two ranges share memory. Rows are the words of
// a record's place or key, and then its weight, which is positive. Used by tabulate() alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "table/cell_order.hpp"
#include "table/dense_cells.hpp"
#include "table/key_ranges.hpp"
#include "table/record_reader.hpp"

namespace sdclattice {

// The array of all cells in pieces. A row has the place of a record.
class ArrayCounts {
 public:
  ArrayCounts(const Layout& layout, std::size_t most_ranges)
      : layout_(layout), counts_(static_cast<std::size_t>(layout.n_cells()), 0) {
    while (n_ranges() > most_ranges) ++shift_;
  }

  std::size_t n_words() const { return 1; }
  std::size_t n_ranges() const { return (counts_.size() >> shift_) + 1; }
  std::size_t range(const std::uint64_t* row) const { return *row >> shift_; }
  void read(RecordReader& reader, std::size_t from, std::size_t n, std::size_t stride,
            std::uint64_t* rows) const {
    std::uint32_t places[RecordReader::kBlock];
    reader.read_places(from, n, places);
    for (std::size_t i = 0; i < n; ++i) rows[i * stride] = places[i];
  }
  void add(std::size_t, const std::uint64_t* rows, std::size_t n, std::size_t) {
    for (std::size_t i = 0; i < n; ++i) counts_[rows[2 * i]] += rows[2 * i + 1];
  }
  Cells take(WorkerPool&) { return gather_cells(layout_, counts_.data(), counts_.size()); }

 private:
  const Layout& layout_;
  std::vector<std::uint64_t> counts_;
  unsigned shift_ = 15;  // so many places stay in a cache
};

// Sorted cells for each range, and rows that wait: when they are more than twice the cells they are
// sorted, equal ones added up, and all added to the cells. So each row is moved O(bits) times, and
// memory stays O(cells). A row has the key of a record.
class SortedCounts {
 public:
  SortedCounts(const Layout& layout, KeyRanges ranges, std::size_t n_workers)
      : n_words_(layout.n_words()),
        ranges_(std::move(ranges)),
        cells_(ranges_.size(), Cells(n_words_)),
        waiting_(ranges_.size(), Cells(n_words_)),
        rooms_(n_workers) {}

  std::size_t n_words() const { return n_words_; }
  std::size_t n_ranges() const { return ranges_.size(); }
  std::size_t range(const std::uint64_t* row) const { return ranges_.range(row); }
  void read(RecordReader& reader, std::size_t from, std::size_t n, std::size_t stride,
            std::uint64_t* rows) const {
    reader.read_keys(from, n, stride, rows);
  }
  void add(std::size_t range, const std::uint64_t* rows, std::size_t n, std::size_t worker) {
    Cells& waiting = waiting_[range];
    waiting.rows.insert(waiting.rows.end(), rows, rows + n * waiting.stride);
    if (waiting.size() >= std::max(kWait, 2 * cells_[range].size())) settle(range, worker);
  }
  Cells take(WorkerPool& pool) {
    pool.run(n_ranges(), [&](std::size_t range, std::size_t worker) {
      settle(range, worker);
      waiting_[range].release();
    });
    return joined(cells_, pool);
  }

 private:
  // Rows that wait at least.
  static constexpr std::size_t kWait = 4096;

  void settle(std::size_t range, std::size_t worker) {
    sort_cells(waiting_[range], rooms_[worker]);
    merge_neighbours(waiting_[range]);
    add_sorted(cells_[range], waiting_[range], rooms_[worker]);
    waiting_[range].rows.clear();
  }

  std::size_t n_words_;
  KeyRanges ranges_;
  std::vector<Cells> cells_, waiting_;
  std::vector<std::vector<std::uint64_t>> rooms_;  // of each thread
};

}  // namespace sdclattice
