#include "certify/debt_walk.hpp"

#include <algorithm>

namespace sdclattice {

DebtWalk::DebtWalk(const ComponentTable& table)
    : table_(table),
      now_(table.count),
      learned_(table.count.size(), 1),
      price_(table.count.size()),
      is_touched_(table.count.size(), 0),
      shifts_(table.size()) {
  for (std::size_t i = 0; i < now_.size(); ++i) price_[i] = now_[i] > 0 ? 0 : 1;
}

void DebtWalk::move_on(const std::vector<MoveSet>& sets, bool forget) {
  sets_ = sets;
  used_.assign(sets.size(), 0);
  nodes_.clear();
  root_ = -1;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    insert(sets[i].set, static_cast<std::int32_t>(i));
    longest = std::max(longest, set_size(sets[i].set));
  }
  even_.assign(std::size_t{1} << longest, 0);
  odd_.assign(std::size_t{1} << longest, 0);
  path_.assign(longest, 0);
  if (!forget) return;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    learned_[i] = 1;
    price_[i] = now_[i] > 0 ? 0 : 1;
  }
}

namespace {

// Of the cells of a move from one cell, by the bits of what is changed.
bool falls(std::size_t changed, bool up) {
  return ((__builtin_popcountll(changed) & 1) != 0) == up;
}

}  // namespace

// A tree of the sets, each in ascending order.
void DebtWalk::insert(LocalSet set, std::int32_t id) {
  std::int32_t parent = -1;
  for (std::uint32_t v = 0; v < table_.size(); ++v) {
    if (!(set >> v & 1)) continue;
    std::int32_t at = parent < 0 ? root_ : nodes_[static_cast<std::size_t>(parent)].child;
    while (at >= 0 && nodes_[static_cast<std::size_t>(at)].variable != v)
      at = nodes_[static_cast<std::size_t>(at)].next;
    if (at < 0) {
      at = static_cast<std::int32_t>(nodes_.size());
      Node node;
      node.variable = v;
      node.penalty = sets_[static_cast<std::size_t>(id)].penalty;
      std::int32_t& head = parent < 0 ? root_ : nodes_[static_cast<std::size_t>(parent)].child;
      node.next = head;
      head = at;
      nodes_.push_back(node);
    }
    Node& here = nodes_[static_cast<std::size_t>(at)];
    here.penalty = std::min(here.penalty, sets_[static_cast<std::size_t>(id)].penalty);
    parent = at;
  }
  nodes_[static_cast<std::size_t>(parent)].set = id;
}

void DebtWalk::change(std::uint32_t cell, std::int32_t by) {
  if (!is_touched_[cell]) {
    is_touched_[cell] = 1;
    touched_.push_back(cell);
  }
  const std::int32_t before = now_[cell];
  now_[cell] += by;
  price_[cell] = now_[cell] > 0 ? 0 : learned_[cell];
  if (before >= 0 && now_[cell] < 0) {
    debts_.push_back(cell);
  } else if (before < 0 && now_[cell] >= 0) {
    debts_.erase(std::find(debts_.begin(), debts_.end(), cell));
  }
}

void DebtWalk::undo() {
  for (std::uint32_t cell : touched_) {
    now_[cell] = table_.count[cell];
    price_[cell] = now_[cell] > 0 ? 0 : learned_[cell];
    is_touched_[cell] = 0;
  }
  touched_.clear();
  debts_.clear();
  any_paid_ = false;
  std::fill(used_.begin(), used_.end(), 0);
}

void DebtWalk::write(std::uint32_t cell, std::int32_t borrowed, TableChange& out) const {
  out.clear();
  for (std::uint32_t c : touched_) {
    const std::int32_t by = now_[c] - table_.count[c] + (c == cell ? borrowed : 0);
    if (by != 0) out.push_back({c, by});
  }
}

bool DebtWalk::raise(std::uint32_t cell, std::int32_t target, const WalkEffort& effort,
                     PublicRandom& random, TableChange& out) {
  const std::size_t stop = n_looks_ + effort.looks;
  for (std::size_t r = 0; r < effort.restarts && n_looks_ < stop; ++r) {
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
                     PublicRandom& random, TableChange& out) {
  const std::size_t stop = n_looks_ + effort.looks;
  for (std::size_t r = 0; r < effort.restarts && n_looks_ < stop; ++r) {
    bool found = true;
    barred_ = cell;
    while (found && now_[cell] > target) {
      found = find_move(cell, false, random);
      if (found) apply_move(cell, false);
    }
    found = found && repay(effort.steps, stop, random);
    if (found) write(cell, 0, out);
    barred_ = UINT32_MAX;
    undo();
    if (found) return true;
  }
  return false;
}

bool DebtWalk::repay(std::size_t max_steps, std::size_t max_looks, PublicRandom& random) {
  for (std::size_t step = 0; step < max_steps && n_looks_ < max_looks; ++step) {
    if (debts_.empty()) return true;
    const std::uint32_t cell = pick_debt(random);
    if (!find_move(cell, true, random)) return false;
    learn(cell);
    apply_move(cell, true);
  }
  return debts_.empty();
}

// Mostly the newest debt.
std::uint32_t DebtWalk::pick_debt(PublicRandom& random) {
  const bool newest = debts_.size() == 1 || random.below(10) >= 3;
  return newest ? debts_.back() : debts_[random.below(debts_.size())];
}

// A debt costs more than what its cheapest move leaves to be repaid.
void DebtWalk::learn(std::uint32_t cell) {
  const std::int32_t cost = std::min(kHopeless, 1 + best_cost_);
  if (cost > learned_[cell]) learned_[cell] = static_cast<std::int16_t>(cost);
}

bool DebtWalk::find_move(std::uint32_t cell, bool up, PublicRandom& random) {
  n_looks_ += 20 * table_.size();  // what a step costs besides
  up_ = up;
  best_.set = -1;
  best_score_ = best_cost_ = kNever;
  n_ties_ = 0;
  most_gain_ = 0;
  for (std::uint32_t debt : debts_)
    if (debt != cell || !up) most_gain_ += std::min<std::int32_t>(learned_[debt], 3);
  most_gain_ = std::min(most_gain_, 12);
  for (std::size_t v = 0; v < table_.size(); ++v) {
    auto& shifts = shifts_[v];
    shifts.clear();
    const std::uint32_t here = table_.level(cell, v);
    for (std::uint32_t a = 0; a < table_.levels[v]; ++a)
      if (a != here)
        shifts.push_back((static_cast<std::int32_t>(a) - static_cast<std::int32_t>(here)) *
                         static_cast<std::int32_t>(table_.stride[v]));
    const auto price = [&](std::int32_t shift) {
      return price_[cell + static_cast<std::uint32_t>(shift)];
    };
    if (up) {
      std::stable_sort(shifts.begin(), shifts.end(),
                       [&](std::int32_t a, std::int32_t b) { return price(a) < price(b); });
    }
  }
  even_[0] = cell;
  step_stop_ = n_looks_ + kStepLooks;
  for (std::int32_t at = root_; at >= 0; at = nodes_[static_cast<std::size_t>(at)].next)
    starts_.push_back(at);
  random.shuffle(starts_.begin(), starts_.end());
  for (; !starts_.empty(); starts_.pop_back()) extend(starts_.back(), 0, 0, 0, random);
  return best_.set >= 0;
}

// What falls costs, what rises may repay other debts.
void DebtWalk::extend(std::int32_t first, std::size_t depth, std::int32_t cost, std::int32_t gain,
                      PublicRandom& random) {
  const std::size_t n_even = depth == 0 ? 1 : std::size_t{1} << (depth - 1);
  const std::size_t n_odd = depth == 0 ? 0 : n_even;
  const bool others = most_gain_ > 0 || barred_ != UINT32_MAX;
  const std::size_t n_fall = up_ ? n_even : n_odd, n_rise = up_ ? n_odd : n_even;
  const std::uint32_t* fall = up_ ? even_.data() : odd_.data();
  const std::uint32_t* rise = up_ ? odd_.data() : even_.data();
  for (std::int32_t at = first; at >= 0;) {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    at = depth == 0 ? -1 : node.next;
    for (const std::int32_t shift : shifts_[node.variable]) {
      const auto by = static_cast<std::uint32_t>(shift);  // wraps around to the right cell
      // What was paid for is free; which sets are is known at the leaves only.
      const std::int32_t limit = best_score_ + most_gain_ - (any_paid_ ? 0 : node.penalty);
      std::int32_t c = cost, g = gain;
      for (std::size_t i = 0; i < n_fall; ++i) c += price_[fall[i] + by];
      n_looks_ += n_fall;
      if (c > limit) {
        if (depth == 0 && up_) break;  // the cheapest come first
        continue;
      }
      bool barred = false;
      for (std::size_t i = 0; others && i < n_rise; ++i) {
        const std::uint32_t z = rise[i] + by;
        if (now_[z] < 0) g += learned_[z];
        barred = barred || z == barred_;
      }
      if (barred) continue;
      path_[depth] = shift;
      if (node.set >= 0) consider(node, c, g, random);
      if (node.child < 0) continue;
      if (n_looks_ > step_stop_ && best_.set >= 0) return;
      for (std::size_t i = 0; i < n_even; ++i) odd_[n_odd + i] = even_[i] + by;
      for (std::size_t i = 0; i < n_odd; ++i) even_[n_even + i] = odd_[i] + by;
      extend(node.child, depth + 1, c, g, random);
    }
  }
}

void DebtWalk::consider(const Node& node, std::int32_t cost, std::int32_t gain,
                        PublicRandom& random) {
  const auto id = static_cast<std::size_t>(node.set);
  if (!used_[id]) cost += sets_[id].penalty;
  best_cost_ = std::min(best_cost_, cost);
  const std::int32_t score = cost - gain;
  if (score > best_score_ || cost >= kNever) return;
  if (score < best_score_) n_ties_ = 0;
  if (random.below(++n_ties_) != 0) return;
  best_score_ = score;
  best_.set = node.set;
  best_.shifts.assign(path_.begin(),
                      path_.begin() + static_cast<std::ptrdiff_t>(set_size(sets_[id].set)));
}

// A move that leaves no debt is repeated as often as it is wanted and can be.
void DebtWalk::apply_move(std::uint32_t cell, bool up) {
  const auto id = static_cast<std::size_t>(best_.set);
  used_[id] = 1;
  any_paid_ = any_paid_ || sets_[id].penalty > 0;
  const std::size_t n = std::size_t{1} << best_.shifts.size();
  std::int32_t times = up ? -now_[cell] : 1;
  box_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t z = cell;
    for (std::size_t k = 0; k < best_.shifts.size(); ++k)
      if (i >> k & 1) z += static_cast<std::uint32_t>(best_.shifts[k]);
    box_[i] = z;
    if (falls(i, up) && now_[z] > 0) times = std::min(times, now_[z]);
  }
  for (std::size_t i = 0; i < n; ++i) change(box_[i], falls(i, up) ? -times : times);
}

}  // namespace sdclattice
