// A table from cells that come in blocks, while its levels are still being found.
//
// What is computed. The cells of all blocks, of equal keys the sum of the counts. In the blocks a
// cell has for each variable a code: 1, 2, ... in the order in which its values were first seen. At
// the end the caller knows all values, and says which level each code is.
// Guarantee. Exact; TooLargeError when the grand total exceeds 2^53.
// What it costs. O(cells variables), and a sort at the end. Two rows a cell in memory, of a word
// for each word of the key and one for the count: 32 bytes for keys of one word. Where a cell may
// come more than once (`repeats`), cells are added up whenever there are half as many rows more.
// What is more than `spill` allows goes to its tape as it is, for its order will be another one
// when the levels are known; then it is read again, into runs (see cell_runs.hpp). Agrees with
// tabulate() of the blocks put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/cell_runs.hpp"
#include "table/table.hpp"

namespace sdclattice {

class CellStream {
 public:
  CellStream(std::size_t n_variables, bool repeats, const Spill& spill = {});

  // n cells: `codes` has n codes for each variable; counts are checked whole numbers.
  void add(const std::vector<const std::int32_t*>& codes, const double* counts, std::size_t n);
  std::size_t n_rows() const { return cells_.size(); }

  // The table, in which code c of variable v is level level_of[v][c - 1]. Nothing is left.
  // InputError when a code has no level of the table.
  Cells take(const Layout& to, const std::vector<std::vector<std::uint32_t>>& level_of,
             const Tick& tick);
  // The same for a stream that has spilled.
  bool has_spilled() const { return !batches_.empty(); }
  void take_in_runs(const Layout& to, const std::vector<std::vector<std::uint32_t>>& level_of,
                    CellRuns& runs);

 private:
  // Rows on the tape, and what their keys mean.
  struct Batch {
    Layout layout;
    Run rows;
  };

  void widen(const std::vector<const std::int32_t*>& codes, std::size_t n);
  void merge();
  void spill();
  void check_levels(const Layout& to,
                    const std::vector<std::vector<std::uint32_t>>& level_of) const;

  bool repeats_;
  std::vector<std::uint32_t> n_codes_;  // that were seen, for each variable
  Layout layout_;
  Cells cells_;
  std::uint64_t total_ = 0;
  std::size_t merge_at_;
  Spill spill_;
  std::vector<Batch> batches_;
};

}  // namespace sdclattice
