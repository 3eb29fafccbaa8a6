// Cells in the order of their keys.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "table/cell_sink.hpp"
#include "table/table.hpp"

namespace sdclattice {

bool is_sorted(const Cells& cells);

// Sorts by key: least significant digits first, some 9 bits at a time, only from the lowest to the
// highest bit of a word in which keys differ. `room` is for the rows on their way; it may be used
// again.
// Cost: O(n bits / 9), and a second copy of the rows. Agrees with std::sort.
void sort_cells(Cells& cells, std::vector<std::uint64_t>& room);
void sort_cells(Cells& cells);

// The same for keys of n_words words without counts, one after the other.
void sort_keys(std::vector<std::uint64_t>& keys, std::size_t n_words,
               std::vector<std::uint64_t>& room);

// Sorted keys as cells: how often each is there.
void count_sorted(const std::vector<std::uint64_t>& keys, Cells& cells);

// Adds up sorted neighbours with the same key. Sums stay below the grand total, which was checked.
void merge_neighbours(Cells& cells);

// The cells of two sorted tables. A cell of both has the same count in both, and is taken once.
Cells united(const Cells& a, const Cells& b);

// Adds the counts of a sorted table to another one, which stays sorted: O(cells of both). `room` as
// for sorting. Sums stay below the grand total, which was checked.
void add_sorted(Cells& to, const Cells& more, std::vector<std::uint64_t>& room);

// Tables one after the other into room of the caller's, each freed when it is copied: all keys of
// one before those of the next.
void write_joined(std::vector<Cells>& pieces, WorkerPool& pool, const CellSink& sink);

}  // namespace sdclattice
