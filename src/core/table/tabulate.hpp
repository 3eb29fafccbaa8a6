// Counting records.
//
// What is computed. The non-zero cells of the records of a table, in the order of their keys.
// Where the array of all cells is small, each thread counts into one of its own, and these are
// added up. Else a batch of records is read part by part, and the rows of each part are sorted into
// ranges of keys; then one thread at a time counts a range, in its piece of the array of all cells
// where that is not much larger than the records, or by sorting rows and merging them with the
// cells that are there (see record_counts.hpp). The ranges one after the other are the table.
// What it guarantees. All sums are of whole numbers: the same table with any number of threads.
// What it costs. Time O(records variables + records bits), shared by the threads. Memory beyond the
// data: O(non-zero cells), up to 4 bytes a record or 64 MB for the array of all cells, 4 to 16 MB
// and more for a batch of 2^20 records, and 2 MB for each thread.
// Agrees with the counts of a table of pasted labels, which the tests compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/cell_runs.hpp"
#include "table/cell_sink.hpp"
#include "table/record_reader.hpp"
#include "table/table.hpp"

namespace sdclattice {

// Counts n records, each with its weight (1 when `weights` is null; checked whole numbers). When
// some record has no level, returns how many such records there are for each variable, and `sink`
// is not called.
std::vector<std::size_t> tabulate(const Layout& layout, const std::vector<Column>& columns,
                                  std::size_t n, const double* weights, std::size_t threads,
                                  const Tick& tick, const CellSink& sink);

// The same into `runs`, block by block, for tables that are too large to be counted in memory. By
// one thread: the sorting of runs, not the reading of records, takes the time. Returns, when some
// record has no level, for each variable how many such records there are; then `runs` mean nothing.
std::vector<std::size_t> tabulate_in_runs(const Layout& layout, const std::vector<Column>& columns,
                                          std::size_t n, const double* weights, CellRuns& runs);

// The place of each record in the array of all cells, which has at most 2^53. Returns, as above,
// for each variable how many records have no level, when there are such records; then places mean
// nothing.
std::vector<std::size_t> place_records(const Layout& layout, const std::vector<Column>& columns,
                                       std::size_t n, std::size_t threads, const Tick& tick,
                                       double* places);

}  // namespace sdclattice
