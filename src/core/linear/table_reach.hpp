// How far the cells of a system can move: between what no table exceeds, and what tables attain
// that are at hand. Where one table is known the search starts from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/work_clock.hpp"
#include "linear/linear.hpp"
#include "linear/presolve.hpp"
#include "linear/sparse_search.hpp"

namespace sdclattice {

constexpr SearchLevel kSearchLevels[] = {SearchLevel::walks, SearchLevel::near,
                                         SearchLevel::wide,  SearchLevel::whole,
                                         SearchLevel::dives, SearchLevel::complete};

class TableReach {
 public:
  // The system is presolved at once; its parts get a search when a cell of theirs is asked about.
  // `table`: of the system, or empty. The clock must live as long.
  TableReach(const LinearSystem& system, std::vector<std::int64_t> table, WorkClock& clock);
  ~TableReach();

  struct Ends {
    std::int64_t lower, upper, least, most;
  };
  Ends ends(std::uint32_t cell) const;
  // Looks for a table where none is known. False when none was found; InfeasibleError when it is
  // proved that there is none.
  bool find_table(SearchLevel level);
  // Works on the largest value (sign 1) or the least (-1) of a cell by the methods of one level.
  void close(std::uint32_t cell, int sign, SearchLevel level);
  // Is there a table with sign * x[cell] >= sign * target? By all levels up to `last`.
  Reach reaches(std::uint32_t cell, int sign, std::int64_t target, SearchLevel last);
  // Of the tables that are kept, the one in which sign times the cell is largest; empty when there
  // is none.
  std::vector<std::int64_t> table(std::uint32_t cell, int sign) const;
  std::size_t n_programmes() const;

 private:
  struct Part;

  Part& part_of(std::size_t p);

  Presolved small_;
  std::vector<std::int64_t> table_;
  WorkClock& clock_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace sdclattice
