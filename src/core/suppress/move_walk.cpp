#include "suppress/move_walk.hpp"

#include <algorithm>

namespace sdclattice {

namespace {

// The share of directions that walks after the first leave out at their first step.
constexpr double kSkip = 0.3;

}  // namespace

MoveWalk::MoveWalk(const StoredCells& cells, PatternState& state, ProductMoveSearch& search)
    : cells_(cells),
      state_(state),
      search_(search),
      change_(cells.n_cells(), 0),
      is_touched_(cells.n_cells(), 0) {}

// ---- the change of a walk ----------------------------------------------------------------------

void MoveWalk::change(const MoveCell& at, std::int64_t by) {
  MoveTable& table = state_.table();
  if (at.cell != StoredCells::kNone) {
    if (!is_touched_[at.cell]) touched_.emplace_back(at.cell, table.price[at.cell]);
    is_touched_[at.cell] = 1;
    change_[at.cell] += by;
    return;
  }
  const auto found = std::find_if(zeros_.begin(), zeros_.end(),
                                  [&](const auto& zero) { return zero.first == at.key; });
  if (found == zeros_.end())
    zeros_.emplace_back(at.key, by);
  else if ((found->second += by) == 0)
    zeros_.erase(found);
}

// What is changed already is free; what is no longer changed has its own price again.
void MoveWalk::apply(const ProductMove& move, std::int64_t times) {
  MoveTable& table = state_.table();
  for (const MoveCell& at : move.cells) change(at, times * at.sign);
  for (const auto& touched : touched_)
    table.price[touched.first] = change_[touched.first] == 0 ? touched.second : 0;
  table.price[cell_] = MoveTable::kForbidden;
  table.free_zeros.clear();
  for (const auto& zero : zeros_) table.free_zeros.push_back(zero.first);
}

void MoveWalk::forget() {
  MoveTable& table = state_.table();
  for (const auto& touched : touched_) {
    table.price[touched.first] = touched.second;
    change_[touched.first] = 0;
    is_touched_[touched.first] = 0;
  }
  touched_.clear();
  zeros_.clear();
  table.free_zeros.clear();
}

// Takes the change over when it is one, is as wished, and costs less than the best.
bool MoveWalk::judge() {
  if (!zeros_.empty()) return false;
  std::vector<std::pair<std::uint32_t, std::int64_t>> changed;
  std::int64_t price = 0;
  for (const auto& touched : touched_) {
    const std::int64_t by = change_[touched.first];
    if (by == 0) continue;
    if (by < INT32_MIN / 2 || by > INT32_MAX / 2) return false;
    changed.emplace_back(touched.first, by);
    if (touched.first != cell_) price += touched.second;
  }
  std::sort(changed.begin(), changed.end());
  now_.cell.clear();
  now_.by.clear();
  for (const auto& cell : changed) {
    now_.cell.push_back(cell.first);
    now_.by.push_back(static_cast<std::int32_t>(cell.second));
  }
  state_.set_range(now_);
  if (price >= bound_ || !wish_.is_met(now_.plus, now_.minus)) return false;
  bound_ = price;
  best_ = now_;
  return true;
}

// ---- debts -------------------------------------------------------------------------------------

// Cells that a multiple of this sign would move below their limits.
void MoveWalk::list_falls(std::int8_t sign, std::vector<std::uint32_t>& out) const {
  const std::int64_t times = std::max<std::int64_t>(1, sign > 0 ? wish_.up : wish_.down);
  for (const auto& touched : touched_) {
    const std::int64_t by = change_[touched.first] * sign;
    if (by < 0 && touched.first != cell_ && state_.table().slack[touched.first] / times < -by)
      out.push_back(touched.first);
  }
}

// The changed cells that are dearest to hide.
void MoveWalk::list_dear(std::vector<std::uint32_t>& out) const {
  std::int64_t dearest = state_.scale() / 2;
  for (const auto& touched : touched_) {
    if (change_[touched.first] == 0 || touched.first == cell_ || touched.second < dearest) continue;
    if (touched.second > dearest) out.clear();
    dearest = touched.second;
    out.push_back(touched.first);
  }
}

bool MoveWalk::next_debt(PublicRandom& random, std::uint64_t& key, std::int64_t& owed) {
  if (!zeros_.empty()) {
    const auto& zero = zeros_[random.below(zeros_.size())];
    key = zero.first;
    owed = zero.second;
    return true;
  }
  std::vector<std::uint32_t> up, down;
  list_falls(1, up);
  list_falls(-1, down);
  const bool upwards = wish_.up > 0 || (wish_.down == 0 && up.size() <= down.size());
  std::vector<std::uint32_t> from = upwards ? std::move(up) : std::move(down);
  if (from.empty()) list_dear(from);
  if (from.empty()) return false;
  const std::uint32_t cell = from[random.below(from.size())];
  key = cells_.key(cell);
  owed = change_[cell];
  return true;
}

// ---- walks -------------------------------------------------------------------------------------

void MoveWalk::walk(const MoveWalkEffort& effort, double skip, PublicRandom& random) {
  MoveEffort move = effort.move;
  const std::int64_t start_bound = std::min(MoveTable::kForbidden, bound_ * 2);
  std::uint64_t key = cells_.key(cell_);
  std::int64_t owed = -1;
  for (std::size_t step = 0; step < effort.steps; ++step) {
    move.skip = step == 0 ? skip : skip / 3;
    if (!search_.find(key, {0, 0, 0}, start_bound, move, random)) break;
    apply(search_.best(), -owed);
    judge();
    if (!next_debt(random, key, owed)) break;
  }
  forget();
}

bool MoveWalk::find(std::uint32_t cell, const MoveWish& wish, std::int64_t bound,
                    const MoveWalkEffort& effort, PublicRandom& random) {
  cell_ = cell;
  wish_ = wish;
  bound_ = std::min(bound, MoveTable::kForbidden);
  best_.cell.clear();
  MoveTable& table = state_.table();
  const std::int64_t price = table.price[cell];
  for (std::size_t start = 0; start < effort.starts; ++start) {
    // two or three zeros are worth what the best change costs
    const std::int64_t worth = bound_ < MoveTable::kForbidden ? bound_ : 4 * state_.usual_price();
    table.price_of_zero = worth / static_cast<std::int64_t>(2 + start % 3) + 1;
    walk(effort, start == 0 ? 0.0 : kSkip, random);
    table.price[cell] = price;
  }
  table.price_of_zero = MoveTable::kForbidden;
  return !best_.cell.empty();
}

}  // namespace sdclattice
