#include "suppress/region_search.hpp"

#include <algorithm>

namespace sdclattice {

std::vector<std::uint32_t> RegionSearch::region_of(std::uint32_t cell, PublicRandom& random) const {
  std::vector<std::uint32_t> out{cell};
  const std::size_t n = random.below(3) == 0 ? 1 + random.below(3) : 0;
  if (n == 0) return out;
  const std::vector<std::uint32_t> users = state_.users(cell);
  std::vector<std::uint32_t> others = state_.change(users[random.below(users.size())]).cell;
  random.shuffle(others.begin(), others.end());
  for (const std::uint32_t other : others)
    if (other != cell && problem_.role[other] == CellRole::candidate && out.size() <= n)
      out.push_back(other);
  return out;
}

bool RegionSearch::meet_all(std::vector<std::uint32_t>& demands, std::int64_t most,
                            PublicRandom& random, const std::function<bool()>& is_over) {
  InsertionEffort effort;
  effort.walk.starts = 3;
  effort.walk.move = {20, 6, 3000, 0.0};
  effort.walk_always = random.below(12) == 0;
  effort.move.skip = random.below(3) == 0 ? 0.3 : 0.0;
  random.shuffle(demands.begin(), demands.end());
  return std::all_of(demands.begin(), demands.end(), [&](std::uint32_t demand) {
    return state_.cost() <= most && !is_over() &&
           insertion_.meet(demand, most - state_.cost(), effort, random);
  });
}

bool RegionSearch::improve(std::uint32_t cell, PublicRandom& random,
                           const std::function<bool()>& is_over) {
  const std::vector<std::uint32_t> region = region_of(cell, random);
  const std::int64_t before = state_.cost();
  std::vector<std::uint32_t> removed, demands;
  for (const std::uint32_t given_up : region)
    for (const std::uint32_t number : state_.users(given_up)) removed.push_back(number);
  std::sort(removed.begin(), removed.end());
  removed.erase(std::unique(removed.begin(), removed.end()), removed.end());
  for (const std::uint32_t number : removed) {
    state_.remove(number);
    state_.add_demands_of(number, demands);
  }
  std::sort(demands.begin(), demands.end());
  demands.erase(std::unique(demands.begin(), demands.end()), demands.end());
  for (const std::uint32_t given_up : region)
    if (random.below(4) > (given_up == cell ? 0 : 1)) state_.forbid(given_up);
  const std::size_t first = state_.n_numbers();
  const bool good = meet_all(demands, before, random, is_over) && state_.cost() <= before;
  for (const std::uint32_t given_up : region) state_.allow(given_up);
  if (good) return true;
  for (auto number = static_cast<std::uint32_t>(first); number < state_.n_numbers(); ++number)
    if (state_.is_alive(number)) state_.remove(number);
  for (const std::uint32_t number : removed) state_.put_back(number);
  return false;
}

}  // namespace sdclattice
