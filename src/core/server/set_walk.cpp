#include "server/set_walk.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"

namespace sdclattice {

namespace {

SubTable from_step(std::uint32_t step) {
  return step < kMaxSubTableVariables ? ~SubTable{0} << step : 0;
}

}  // namespace

SetWalk::SetWalk(LevelSteps steps, std::vector<SubTable> bounds, SubTable held, std::size_t size)
    : steps_(std::move(steps)), size_(size), set_(held), bounds_(1) {
  for (SubTable bound : bounds)
    if (holds(bound, held) && steps_.n_variables_in(bound) >= size) bounds_[0].push_back(bound);
  done_ = bounds_[0].empty() || size < steps_.n_variables_in(held);
}

SetWalk::SetWalk(LevelSteps steps, std::vector<SubTable> bounds, SubTable held, std::size_t size,
                 SubTable after)
    : SetWalk(std::move(steps), std::move(bounds), held, size) {
  if (done_) return;
  for (std::uint32_t step : as_set(after & ~held)) step_in(step);
  fresh_ = false;
}

bool SetWalk::next(SubTable& set) {
  while (!done_) {
    if (fresh_ && n_wanted() == 0) {
      fresh_ = false;
      set = set_;
      return true;
    }
    // with the next step that some bound has
    SubTable left = 0;
    for (SubTable bound : bounds_.back()) left |= bound;
    left &= steps_.next_steps(set_) & from_step(next_);
    if (n_wanted() == 0) left &= ~steps_.first_steps();
    if (left == 0) {
      step_back();
    } else {
      step_in(static_cast<std::uint32_t>(lowest_bit(left)));
    }
  }
  return false;
}

// Takes a step if some bound that holds all that was chosen has it, and enough other variables
// behind it.
void SetWalk::step_in(std::uint32_t step) {
  const SubTable with = set_ | SubTable{1} << step;
  const std::size_t wanted = size_ - steps_.n_variables_in(with);
  const SubTable behind = steps_.first_steps() & from_step(step + 1) & ~with;
  std::vector<SubTable> holding;
  for (SubTable bound : bounds_.back())
    if (holds(bound, with) && set_size(bound & behind) >= wanted) holding.push_back(bound);
  next_ = step + 1;
  if (holding.empty()) return;
  set_ = with;
  fresh_ = true;
  chosen_.push_back(step);
  bounds_.push_back(std::move(holding));
}

void SetWalk::step_back() {
  done_ = chosen_.empty();
  if (done_) return;
  next_ = chosen_.back() + 1;
  set_ &= ~(SubTable{1} << chosen_.back());
  fresh_ = false;
  chosen_.pop_back();
  bounds_.pop_back();
}

std::vector<SubTable> walk_bounds(const QuerySpace& space, const SpaceQuestion& asked) {
  if (asked.all) return {space.all_steps()};
  if (asked.standing == Standing::released) return space.state().released;
  if (asked.standing == Standing::open) return space.bounds();
  return {space.all_steps()};
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
