// One part of a system for several searches (sparse_search.hpp), which may run on several threads.
//
// How many searches there are, and which ends each of them works on, does not depend on the number
// of threads. The open ends are dealt in batches: each search does its share by what it knows;
// then all tell each other what they found, in their order. So the results are the same for any
// number of threads. With one search it is as if there was no team.
// What it costs. Searches that do not hear of each other at once do some work twice: batches are
// small at first, when each table closes many ends, and larger later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/shared_end.hpp"
#include "base/work_clock.hpp"
#include "linear/bounds_knowledge.hpp"
#include "linear/linear.hpp"
#include "linear/sparse_search.hpp"

namespace sdclattice {

// An end of the interval of a cell.
struct CellEnd {
  std::uint32_t cell;
  int sign;
};

// Is the end still to be worked on? Not where it is known that the interval is at least `enough`
// wide, or not so wide.
bool wants(const Knowledge& known, const CellEnd& end, std::int64_t enough);

// Threads for a piece of work, and its end; without a pool there is one thread.
struct BoundsCrew {
  WorkerPool* pool = nullptr;
  SharedEnd* end = nullptr;
};

class SparseTeam {
 public:
  // Keeps references, as SparseSearch does. More than one search: a pool and a shared end.
  SparseTeam(const LinearSystem& part, const LinearSystem& implied, std::size_t n_searches,
             Knowledge& known, Effort& effort, WorkClock& watch, BoundsCrew crew);
  ~SparseTeam();

  // As SparseSearch::start() and want().
  bool start(const std::vector<std::int64_t>& truth, SearchLevel level);
  void want(const std::vector<std::uint32_t>& cells);
  // Works on ends by the methods of one level; of the last one, in the round that is given.
  void close(const std::vector<CellEnd>& ends, std::int64_t enough, SearchLevel level,
             std::size_t round);

 private:
  struct Member;
  std::vector<CellEnd> next(const std::vector<CellEnd>& ends, std::int64_t enough, std::size_t most,
                            std::size_t& at) const;
  void work(const std::vector<CellEnd>& dealt, std::int64_t enough, SearchLevel level,
            std::size_t round);
  void meet();
  void tell_tables(Knowledge heard);

  Knowledge& known_;
  Effort& effort_;
  WorkClock& watch_;
  BoundsCrew crew_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace sdclattice
