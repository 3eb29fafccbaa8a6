// Sets of variables of one size, one after the other, in lexicographic order: those that hold given
// variables and lie inside of some bound.
#pragma once

#include <cstddef>
#include <vector>

#include "server/query_space.hpp"

namespace sdclattice {

// Goes only where some bound has variables enough left, so that each branch ends in a set.
class SetWalk {
 public:
  // All sets of `size` variables that hold `held`. With `after`, one of them, the walk begins
  // behind it.
  SetWalk(std::vector<SubTable> bounds, SubTable held, std::size_t size);
  SetWalk(std::vector<SubTable> bounds, SubTable held, std::size_t size, SubTable after);

  // Gives the next set; false at the end.
  bool next(SubTable& set);

 private:
  bool step_in(std::uint32_t v);
  void step_back();

  SubTable held_;
  std::size_t wanted_ = 0;  // variables to choose
  bool done_ = false;
  std::uint32_t variable_ = 0;                 // looked at next
  std::vector<std::uint32_t> chosen_;          // ascending
  std::vector<std::vector<SubTable>> bounds_;  // those that hold the first i chosen, less `held`
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

// The most sets that one page looks at.
constexpr std::size_t kMaxWalked = 5000;

// At most `limit` sets, from the walk's place on; `limit` is 1 at least.
SpacePage walk_space(const QuerySpace& space, const SpaceQuestion& asked, SetWalk& walk,
                     std::size_t limit);
// Around what is asked for: where the walk over it goes.
std::vector<SubTable> walk_bounds(const QuerySpace& space, const SpaceQuestion& asked);

}  // namespace sdclattice
