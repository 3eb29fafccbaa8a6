// A tape in memory, and one that fails.
#pragma once

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "table/row_source.hpp"

namespace tapes {

using namespace sdclattice;

struct Tape : RunStore {
  std::vector<std::uint64_t> words;
  std::size_t most = SIZE_MAX;  // words that it can hold
  std::size_t n_appended = 0, n_read = 0;

  std::uint64_t append(const std::uint64_t* from, std::size_t n) override {
    if (words.size() + n > most) throw TooLargeError("The tape is full.");
    ++n_appended;
    words.insert(words.end(), from, from + n);
    return words.size() - n;
  }
  void read(std::uint64_t at, std::uint64_t* to, std::size_t n) override {
    ++n_read;
    if (at + n > words.size()) throw InputError("The tape is shorter.");
    std::copy_n(words.data() + at, n, to);
  }
};

inline Cells all_rows(RowSource& source, std::size_t n_words) {
  Cells out(n_words);
  for (RowSource::Block block = source.next(); block.n > 0; block = source.next())
    out.rows.insert(out.rows.end(), block.rows, block.rows + block.n * out.stride);
  return out;
}

}  // namespace tapes
