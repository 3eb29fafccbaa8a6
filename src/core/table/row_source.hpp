// Sorted cells that come block by block, and merging them.
//
// What is computed. The cells of several sources as one source in the order of the keys; a cell of
// several sources has the sum of their counts. Sources are merged two by two in a tree, each node
// of which has a block of its own that stays in the cache: memory is passed once, however many
// sources there are. A step of a merge has no branch that depends on the keys, for processors guess
// those of random keys wrong every other time.
// What it guarantees. Keys of a source ascend strictly; so do those of the result.
// What it costs. O(rows log2(sources)), and a block for each source and node.
// Agrees with a std::map of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "table/table.hpp"

namespace sdclattice {

class RowSource {
 public:
  // Rows as those of Cells, one after the other.
  struct Block {
    const std::uint64_t* rows = nullptr;
    std::size_t n = 0;
  };

  virtual ~RowSource() = default;
  // The next rows, which stay until the next call; none at the end.
  virtual Block next() = 0;
  // From the beginning again.
  virtual void rewind() = 0;
};
using RowSources = std::vector<std::unique_ptr<RowSource>>;

// Cells of a table, and rows of Cells; what they are made of must outlive them.
std::unique_ptr<RowSource> rows_of(const CellsView& cells, std::size_t n_words);
std::unique_ptr<RowSource> rows_of(const Cells& cells);

// Where runs of cells are kept while there is no memory for them: a tape that grows at its end and
// is read anywhere. The core says what is kept; whoever calls it has the tape, such as a file of
// the bridge.
class RunStore {
 public:
  virtual ~RunStore() = default;

  // Both throw when the tape fails; then nothing on it is used any more. append() gives the
  // position of the first of its words; those of the next call follow.
  virtual std::uint64_t append(const std::uint64_t* words, std::size_t n) = 0;
  // n words from position `at` on, all of which were appended.
  virtual void read(std::uint64_t at, std::uint64_t* words, std::size_t n) = 0;
};

// How much memory work on cells may take, and the tape for the rest. Without a tape all stays in
// memory.
struct Spill {
  RunStore* store = nullptr;
  std::size_t bytes = 0;
};

// Rows on a tape, `block` of them at a time.
struct Run {
  std::uint64_t at = 0;  // of its first word
  std::uint64_t n = 0;   // rows
};
std::unique_ptr<RowSource> rows_of(RunStore& store, const Run& run, std::size_t n_words,
                                   std::size_t block);

std::unique_ptr<RowSource> merged_rows(RowSources sources, std::size_t n_words);

// The number of rows of a source, which is at its beginning afterwards.
std::size_t count_rows(RowSource& source);

}  // namespace sdclattice
