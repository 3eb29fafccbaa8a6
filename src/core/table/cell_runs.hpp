// Cells that are more than the memory holds: sorted runs on a tape, merged at the end.
//
// What is computed. Rows (key and count) come in any order, and keys as often as they like. They
// wait in memory; when they are three times the cells they are sorted and equal keys added up. When
// more than half of the memory is full even so, the rows are a run and go to the tape. The table is
// what merging the runs gives.
// So cells that come again and again take no room on the tape, and rows that come in order are
// hardly sorted at all. (Parting the rows by ranges of keys instead would need a sample of the keys
// beforehand, and ranges that turn out too large.)
// What it guarantees. Exact; sums stay below the grand total, which the caller checks. The tape is
// used only when more than `bytes` would be needed.
// What it costs. Two rows in memory for each one that waits: at most `bytes`, and a few kilobytes
// for each run. Each row is written once for each 64-fold of the runs, and read as often and twice.
// Agrees with sort_cells() and merge_neighbours() of all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/tick.hpp"
#include "table/row_source.hpp"

namespace sdclattice {

class CellRuns {
 public:
  CellRuns(std::size_t n_words, const Spill& spill, Tick tick);

  // n rows as those of Cells.
  void add(const std::uint64_t* rows, std::size_t n);
  // What was added, sorted and each key once. No more may be added; the source ends with this.
  std::unique_ptr<RowSource> source();
  // Whether anything went to the tape.
  bool has_spilled() const { return !levels_.empty(); }

 private:
  // Runs that are merged into one, so that not too many are read at a time.
  static constexpr std::size_t kMostRuns = 64;

  // Rows after which it is first seen whether keys come again.
  static constexpr std::size_t kFirstRows = std::size_t{1} << 16;

  void make_room(std::size_t n);
  void settle_in_time();
  void settle();
  void write_run();
  void merge_level(std::size_t level);
  void keep(std::size_t level, const Run& run);
  RowSources sources(const std::vector<Run>& runs);

  std::size_t n_words_;
  Spill spill_;
  Tick tick_;
  std::size_t most_rows_, settle_at_;
  Cells waiting_;
  // By how often they were merged already.
  std::vector<std::vector<Run>> levels_;
};

}  // namespace sdclattice
