// Records of contributors, grouped by cell.
//
// What is computed. The contributors of each cell, in the order that Contributors asks for; records
// of one holder in one cell are added up. Records are dealt into ranges of cells first, by their
// numbers alone; then each range is sorted and added up by one thread, in the cache and in place.
// What it guarantees. Sums are of whole numbers, in the order of the records: the same contributors
// with any number of threads. TooLargeError for a sum beyond 64 bits, and beyond 2^32 - 1 records.
// What it costs. O(n bits) for n records, and a sort inside each cell. Memory beyond the records
// and the result: 16 bytes a record, or 24 where cells have numbers of 2^32 and more.
// Agrees with a map of maps in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "magnitude/sensitivity.hpp"

namespace sdclattice {

Contributors group_contributors(const std::vector<std::int64_t>& cell,
                                const std::vector<std::int32_t>& holder,
                                const std::vector<std::int64_t>& value, std::size_t threads = 1);

// Memory for the result, as whole numbers of type double, from whoever asks for it: `start` has
// room for one more than the cells. Called once, by the caller's thread.
struct ContributorRoom {
  double* cell = nullptr;
  double* start = nullptr;
  double* value = nullptr;
  std::int32_t* holder = nullptr;
};
using ContributorSink = std::function<ContributorRoom(std::size_t n_cells, std::size_t n)>;

// n of each, which somebody else owns.
void group_contributors(const double* cell, const std::int32_t* holder, const double* value,
                        std::size_t n, std::size_t threads, const ContributorSink& sink);

}  // namespace sdclattice
