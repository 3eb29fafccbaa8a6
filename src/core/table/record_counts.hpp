// What counts of records go into: an array of all cells, or sorted cells, split into ranges that
// threads fill one by one.
//
// A range is filled by one thread at a time, and no two ranges share memory. Rows are the words of
// a record's place or key, and then, where records have weights, its weight, which is positive.
// Used by tabulate() alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "table/cell_order.hpp"
#include "table/cell_sink.hpp"
#include "table/dense_cells.hpp"
#include "table/key_ranges.hpp"
#include "table/record_reader.hpp"

namespace sdclattice {

// The array of all cells in pieces. A row has the place of a record, and its weight where Count is
// std::uint64_t.
template <class Count>
class ArrayCounts {
 public:
  using Word = Count;

  ArrayCounts(const Layout& layout, std::size_t most_ranges)
      : layout_(layout),
        n_cells_(static_cast<std::size_t>(layout.n_cells())),
        counts_(static_cast<Count*>(std::calloc(n_cells_, sizeof(Count)))) {
    if (!counts_) throw TooLargeError("There is no memory for an array of all cells.");
    while (n_ranges() > most_ranges) ++shift_;
  }

  bool has_weights() const { return sizeof(Count) == 8; }
  std::size_t stride() const { return has_weights() ? 2 : 1; }
  std::size_t n_ranges() const { return (n_cells_ >> shift_) + 1; }
  std::size_t range(const Word* row) const { return *row >> shift_; }
  void read(RecordReader& reader, std::size_t from, std::size_t n, Word* rows) const {
    if (!has_weights()) return reader.read_places(from, n, rows);
    std::uint32_t places[RecordReader::kBlock];
    reader.read_places(from, n, places);
    for (std::size_t i = 0; i < n; ++i) rows[2 * i] = places[i];
  }
  void add(std::size_t, const Word* rows, std::size_t n, std::size_t) {
    if (has_weights())
      for (std::size_t i = 0; i < n; ++i) counts_[rows[2 * i]] += rows[2 * i + 1];
    else
      for (std::size_t i = 0; i < n; ++i) ++counts_[rows[i]];
  }
  void take(WorkerPool& pool, const CellSink& sink) {
    gather_cells(layout_, counts_.get(), n_cells_, pool, sink);
  }

 private:
  struct Free {
    void operator()(Count* memory) const { std::free(memory); }
  };

  const Layout& layout_;
  std::size_t n_cells_;
  // zeros that the system gives page by page, to the thread that counts there first
  std::unique_ptr<Count[], Free> counts_;
  unsigned shift_ = 15;  // so many places stay in a cache
};

// Sorted cells for each range, and rows that wait: when they are more than twice the cells they are
// sorted, equal ones added up, and all added to the cells. So each row is moved O(bits) times, and
// memory stays O(cells). A row has the key of a record.
class SortedCounts {
 public:
  using Word = std::uint64_t;

  SortedCounts(const Layout& layout, KeyRanges ranges, bool weights, std::size_t n_workers)
      : n_words_(layout.n_words()),
        weights_(weights),
        ranges_(std::move(ranges)),
        cells_(ranges_.size(), Cells(n_words_)),
        waiting_(ranges_.size()),
        rooms_(n_workers, Room{{}, Cells(n_words_)}) {}

  bool has_weights() const { return weights_; }
  std::size_t stride() const { return n_words_ + (weights_ ? 1 : 0); }
  std::size_t n_ranges() const { return ranges_.size(); }
  std::size_t range(const Word* row) const { return ranges_.range(row); }
  void read(RecordReader& reader, std::size_t from, std::size_t n, Word* rows) const {
    reader.read_keys(from, n, stride(), rows);
  }
  void add(std::size_t range, const Word* rows, std::size_t n, std::size_t worker) {
    std::vector<std::uint64_t>& waiting = waiting_[range];
    waiting.insert(waiting.end(), rows, rows + n * stride());
    if (waiting.size() >= stride() * std::max(kWait, 2 * cells_[range].size()))
      settle(range, worker);
  }
  void take(WorkerPool& pool, const CellSink& sink) {
    pool.run(n_ranges(), [&](std::size_t range, std::size_t worker) {
      settle(range, worker);
      std::vector<std::uint64_t>().swap(waiting_[range]);
    });
    write_joined(cells_, pool, sink);
  }

 private:
  // Rows that wait at least.
  static constexpr std::size_t kWait = 4096;

  struct Room {
    std::vector<std::uint64_t> rows;
    Cells cells;
  };

  void settle(std::size_t range, std::size_t worker) {
    Room& room = rooms_[worker];
    if (weights_) {
      room.cells.rows.swap(waiting_[range]);
      sort_cells(room.cells, room.rows);
      merge_neighbours(room.cells);
    } else {
      sort_keys(waiting_[range], n_words_, room.rows);
      count_sorted(waiting_[range], room.cells);
    }
    add_sorted(cells_[range], room.cells, room.rows);
    waiting_[range].clear();
  }

  std::size_t n_words_;
  bool weights_;
  KeyRanges ranges_;
  std::vector<Cells> cells_;
  std::vector<std::vector<std::uint64_t>> waiting_;
  std::vector<Room> rooms_;  // of each thread
};

}  // namespace sdclattice
