#include "certify/move_search.hpp"

#include <algorithm>
#include <cassert>

#include "table/part_table.hpp"

namespace sdclattice {

void MoveSearch::move_on(const std::vector<MoveSet>& sets) {
  sets_ = sets;
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
}

// A tree of the sets, each in ascending order.
void MoveSearch::insert(LocalSet set, std::int32_t id) {
  assert(set != 0);
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

bool MoveSearch::find(const DebtTable& walk, std::uint32_t cell, bool up, PublicRandom& random) {
  assert(starts_.empty());
  start(walk, cell, up);
  list_shifts(walk, cell, up);
  for (std::int32_t at = root_; at >= 0; at = nodes_[static_cast<std::size_t>(at)].next)
    starts_.push_back(at);
  random.shuffle(starts_.begin(), starts_.end());
  for (; !starts_.empty(); starts_.pop_back()) extend(walk, starts_.back(), 0, 0, 0, random);
  return best_.set >= 0;
}

void MoveSearch::start(const DebtTable& walk, std::uint32_t cell, bool up) {
  n_looks_ += 20 * table_.size();  // what a step costs besides
  step_stop_ = n_looks_ + kStepLooks;
  up_ = up;
  even_[0] = cell;
  best_.set = -1;
  best_score_ = best_cost_ = kNever;
  n_ties_ = 0;
  most_gain_ = 0;
  for (std::uint32_t debt : walk.debts)
    if (debt != cell || !up) most_gain_ += std::min<std::int32_t>(walk.learned[debt], 3);
  most_gain_ = std::min(most_gain_, 12);
}

void MoveSearch::list_shifts(const DebtTable& walk, std::uint32_t cell, bool up) {
  const auto price = [&](std::int32_t shift) {
    return walk.price[cell + static_cast<std::uint32_t>(shift)];
  };
  for (std::size_t v = 0; v < table_.size(); ++v) {
    auto& shifts = shifts_[v];
    shifts.clear();
    const std::uint32_t here = table_.level(cell, v);
    for (std::uint32_t a = 0; a < table_.levels[v]; ++a)
      if (a != here)
        shifts.push_back((static_cast<std::int32_t>(a) - static_cast<std::int32_t>(here)) *
                         static_cast<std::int32_t>(table_.stride[v]));
    if (!up) continue;
    std::stable_sort(shifts.begin(), shifts.end(),
                     [&](std::int32_t a, std::int32_t b) { return price(a) < price(b); });
  }
}

// What falls costs, what rises may repay other debts.
void MoveSearch::extend(const DebtTable& walk, std::int32_t first, std::size_t depth,
                        std::int32_t cost, std::int32_t gain, PublicRandom& random) {
  const std::size_t n_even = depth == 0 ? 1 : std::size_t{1} << (depth - 1);
  const std::size_t n_odd = depth == 0 ? 0 : n_even;
  const bool others = most_gain_ > 0 || walk.barred != UINT32_MAX;
  const std::size_t n_fall = up_ ? n_even : n_odd, n_rise = up_ ? n_odd : n_even;
  const std::uint32_t* fall = up_ ? even_.data() : odd_.data();
  const std::uint32_t* rise = up_ ? odd_.data() : even_.data();
  for (std::int32_t at = first; at >= 0;) {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    at = depth == 0 ? -1 : node.next;
    for (const std::int32_t shift : shifts_[node.variable]) {
      const auto by = static_cast<std::uint32_t>(shift);  // wraps around to the right cell
      // What was paid for is free; which sets are is known at the leaves only.
      const std::int32_t limit = best_score_ + most_gain_ - (walk.any_paid ? 0 : node.penalty);
      std::int32_t c = cost, g = gain;
      for (std::size_t i = 0; i < n_fall; ++i) c += walk.price[fall[i] + by];
      n_looks_ += n_fall;
      if (c > limit) {
        if (depth == 0 && up_) break;  // the cheapest come first
        continue;
      }
      bool barred = false;
      for (std::size_t i = 0; others && i < n_rise; ++i) {
        const std::uint32_t z = rise[i] + by;
        if (walk.now[z] < 0) g += walk.learned[z];
        barred = barred || z == walk.barred;
      }
      if (barred) continue;
      path_[depth] = shift;
      if (node.set >= 0) consider(walk, node, c, g, random);
      if (node.child < 0) continue;
      if (n_looks_ > step_stop_ && best_.set >= 0) return;
      for (std::size_t i = 0; i < n_even; ++i) odd_[n_odd + i] = even_[i] + by;
      for (std::size_t i = 0; i < n_odd; ++i) even_[n_even + i] = odd_[i] + by;
      extend(walk, node.child, depth + 1, c, g, random);
    }
  }
}

void MoveSearch::consider(const DebtTable& walk, const Node& node, std::int32_t cost,
                          std::int32_t gain, PublicRandom& random) {
  const auto id = static_cast<std::size_t>(node.set);
  if (!walk.used[id]) cost += sets_[id].penalty;
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

}  // namespace sdclattice
