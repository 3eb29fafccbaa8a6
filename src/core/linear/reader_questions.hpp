// One question to one part of a system: is there a table within some limits, narrower than those of
// the part, in which a cell is at or beyond a value? What readers know are such limits.
//
// Networks are asked by augmenting paths, small parts by the exact programme, and the others by
// sparse_questions.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/work_clock.hpp"
#include "linear/linear.hpp"
#include "linear/reader_search.hpp"
#include "linear/reader_witness.hpp"

namespace sdclattice {

enum class ReaderVerdict { open, closed, unsure };  // open: there is such a table

// The limits of a part, some of them narrowed: those of the cells `changed`.
struct NarrowedLimits {
  std::vector<std::int64_t> lower, upper;
  std::vector<std::uint32_t> changed;

  explicit NarrowedLimits(const LinearSystem& part) : lower(part.lower), upper(part.upper) {}
  // InfeasibleError when nothing is left of a cell's interval.
  void narrow(const std::vector<ReaderLimit>& known);
  void reset(const LinearSystem& part);
  LinearSystem applied(const LinearSystem& part) const;

  bool can_rise(std::size_t cell, const ReaderNeed& need) const {
    return need.high < kNoLimit && need.high <= upper[cell];
  }
  bool can_fall(std::size_t cell, const ReaderNeed& need) const { return need.low >= lower[cell]; }
};

// How hard a question is tried. `quick`: "closed" need not be found.
enum class Trial { quick, thorough, lengthy, complete };

class ReaderQuestions {
 public:
  virtual ~ReaderQuestions() = default;

  // InfeasibleError when no table is within the limits. Tables that turn up go into `found`.
  virtual ReaderVerdict ask(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits,
                            Trial trial, WitnessStore& found) = 0;
  // Whether tables found are near others, so that one that heeds no reader settles most questions.
  virtual bool is_local() const { return false; }
};

// For a part that is small, or a network.
std::unique_ptr<ReaderQuestions> exact_questions(const LinearSystem& part,
                                                 const ReaderSearchLimits& limits,
                                                 WorkClock& clock);

// By the bounds of the cell, where the numbers of the exact programme grow too large.
ReaderVerdict ask_bounds(const LinearSystem& known, std::size_t cell, const ReaderNeed& need,
                         const ReaderSearchLimits& limits, WorkClock& clock);

// What contradicts the table.
[[noreturn]] void throw_contradiction();

}  // namespace sdclattice
