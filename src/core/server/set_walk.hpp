// Sets of one number of variables, one after the other: those that hold given steps and lie inside
// of some bound. In lexicographic order of the steps that they add to those; a set comes before the
// sets that refine it.
#pragma once

#include <cstddef>
#include <vector>

#include "server/query_space.hpp"

namespace sdclattice {

// Goes only where some bound has variables enough left, so that each branch leads to a set.
class SetWalk {
 public:
  // All sets of `size` variables that hold `held`. With `after`, one of them, the walk begins
  // behind it.
  SetWalk(LevelSteps steps, std::vector<SubTable> bounds, SubTable held, std::size_t size);
  SetWalk(LevelSteps steps, std::vector<SubTable> bounds, SubTable held, std::size_t size,
          SubTable after);

  // Gives the next set; false at the end.
  bool next(SubTable& set);

 private:
  void step_in(std::uint32_t step);
  void step_back();
  std::size_t n_wanted() const { return size_ - steps_.n_variables_in(set_); }

  LevelSteps steps_;
  std::size_t size_ = 0;
  SubTable set_ = 0;   // `held` with what was chosen
  bool fresh_ = true;  // not given yet
  bool done_ = false;
  std::uint32_t next_ = 0;                     // step looked at next
  std::vector<std::uint32_t> chosen_;          // ascending
  std::vector<std::vector<SubTable>> bounds_;  // those that hold the first i chosen
};

// A page of a list of sets with their standings.
struct SpacePage {
  std::vector<SubTable> sets;
  std::vector<Standing> standings;
  bool more = false;  // there may be others
  SubTable last = 0;  // where the list goes on behind, when there may
};

// What is listed: sets of `size` variables that hold `held`; all of them or those of one standing.
struct SpaceQuestion {
  SubTable held = 0;
  std::size_t size = 0;
  bool all = true;
  Standing standing = Standing::open;
  bool to_operator = false;
};

// At most `limit` sets, from the walk's place on; `limit` is 1 at least.
SpacePage walk_space(const QuerySpace& space, const SpaceQuestion& asked, SetWalk& walk,
                     std::size_t limit);
// Around what is asked for: where the walk over it goes.
std::vector<SubTable> walk_bounds(const QuerySpace& space, const SpaceQuestion& asked);

}  // namespace sdclattice
