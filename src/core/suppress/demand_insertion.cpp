#include "suppress/demand_insertion.hpp"

#include <algorithm>
#include <set>

namespace sdclattice {

DemandGap DemandInsertion::gap(std::uint32_t demand) const {
  const auto given_up = given_up_.find(demand);
  if (given_up == given_up_.end()) return state_.gap(demand);
  const auto is_listed = [&](std::uint32_t reader) {
    const std::vector<std::uint32_t>& all = given_up->second;
    return std::find(all.begin(), all.end(), reader) != all.end();
  };
  const auto is_given_up = [&](std::uint32_t reader) {
    const std::vector<std::uint32_t>& others = included(problem_, reader);
    return is_listed(reader) || std::any_of(others.begin(), others.end(), is_listed);
  };
  if (is_listed(OpenDemand::kNobody)) return {};
  DemandGap out = state_.gap(demand);
  if (!out.is_open || out.knowers.empty()) return out;
  out.knowers.erase(std::remove_if(out.knowers.begin(), out.knowers.end(), is_given_up),
                    out.knowers.end());
  out.is_open = !out.knowers.empty();
  return out;
}

// In prices, with room for the small parts of prices that are no cost.
std::int64_t DemandInsertion::bound_of(std::int64_t budget) const {
  if (budget >= MoveTable::kForbidden / (4 * state_.scale())) return MoveTable::kForbidden;
  return (budget + 1) * state_.scale();
}

ScaledChange change_of_move(const ProductMove& move) {
  std::vector<MoveCell> cells = move.cells;
  std::sort(cells.begin(), cells.end(),
            [](const MoveCell& a, const MoveCell& b) { return a.cell < b.cell; });
  ScaledChange out;
  out.cell.reserve(cells.size());
  out.by.reserve(cells.size());
  for (const MoveCell& at : cells) {
    out.cell.push_back(at.cell);
    out.by.push_back(at.sign);
  }
  return out;
}

bool DemandInsertion::take_product(const MoveWish& wish) {
  found_ = change_of_move(search_.best());
  state_.set_range(found_);
  return wish.is_met(found_.plus, found_.minus);
}

bool DemandInsertion::find(std::uint32_t cell, const MoveWish& wish, std::int64_t bound,
                           const InsertionEffort& effort, PublicRandom& random) {
  bool any = search_.find(cells_.key(cell), wish, bound, effort.move, random) && take_product(wish);
  const bool walks =
      any ? effort.walk_always && search_.best().price >= state_.scale() : effort.walk.starts > 0;
  if (!walks) return any;
  if (walk_.find(cell, wish, any ? search_.best().price : bound, effort.walk, random)) {
    found_ = walk_.best();
    any = true;
  }
  return any;
}

// One change for all of it; one that adds to what is reached; one each way.
std::vector<DemandInsertion::Wishes> DemandInsertion::ways_of(const Demand& demand,
                                                              const DemandReach& reached) const {
  std::vector<Wishes> out{{{demand.up, demand.down, demand.slide}}};
  if (is_one_way(demand)) return out;
  if (reached.down > 0 && reached.down >= demand.down)
    out.push_back({{std::max(demand.up, demand.slide - reached.down), 0, 0}});
  if (reached.up > 0 && reached.up >= demand.up)
    out.push_back({{0, std::max(demand.down, demand.slide - reached.up), 0}});
  const std::int64_t least = std::max<std::int64_t>(demand.up, 1);
  const std::int64_t most = std::max(least, demand.slide - std::max<std::int64_t>(demand.down, 1));
  for (const std::int64_t up : std::set<std::int64_t>{least, least + (most - least) / 2, most}) {
    const std::int64_t down = std::max<std::int64_t>({demand.down, demand.slide - up, 1});
    out.push_back({{up, 0, 0}, {0, down, 0}});
  }
  return out;
}

bool DemandInsertion::add_all(std::uint32_t cell, const Wishes& wishes, std::int64_t most,
                              const InsertionEffort& effort, PublicRandom& random,
                              std::vector<std::uint32_t>& added) {
  return std::all_of(wishes.begin(), wishes.end(), [&](const MoveWish& wish) {
    if (state_.cost() > most) return false;
    if (!find(cell, wish, bound_of(most - state_.cost()), effort, random)) return false;
    added.push_back(state_.add(found_));
    return state_.cost() <= most;
  });
}

// The cheapest way against all of them: none of their cells may change.
bool DemandInsertion::close(std::uint32_t number, const std::vector<std::uint32_t>& knowers,
                            std::int64_t most, const InsertionEffort& effort,
                            PublicRandom& random) {
  MoveTable& table = state_.table();
  for (const std::uint32_t knower : knowers)
    for (const std::uint32_t cell : problem_.knowers[knower]) {
      forbidden_.emplace_back(cell, table.price[cell]);
      state_.forbid(cell);
    }
  const Demand& demand = problem_.demands[number];
  const std::int64_t before = state_.cost();
  std::vector<std::uint32_t> best, added;
  for (const Wishes& way : ways_of(demand, state_.joint_reach(number, knowers))) {
    added.clear();
    const bool whole = add_all(demand.cell, way, most, effort, random, added);
    const std::int64_t cost = state_.cost();
    for (const std::uint32_t change : added) state_.remove(change);
    if (!whole) continue;
    best = added;
    most = cost - 1;
    if (cost == before) break;
  }
  for (; !forbidden_.empty(); forbidden_.pop_back())
    table.price[forbidden_.back().first] = forbidden_.back().second;
  for (const std::uint32_t change : best) state_.put_back(change);
  return !best.empty();
}

bool DemandInsertion::meet(std::uint32_t demand, std::int64_t budget, const InsertionEffort& effort,
                           PublicRandom& random) {
  const std::int64_t most =
      budget >= INT64_MAX - state_.cost() ? INT64_MAX : state_.cost() + budget;
  for (DemandGap open = gap(demand); open.is_open; open = gap(demand)) {
    bool closed = close(demand, open.knowers, most, effort, random);
    if (!closed && open.knowers.size() > 1)
      closed = close(demand, {open.knowers.front()}, most, effort, random);
    if (!closed) return false;
  }
  return true;
}

bool DemandInsertion::take(std::uint32_t number, const DemandGuess& guess) {
  const DemandGap open = gap(number);
  if (!open.is_open) return true;
  if (guess.change.cell.empty() || guess.knowers != open.knowers) return false;
  const Demand& demand = problem_.demands[number];
  std::int64_t price = 0;
  for (const std::uint32_t cell : guess.change.cell)
    if (cell != demand.cell) price += state_.table().price[cell];
  if (price != guess.price && price >= state_.scale()) return false;
  ScaledChange change = guess.change;
  state_.set_range(change);
  if (!MoveWish{demand.up, demand.down, demand.slide}.is_met(change.plus, change.minus))
    return false;
  state_.add(std::move(change));
  return true;
}

void DemandInsertion::meet_or_give_up(std::uint32_t demand, const InsertionEffort& effort,
                                      PublicRandom& random, const std::function<bool()>& is_over) {
  while (!meet(demand, INT64_MAX, effort, random) && !is_over()) {
    const DemandGap open = gap(demand);
    given_up_[demand].push_back(open.knowers.empty() ? OpenDemand::kNobody : open.knowers.front());
  }
}

std::vector<std::uint32_t> DemandInsertion::review(bool all) {
  std::vector<std::uint32_t> out;
  for (auto at = given_up_.begin(); at != given_up_.end();) {
    const DemandGap open = state_.gap(at->first);
    if (open.is_open) out.push_back(at->first);
    if (open.is_open && !all) {
      at->second = open.knowers;
      if (at->second.empty()) at->second.push_back(OpenDemand::kNobody);
      ++at;
    } else {
      at = given_up_.erase(at);
    }
  }
  return out;
}

}  // namespace sdclattice
