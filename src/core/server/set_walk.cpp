#include "server/set_walk.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

namespace {

SubTable from_variable(std::uint32_t v) {
  return v < kMaxSubTableVariables ? ~SubTable{0} << v : 0;
}

}  // namespace

SetWalk::SetWalk(std::vector<SubTable> bounds, SubTable held, std::size_t size)
    : held_(held), wanted_(size - std::min(size, set_size(held))), bounds_(1) {
  for (SubTable bound : bounds)
    if (holds(bound, held) && set_size(bound) >= size) bounds_[0].push_back(bound & ~held);
  done_ = bounds_[0].empty() || size < set_size(held);
}

SetWalk::SetWalk(std::vector<SubTable> bounds, SubTable held, std::size_t size, SubTable after)
    : SetWalk(std::move(bounds), held, size) {
  if (done_) return;
  for (std::uint32_t v : as_set(after & ~held)) step_in(v);
  step_back();
}

bool SetWalk::next(SubTable& set) {
  while (!done_) {
    if (chosen_.size() == wanted_) {
      set = held_;
      for (std::uint32_t v : chosen_) set |= SubTable{1} << v;
      step_back();
      return true;
    }
    // from the next variable that some bound has
    SubTable left = 0;
    for (SubTable bound : bounds_.back()) left |= bound & from_variable(variable_);
    if (left == 0) {
      step_back();
    } else {
      step_in(static_cast<std::uint32_t>(__builtin_ctzll(left)));
    }
  }
  return false;
}

// Takes a variable if some bound that holds all that was chosen has it, and enough others behind
// it.
bool SetWalk::step_in(std::uint32_t v) {
  const std::size_t more = wanted_ - chosen_.size() - 1;
  std::vector<SubTable> holding;
  for (SubTable bound : bounds_.back())
    if ((bound >> v & 1) != 0 && set_size(bound & from_variable(v + 1)) >= more)
      holding.push_back(bound);
  variable_ = v + 1;
  if (holding.empty()) return false;
  chosen_.push_back(v);
  bounds_.push_back(std::move(holding));
  return true;
}

void SetWalk::step_back() {
  done_ = chosen_.empty();
  if (done_) return;
  variable_ = chosen_.back() + 1;
  chosen_.pop_back();
  bounds_.pop_back();
}

std::vector<SubTable> walk_bounds(const QuerySpace& space, const SpaceQuestion& asked) {
  if (asked.all) return {space.all_variables()};
  if (asked.standing == Standing::released) return space.state().released;
  if (asked.standing == Standing::open) return space.bounds();
  return {space.all_variables()};
}

SpacePage walk_space(const QuerySpace& space, const SpaceQuestion& asked, SetWalk& walk,
                     std::size_t limit) {
  SpacePage out;
  SubTable set = 0;
  for (std::size_t walked = 0; walk.next(set); ++walked) {
    const Standing standing = space.standing(set, asked.to_operator);
    const bool wanted = asked.all || standing == asked.standing;
    const bool full = out.sets.size() == limit;
    if (walked == kMaxWalked || (wanted && full)) {
      out.more = true;
      if (full) out.last = out.sets.back();
      return out;
    }
    out.last = set;
    if (!wanted) continue;
    out.sets.push_back(set);
    out.standings.push_back(standing);
  }
  return out;
}

}  // namespace sdclattice
