// Limits of cells narrowed by rows, with a record of every step, so that what the narrow limits
// exclude is also excluded by one combination of rows over the limits that were given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

// The sum of times * row, by ascending rows. A row counts with its upper limit where `times` is
// positive, with its lower limit where it is negative. Where the sum of the limits is less than the
// sum of the cells can be, there is no solution.
struct Combination {
  std::vector<std::uint32_t> row;
  std::vector<std::int64_t> times;
};

class TracedLimits {
 public:
  // Keeps a reference to the system, whose limits are the first ones that are given.
  explicit TracedLimits(const LinearSystem& system);

  std::int64_t lower(std::size_t i) const { return lower_[i]; }
  std::int64_t upper(std::size_t i) const { return upper_[i]; }
  bool is_fixed(std::size_t i) const { return lower_[i] == upper_[i]; }
  const RowsByCell& rows_by_cell() const { return by_cell_; }

  // Gives a cell narrower limits.
  void give(std::size_t cell, std::int64_t lower, std::int64_t upper);
  // Narrows by all rows that something happened to. False when some row has become impossible, or
  // limits that were given have crossed: see conflict().
  bool propagate(const std::function<void()>& check, std::size_t max_visits);

  // What was done since a mark is undone.
  struct Mark {
    std::size_t n_steps, n_given;
  };
  Mark mark() const { return {steps_.size(), given_.size()}; }
  void undo(const Mark& mark);

  // What cannot be: a combination, as it was before a step. Without rows: given limits cross.
  struct Conflict {
    Combination rows;
    std::size_t before = SIZE_MAX;
  };
  const Conflict& conflict() const { return conflict_; }
  std::size_t n_steps() const { return steps_.size(); }

  // Undoes the steps of the narrowing inside a combination: each narrow limit is replaced by the
  // row that gave it. `proves`: the result excludes all solutions within the given limits. Where it
  // does not, a limit may have been rounded on the way: `rounded` is the first such step.
  struct Trace {
    bool proves = false;
    Combination rows;
    std::size_t rounded = SIZE_MAX;
  };
  Trace trace(const Conflict& conflict);

  // A step: the cell's limit on one side became `after`, by a row.
  struct Step {
    std::uint32_t cell = 0, row = UINT32_MAX;
    std::int64_t before = 0, after = 0, coefficient = 0;
    std::size_t earlier = SIZE_MAX;  // the step before it of this cell and side
    bool is_upper = false, is_rounded = false;
  };
  const Step& step(std::size_t s) const { return steps_[s]; }
  // The row of a step, and what was known before it.
  Conflict cause(std::size_t s) const;

 private:
  struct Given {
    std::uint32_t cell;
    std::int64_t lower, upper;
  };
  std::size_t side(std::size_t cell, bool is_upper) const { return 2 * cell + is_upper; }
  void set(std::size_t cell, bool is_upper, std::int64_t to, const Step& why);
  bool visit(std::uint32_t row);
  void apply(std::uint32_t row, std::size_t entry, bool by_upper, WideInt room);
  void wait_for(std::size_t cell);
  void forget_waiting();
  bool add(std::uint32_t row, WideInt times);
  bool replace(const Step& step);
  void look_back(std::size_t cell, std::size_t before);
  bool is_given(const Step& step) const;
  Combination collect();
  bool excludes(const Combination& rows) const;
  void clear_trace();

  const LinearSystem& system_;
  RowsByCell by_cell_;
  std::vector<std::int64_t> lower_, upper_;              // as narrowed
  std::vector<std::int64_t> given_lower_, given_upper_;  // as given
  std::vector<Given> given_;
  std::vector<Step> steps_;
  std::vector<std::size_t> last_;  // step of a side of a cell
  std::vector<std::uint32_t> queue_;
  std::vector<char> waits_;
  Conflict conflict_;
  // A combination that is being traced.
  std::vector<WideInt> times_, sum_;
  std::vector<std::uint32_t> rows_, cells_;
  std::vector<std::size_t> heap_;
};

}  // namespace sdclattice
