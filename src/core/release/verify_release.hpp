// Checks certificates of a release: two tables for each cell at risk, written as differences from
// the original. Shares no code with what searches for them: margins are summed up anew from the
// differences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "table/table.hpp"

namespace sdclattice {

// Certificate c is for the cell with key number target[c]; its two tables are the entries from
// start[2 c] up to start[2 c + 1] and from there up to start[2 c + 2]. An entry is the number of a
// key and the difference there. All numbers are 0-based; nothing about them is taken for granted.
struct CertificateList {
  const std::uint64_t* keys = nullptr;
  std::size_t n_keys = 0;
  const std::int32_t* target = nullptr;
  std::size_t n = 0;
  const double* start = nullptr;
  std::size_t n_start = 0;
  const std::int32_t* cell = nullptr;
  const std::int32_t* by = nullptr;
  std::size_t n_entries = 0;
};

enum class CertificateFault {
  none,
  damaged,   // numbers that lead nowhere, or keys of cells that the table does not have
  missing,   // a cell at risk has no certificate
  negative,  // a table has a negative count
  margin,    // a table differs from the original in a released margin
  narrow     // the two tables differ by too little at the cell
};

struct ReleaseCheck {
  CertificateFault fault = CertificateFault::none;  // what failed first
  std::size_t at = 0;                               // the cell at risk for which it did
  std::size_t margin = 0;         // the released margin, where that is what failed
  std::size_t n_failed = 0;       // cells at risk
  std::int64_t least_width = -1;  // over the cells whose certificates hold; -1 without any
};

// `margins`: the released sets, each a list of variables. `at_risk`: positions of stored cells.
// O(entries x margins), shared by `threads` threads; nothing that is found depends on how many.
ReleaseCheck check_certificates(const Layout& layout, const CellsView& cells,
                                const std::vector<std::uint32_t>& at_risk,
                                const std::vector<std::vector<std::uint32_t>>& margins,
                                std::int64_t beta, const CertificateList& list, const Tick& tick,
                                std::size_t threads = 1);

// The least count that any of the margins has at a cell at risk: no cell of the release is wider
// than that. INT64_MAX without margins or cells. O(stored cells x margins), by `threads` threads.
std::int64_t narrowest_margin(const Layout& layout, const CellsView& cells,
                              const std::vector<std::uint32_t>& at_risk,
                              const std::vector<std::vector<std::uint32_t>>& margins,
                              const Tick& tick, std::size_t threads);

}  // namespace sdclattice
