// Which cell a search for the best table branches on, and where it looks for tables.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "linear/best_parts.hpp"
#include "linear/best_search.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

constexpr double kWhole = 1e-6;
constexpr std::size_t kReliable = 4;    // branchings or trials after which costs are believed
constexpr std::size_t kMostTried = 12;  // cells at a node
constexpr std::size_t kNoBetter = 5;    // trials without a better cell end them
constexpr std::size_t kStepsOfTrial = 60;
constexpr std::size_t kNodesOfHelp = 100;  // of a smaller search
constexpr std::size_t kRepairEvery = 8;    // nodes, once a table is known
constexpr std::size_t kFreeSteps = 2000;   // of trials, before they are held to a share of all
constexpr double kLittle = 1e-6;

}  // namespace

double BestSearch::value() const {
  double out = 0.0;
  for (const SparseSimplex::Term& term : objective_) out -= term.weight * simplex_.value(term.cell);
  return out;
}

// What the branching that led to this node has cost.
void BestSearch::learn() {
  if (node_.path == nullptr || !(node_.share > kWhole)) return;
  const double cost = std::max(sum_of_node_ - node_.before, 0.0) / node_.share;
  note_cost(node_.path->cell, node_.up, cost);
  node_.share = 0.0;
}

// Cells that come first, where one of them is not whole, else all that are not.
void BestSearch::find_fractional() {
  fractional_.clear();
  for (const bool first : {true, false}) {
    for (std::uint32_t i = 0; i < weight_.size(); ++i) {
      const double at = simplex_.value(i);
      if ((first_[i] != 0) == first && std::fabs(at - std::round(at)) > kWhole &&
          at > static_cast<double>(branch_.lower()[i]) &&
          at < static_cast<double>(branch_.upper()[i]))
        fractional_.push_back({i, at});
    }
    if (!fractional_.empty()) return;
  }
}

double BestSearch::expected(const Fraction& f, bool up) const {
  const Cost& own = cost_[f.cell];
  const double mean = cost_n_ == 0 ? 1.0 : cost_sum_ / static_cast<double>(cost_n_);
  const double cost = own.n[up] == 0 ? mean : own.sum[up] / static_cast<double>(own.n[up]);
  const double part = f.at - std::floor(f.at);
  return cost * (up ? 1.0 - part : part);
}

void BestSearch::note_cost(std::uint32_t cell, bool up, double cost) {
  cost_[cell].sum[up] += cost;
  ++cost_[cell].n[up];
  cost_sum_ += cost;
  ++cost_n_;
}

double BestSearch::score(const double (&gain)[2]) {
  return std::max(gain[0], kLittle) * std::max(gain[1], kLittle);
}

// Trials take no more than half of the work.
bool BestSearch::may_try(std::uint32_t cell) const {
  const Cost& own = cost_[cell];
  return std::min(own.n[0], own.n[1]) < kReliable &&
         trial_steps_ < kFreeSteps + simplex_.n_steps() / 2;
}

// How much the least sum rises when the cell goes one way, or that no better table lies there.
bool BestSearch::try_out(const Fraction& f, bool up, double sum, double& gain) {
  std::vector<std::int64_t> lower = branch_.lower(), upper = branch_.upper();
  (up ? lower : upper)[f.cell] = static_cast<std::int64_t>(std::floor(f.at)) + (up ? 1 : 0);
  const std::size_t before = simplex_.n_steps();
  simplex_.set_limits(f.cell, lower[f.cell], upper[f.cell]);
  const ClimbEnd end = simplex_.climb_again(objective_, kStepsOfTrial);
  trial_steps_ += simplex_.n_steps() - before;
  const double now = value();
  gain = std::max(now - sum, 0.0);
  simplex_.set_limits(f.cell, branch_.lower()[f.cell], branch_.upper()[f.cell]);
  if (end == ClimbEnd::empty) return !proves_empty(system_, lower, upper, simplex_.duals());
  if (end == ClimbEnd::optimal) {
    const double part = f.at - std::floor(f.at);
    note_cost(f.cell, up, gain / (up ? 1.0 - part : part));
  }
  return best_.empty() || now < static_cast<double>(best_sum_) - 1.0 + kWhole ||
         sum_bound(system_, lower, upper, weight_, simplex_.duals()).bound <= target();
}

// What to branch on. False where a trial has closed one side: the node is narrower then, and is
// looked at again.
bool BestSearch::choose(Choice& out) {
  out = any_open_cell();
  out.sum = sum_of_node_;
  for (Fraction& f : fractional_) {
    const double gain[] = {expected(f, false), expected(f, true)};
    f.score = score(gain);
  }
  std::sort(fractional_.begin(), fractional_.end(), [](const Fraction& a, const Fraction& b) {
    return a.score != b.score ? a.score > b.score : a.cell < b.cell;
  });
  double best = -1.0;
  std::size_t n_tried = 0, n_worse = 0;
  for (const Fraction& f : fractional_) {
    double gain[] = {expected(f, false), expected(f, true)};
    const bool tries = n_tried < kMostTried && n_worse < kNoBetter && may_try(f.cell);
    n_tried += tries;
    for (const bool up : {false, true})
      if (tries && !try_out(f, up, out.sum, gain[up])) {
        close_side(f, up);
        return false;
      }
    ++n_worse;
    if (score(gain) <= best) continue;
    best = score(gain);
    n_worse = 0;
    const double floor = std::floor(f.at);
    out.cell = f.cell;
    out.floor = static_cast<std::int64_t>(floor);
    out.at = f.at;
    out.up_first = gain[0] == gain[1] ? f.at - floor > .5 : gain[1] < gain[0];
  }
  return true;
}

void BestSearch::close_side(const Fraction& f, bool up) {
  const auto floor = static_cast<std::int64_t>(std::floor(f.at));
  at_node_ = up ? narrow(f.cell, branch_.lower()[f.cell], floor)
                : narrow(f.cell, floor + 1, branch_.upper()[f.cell]);
}

// ---- tables ------------------------------------------------------------------------------------

void BestSearch::look_for_tables() {
  if (best_.empty() || n_nodes_ % kRepairEvery == 0) {
    std::vector<std::int64_t> x = simplex_.rounded();
    if (walk_.repair(x, {}, branch_.lower(), branch_.upper(), random_)) record(x);
  }
  if (!helped_ || n_nodes_ < next_help_) return;
  next_help_ = 2 * n_nodes_ + 20;
  search_around(simplex_.rounded());
  if (!best_.empty()) search_around(best_);
}

// Among the tables that agree with this one where the programme does, in cells that come first.
void BestSearch::search_around(const std::vector<std::int64_t>& at) {
  LinearSystem near = system_;
  const bool any_first = std::any_of(first_.begin(), first_.end(), [](char f) { return f != 0; });
  std::size_t n_held = 0, n = 0;
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    if (any_first && first_[i] == 0) continue;
    ++n;
    if (std::fabs(simplex_.value(i) - static_cast<double>(at[i])) > kWhole) continue;
    near.lower[i] = near.upper[i] = at[i];
    ++n_held;
  }
  if (2 * n_held < n || n_held == n) return;
  try {
    BestParts parts(near, weight_, first_, watch_, false);
    advance_and_record(parts, kNodesOfHelp);
  } catch (const InfeasibleError&) {
    return;  // none agrees
  }
}

}  // namespace sdclattice
