#include "bounds/basic_moves.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/deadline.hpp"

namespace sdclattice {

namespace {

// Moves in one walk: each is the largest that there is, so few are needed.
constexpr std::size_t kMostSteps = 64;
// A walk with debts: its moves, how often it starts anew, and the sets that each move chooses from.
constexpr std::size_t kMostDebtSteps = 80;
constexpr std::size_t kMostTries = 4;
constexpr std::size_t kMostSets = 32;
// Moves that are looked at between two polls.
constexpr std::size_t kBoxesAPoll = 64;

}  // namespace

BasicMoves::BasicMoves(const PartTable& table, std::vector<SubTable> non_faces,
                       std::size_t most_choices)
    : table_(table),
      non_faces_(std::move(non_faces)),
      most_choices_(most_choices),
      work_(table.counts()) {}

BasicMoves::Box BasicMoves::box(const std::vector<std::size_t>& variables,
                                const std::vector<std::uint32_t>& levels, std::size_t cell) const {
  Box out{{cell}, {}};
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::size_t v = variables[k], stride = table_.stride(v);
    const std::size_t from = table_.level(cell, v) * stride, to = levels[k] * stride;
    Box moved;
    for (std::size_t c : out.even) moved.odd.push_back(c - from + to);
    for (std::size_t c : out.odd) moved.even.push_back(c - from + to);
    out.even.insert(out.even.end(), moved.even.begin(), moved.even.end());
    out.odd.insert(out.odd.end(), moved.odd.begin(), moved.odd.end());
  }
  return out;
}

// How often the move can be made: what the cells that fall still hold.
std::int64_t BasicMoves::room(const Box& box, int sign) const {
  const std::vector<std::size_t>& falls = sign > 0 ? box.odd : box.even;
  std::int64_t least = INT64_MAX;
  for (std::size_t c : falls) least = std::min(least, work_[c]);
  return least;
}

template <class Visit>
void BasicMoves::for_boxes(SubTable set, std::size_t cell, bool positive,
                           const Visit& visit) const {
  std::vector<std::size_t> variables;
  std::vector<std::vector<std::uint32_t>> choices;
  for (std::size_t v = 0; v < table_.n_variables(); ++v) {
    if (!has_variable(set, v)) continue;
    const std::uint32_t here = table_.level(cell, v);
    std::vector<std::uint32_t> levels;
    for (std::uint32_t l = 0; l < table_.levels()[v]; ++l) {
      if (l == here) continue;
      const std::size_t next = cell - here * table_.stride(v) + l * table_.stride(v);
      if (!positive || work_[next] > 0) levels.push_back(l);
    }
    if (levels.empty()) return;
    variables.push_back(v);
    choices.push_back(std::move(levels));
  }
  std::vector<std::size_t> at(variables.size(), 0);
  std::vector<std::uint32_t> levels(variables.size());
  for (std::size_t tried = 0; tried < most_choices_; ++tried) {
    if (tried % kBoxesAPoll == 0) poll();
    for (std::size_t k = 0; k < at.size(); ++k) levels[k] = choices[k][at[k]];
    visit(box(variables, levels, cell));
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == choices[k].size()) at[k++] = 0;
    if (k == at.size()) return;
  }
}

void BasicMoves::apply(const Box& box, std::int64_t by) {
  for (std::size_t c : box.even) {
    work_[c] += by;
    steps_.push_back({c, by});
  }
  for (std::size_t c : box.odd) {
    work_[c] -= by;
    steps_.push_back({c, -by});
  }
}

// ---- without debts ------------------------------------------------------------------------------

std::int64_t BasicMoves::best_move(std::size_t cell, int sign, Box& best) const {
  std::int64_t most = 0;
  for (SubTable set : non_faces_)
    for_boxes(set, cell, sign > 0, [&](Box&& found) {
      const std::int64_t by = room(found, sign);
      if (by <= most) return;
      most = by;
      best = std::move(found);
    });
  return most;
}

// ---- with debts ---------------------------------------------------------------------------------

// The move of a cell that leaves the fewest more cells below zero; the goal's own count never goes
// back. Ties at random. False when there is none.
bool BasicMoves::cheapest(std::size_t cell, int sign, std::int64_t by, std::size_t goal,
                          int goal_sign, Box& best) {
  int least = INT32_MAX;
  std::size_t ties = 0;
  const auto visit = [&](Box&& found) {
    const auto& rises = sign > 0 ? found.even : found.odd;
    const auto& falls = sign > 0 ? found.odd : found.even;
    int debts = 0;
    for (std::size_t c : falls) {
      if (c == goal && goal_sign > 0) return;
      debts += work_[c] >= 0 && work_[c] < by;
    }
    for (std::size_t c : rises) {
      if (c == goal && goal_sign < 0) return;
      debts -= work_[c] < 0 && work_[c] + by >= 0;
    }
    if (debts > least) return;
    ties = debts < least ? 1 : ties + 1;
    least = debts;
    if (random_.below(ties) == 0) best = std::move(found);
  };
  const std::size_t n = std::min(non_faces_.size(), kMostSets);
  const std::size_t first = random_.below(non_faces_.size());
  for (std::size_t k = 0; k < n; ++k)
    for_boxes(non_faces_[(first + k) % non_faces_.size()], cell, false, visit);
  return ties > 0;
}

// Moves the goal once by `by` and pays all debts; else leaves everything as it was.
bool BasicMoves::pay(std::size_t goal, int sign, std::int64_t by) {
  const std::size_t before = steps_.size();
  Box box;
  if (cheapest(goal, sign, by, goal, sign, box)) {
    apply(box, sign * by);
    for (std::size_t step = 0; step < kMostDebtSteps; ++step) {
      std::vector<std::size_t> debts;
      for (std::size_t k = before; k < steps_.size(); ++k)
        if (work_[steps_[k].cell] < 0) debts.push_back(steps_[k].cell);
      if (debts.empty()) return true;
      const bool newest = random_.below(10) < 7;
      const std::size_t debt = newest ? debts.back() : debts[random_.below(debts.size())];
      if (!cheapest(debt, 1, by, goal, sign, box)) break;
      apply(box, by);
    }
  }
  while (steps_.size() > before) {
    work_[steps_.back().cell] -= steps_.back().by;
    steps_.pop_back();
  }
  return false;
}

std::vector<CountChange> BasicMoves::walk(std::size_t cell, int sign, std::int64_t enough,
                                          bool debts) {
  std::int64_t moved = 0;
  for (std::size_t step = 0; step < kMostSteps && moved < enough; ++step) {
    Box best;
    const std::int64_t by = std::min(best_move(cell, sign, best), enough - moved);
    if (by == 0) break;
    apply(best, sign * by);
    moved += by;
  }
  std::int64_t by = enough - moved;
  if (sign < 0) by = std::min(by, work_[cell]);
  for (std::size_t tries = 0; debts && by > 0 && moved < enough && !non_faces_.empty();) {
    if (sign < 0) by = std::min(by, work_[cell]);
    by = std::min(by, enough - moved);
    if (by > 0 && pay(cell, sign, by)) {
      moved += by;
      tries = 0;
    } else if (++tries >= kMostTries || by == 0) {
      by /= 2;
      tries = 0;
    }
  }
  std::map<std::size_t, std::int64_t> total;
  for (const CountChange& c : steps_) {
    work_[c.cell] -= c.by;
    total[c.cell] += c.by;
  }
  steps_.clear();
  std::vector<CountChange> out;
  for (const auto& [c, change] : total)
    if (change != 0) out.push_back({c, change});
  return out;
}

}  // namespace sdclattice
