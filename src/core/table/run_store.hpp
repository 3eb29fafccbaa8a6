// Where sorted runs of cells are kept while there is no memory for them: a tape that grows at its
// end and is read anywhere. The core says what is kept; whoever calls it has the tape, such as a
// file of the bridge.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdclattice {

class RunStore {
 public:
  virtual ~RunStore() = default;

  // Both throw when the tape fails; then nothing on it is used any more. append() gives the position
  // of the first of its words; those of the next call follow.
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

}  // namespace sdclattice
