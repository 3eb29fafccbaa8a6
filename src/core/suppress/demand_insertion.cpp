#include "suppress/demand_insertion.hpp"

#include <algorithm>

namespace sdclattice {

DemandGap DemandInsertion::gap(std::uint32_t demand) const {
  const std::vector<std::uint32_t>& given_up = given_up_[demand];
  const auto is_given_up = [&](std::uint32_t reader) {
    return std::find(given_up.begin(), given_up.end(), reader) != given_up.end();
  };
  if (is_given_up(OpenDemand::kNobody)) return {};
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

bool DemandInsertion::take_product(const MoveWish& wish) {
  std::vector<MoveCell> cells = search_.best().cells;
  std::sort(cells.begin(), cells.end(),
            [](const MoveCell& a, const MoveCell& b) { return a.cell < b.cell; });
  found_.cell.clear();
  found_.by.clear();
  for (const MoveCell& at : cells) {
    found_.cell.push_back(at.cell);
    found_.by.push_back(at.sign);
  }
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

// One change for all of them: none of their cells may change.
bool DemandInsertion::close(std::uint32_t number, const std::vector<std::uint32_t>& knowers,
                            std::int64_t bound, const InsertionEffort& effort,
                            PublicRandom& random) {
  MoveTable& table = state_.table();
  for (const std::uint32_t knower : knowers)
    for (const std::uint32_t cell : problem_.knowers[knower]) {
      forbidden_.emplace_back(cell, table.price[cell]);
      state_.forbid(cell);
    }
  const Demand& demand = problem_.demands[number];
  const MoveWish all{demand.up, demand.down, demand.slide};
  const MoveWish parts[] = {{demand.up, 0, 0}, {0, demand.down, 0}};
  std::vector<ScaledChange> changes;
  if (find(demand.cell, all, bound, effort, random)) {
    changes.push_back(found_);
  } else if (demand.up > 0 && demand.down > 0 && demand.up + demand.down >= demand.slide) {
    for (const MoveWish& part : parts)
      if (find(demand.cell, part, bound, effort, random)) changes.push_back(found_);
    if (changes.size() < 2) changes.clear();
  }
  for (; !forbidden_.empty(); forbidden_.pop_back())
    table.price[forbidden_.back().first] = forbidden_.back().second;
  for (ScaledChange& change : changes) state_.add(std::move(change));
  return !changes.empty();
}

bool DemandInsertion::meet(std::uint32_t demand, std::int64_t budget, const InsertionEffort& effort,
                           PublicRandom& random) {
  const std::int64_t most =
      budget >= INT64_MAX - state_.cost() ? INT64_MAX : state_.cost() + budget;
  for (DemandGap open = gap(demand); open.is_open; open = gap(demand)) {
    const std::int64_t bound = bound_of(most - state_.cost());
    bool closed = close(demand, open.knowers, bound, effort, random);
    if (!closed && open.knowers.size() > 1)
      closed = close(demand, {open.knowers.front()}, bound, effort, random);
    if (!closed || state_.cost() > most) return false;
  }
  return true;
}

void DemandInsertion::meet_or_give_up(std::uint32_t demand, const InsertionEffort& effort,
                                      PublicRandom& random) {
  while (!meet(demand, INT64_MAX, effort, random)) {
    const DemandGap open = gap(demand);
    given_up_[demand].push_back(open.knowers.empty() ? OpenDemand::kNobody : open.knowers.front());
  }
}

std::vector<std::uint32_t> DemandInsertion::review(bool all) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t demand = 0; demand < given_up_.size(); ++demand) {
    std::vector<std::uint32_t>& given_up = given_up_[demand];
    if (given_up.empty()) continue;
    given_up.clear();
    const DemandGap open = state_.gap(demand);
    if (!open.is_open) continue;
    out.push_back(demand);
    if (all) continue;
    given_up = open.knowers;
    if (given_up.empty()) given_up.push_back(OpenDemand::kNobody);
  }
  return out;
}

}  // namespace sdclattice
