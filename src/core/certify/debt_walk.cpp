#include "certify/debt_walk.hpp"

#include <algorithm>
#include <cassert>

#include "base/bits.hpp"

namespace sdclattice {

DebtWalk::DebtWalk(const ComponentTable& table)
    : table_(table), search_(table), is_touched_(table.count.size(), 0) {
  walk_.now = table.count;
  walk_.price.resize(table.count.size());
  forget();
}

void DebtWalk::forget() {
  before_.clear();
  walk_.learned.assign(walk_.now.size(), 1);
  for (std::size_t i = 0; i < walk_.now.size(); ++i) walk_.price[i] = walk_.now[i] > 0 ? 0 : 1;
}

void DebtWalk::set_learned(std::uint32_t cell, std::int16_t cost) {
  walk_.learned[cell] = cost;
  walk_.price[cell] = walk_.now[cell] > 0 ? std::int16_t{0} : cost;
}

Lessons DebtWalk::take_lessons() {
  Lessons out;
  out.reserve(before_.size());
  for (const Lesson& b : before_) out.push_back({b.cell, walk_.learned[b.cell]});
  for (auto b = before_.rbegin(); b != before_.rend(); ++b) set_learned(b->cell, b->cost);
  before_.clear();
  return out;
}

void DebtWalk::know(const Lessons& lessons) {
  for (const Lesson& lesson : lessons)
    if (lesson.cost > walk_.learned[lesson.cell]) set_learned(lesson.cell, lesson.cost);
}

void DebtWalk::know(const std::vector<std::int16_t>& costs) {
  for (std::size_t i = 0; i < costs.size(); ++i)
    set_learned(static_cast<std::uint32_t>(i), costs[i]);
}

void DebtWalk::move_on(const std::vector<MoveSet>& sets, bool forget_all) {
  search_.move_on(sets);
  walk_.used.assign(sets.size(), 0);
  if (forget_all) forget();
}

namespace {

// Of the cells of a move from one cell, by the bits of what is changed.
bool falls(std::size_t changed, bool up) {
  return ((count_bits(changed) & 1) != 0) == up;
}

}  // namespace

void DebtWalk::change(std::uint32_t cell, std::int32_t by) {
  if (!is_touched_[cell]) {
    is_touched_[cell] = 1;
    touched_.push_back(cell);
  }
  const std::int32_t before = walk_.now[cell];
  walk_.now[cell] += by;
  walk_.price[cell] = walk_.now[cell] > 0 ? 0 : walk_.learned[cell];
  if (before >= 0 && walk_.now[cell] < 0) {
    walk_.debts.push_back(cell);
  } else if (before < 0 && walk_.now[cell] >= 0) {
    walk_.debts.erase(std::find(walk_.debts.begin(), walk_.debts.end(), cell));
  }
}

void DebtWalk::undo() {
  for (std::uint32_t cell : touched_) {
    walk_.now[cell] = table_.count[cell];
    walk_.price[cell] = walk_.now[cell] > 0 ? 0 : walk_.learned[cell];
    is_touched_[cell] = 0;
  }
  touched_.clear();
  walk_.debts.clear();
  walk_.any_paid = false;
  std::fill(walk_.used.begin(), walk_.used.end(), 0);
}

void DebtWalk::write(std::uint32_t cell, std::int32_t borrowed, CellChanges& out) const {
  out.clear();
  for (std::uint32_t c : touched_) {
    const std::int32_t by = walk_.now[c] - table_.count[c] + (c == cell ? borrowed : 0);
    if (by != 0) out.push_back({c, by});
  }
}

bool DebtWalk::raise(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
                     PublicRandom& random, CellChanges& out) {
  const std::size_t stop = n_looks() + effort.looks;
  for (std::size_t r = 0; r < effort.restarts && n_looks() < stop && !must_stop_(); ++r) {
    change(cell, -target);
    const bool found = repay(effort.steps, stop, random);
    if (found) write(cell, target, out);
    undo();
    if (found) return true;
  }
  return false;
}

// Moves that take one record each from the cell; it must not rise again.
bool DebtWalk::lower(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
                     PublicRandom& random, CellChanges& out) {
  const std::size_t stop = n_looks() + effort.looks;
  for (std::size_t r = 0; r < effort.restarts && n_looks() < stop && !must_stop_(); ++r) {
    bool found = true;
    walk_.barred = cell;
    while (found && walk_.now[cell] > target) {
      found = search_.find(walk_, cell, false, random);
      if (found) apply_move(cell, false);
    }
    found = found && repay(effort.steps, stop, random);
    if (found) write(cell, 0, out);
    walk_.barred = UINT32_MAX;
    undo();
    if (found) return true;
  }
  return false;
}

bool DebtWalk::repay(std::size_t max_steps, std::size_t max_looks, PublicRandom& random) {
  for (std::size_t step = 0; step < max_steps && n_looks() < max_looks; ++step) {
    if (walk_.debts.empty()) return true;
    if (must_stop_()) return false;
    const std::uint32_t cell = pick_debt(random);
    if (!search_.find(walk_, cell, true, random)) return false;
    learn(cell);
    apply_move(cell, true);
  }
  return walk_.debts.empty();
}

// Mostly the newest debt.
std::uint32_t DebtWalk::pick_debt(PublicRandom& random) {
  const bool newest = walk_.debts.size() == 1 || random.below(10) >= 3;
  return newest ? walk_.debts.back() : walk_.debts[random.below(walk_.debts.size())];
}

// A debt costs more than what its cheapest move leaves to be repaid.
void DebtWalk::learn(std::uint32_t cell) {
  const std::int32_t cost = std::min(kHopeless, 1 + search_.best_cost());
  if (cost <= walk_.learned[cell]) return;
  before_.push_back({cell, walk_.learned[cell]});
  walk_.learned[cell] = static_cast<std::int16_t>(cost);
}

// A move that leaves no debt is repeated as often as it is wanted and can be.
void DebtWalk::apply_move(std::uint32_t cell, bool up) {
  const MoveSearch::Move& move = search_.best();
  const auto id = static_cast<std::size_t>(move.set);
  walk_.used[id] = 1;
  walk_.any_paid = walk_.any_paid || search_.sets()[id].penalty > 0;
  const std::size_t n = std::size_t{1} << move.shifts.size();
  std::int32_t times = up ? -walk_.now[cell] : 1;
  box_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t z = cell;
    for (std::size_t k = 0; k < move.shifts.size(); ++k)
      if (i >> k & 1) z += static_cast<std::uint32_t>(move.shifts[k]);
    box_[i] = z;
    if (falls(i, up) && walk_.now[z] > 0) times = std::min(times, walk_.now[z]);
  }
  assert(times > 0);
  for (std::size_t i = 0; i < n; ++i) change(box_[i], falls(i, up) ? -times : times);
}

}  // namespace sdclattice
