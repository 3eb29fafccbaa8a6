#include "linear/best_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "linear/best_parts.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

constexpr double kWholeCell = 1e-6;
constexpr double kLittleLeft = .8;  // of the open cells

}  // namespace

BestSearch::BestSearch(const PresolvedPart& part, std::vector<std::int64_t> weight,
                       std::vector<char> first, WorkClock& watch, bool helped)
    : part_(part),
      system_(part.system),
      weight_(std::move(weight)),
      first_(std::move(first)),
      watch_(watch),
      helped_(helped),
      simplex_(part.system, 0, [&watch] { watch.check(); }),
      walk_(part.system),
      branch_(part.system, part.system.lower, part.system.upper),
      cost_(part.system.n_cells()) {
  WideInt least = 0;
  for (std::uint32_t i = 0; i < weight_.size(); ++i) {
    if (weight_[i] == 0) continue;
    objective_.push_back({i, -static_cast<double>(weight_[i])});
    least += wide_product(weight_[i], weight_[i] > 0 ? system_.lower[i] : system_.upper[i]);
  }
  node_.bound = static_cast<std::int64_t>(least);
}

BestSearch::~BestSearch() = default;

std::int64_t BestSearch::bound() const {
  std::int64_t out = best_.empty() ? kNoLimit : best_sum_;
  if (smaller_) out = std::min(out, std::max(proved_, smaller_->bound()));
  if (at_node_) out = std::min(out, node_.bound);
  if (!open_.empty()) out = std::min(out, open_.top().bound);
  return out;
}

bool BestSearch::record(const std::vector<std::int64_t>& x) {
  if (!satisfies(system_, x) || !satisfies(part_.implied, x)) return false;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += weight_[i] * x[i];
  if (sum > target()) return false;
  best_ = x;
  best_sum_ = sum;
  return true;
}

void BestSearch::advance(std::size_t nodes) {
  if (smaller_) return advance_smaller(nodes);
  for (std::size_t k = 0; k < nodes && !done() && !smaller_; ++k) {
    watch_.check();
    if (!at_node_) jump();
    if (at_node_) visit();
  }
}

// ---- nodes -------------------------------------------------------------------------------------

// Goes to the open node with the least bound. Where that is no better than the best table, none is.
void BestSearch::jump() {
  undo(at_root_);
  node_ = open_.top();
  at_node_ = true;
  const std::size_t before = branch_.changes().size();
  if (node_.bound > target() || !narrow_by(root_, root_lower_, root_upper_)) {
    open_ = {};
    at_node_ = false;
    return;
  }
  open_.pop();
  at_root_ = branch_.changes().size();
  std::vector<const Step*> path;
  for (const Step* s = node_.path.get(); s != nullptr; s = s->before.get()) path.push_back(s);
  for (std::size_t k = path.size(); k-- > 0 && at_node_;)
    at_node_ = branch_.narrow(path[k]->cell, path[k]->lower, path[k]->upper);
  tell(before);
}

void BestSearch::visit() {
  ++n_nodes_;
  if (!bound_node(simplex_.climb_again(objective_))) {
    at_node_ = false;
    return;
  }
  find_fractional();
  look_for_tables();
  if (node_.bound > target())
    at_node_ = false;
  else
    branch();
  restart();
}

// False when no better table lies in the node.
bool BestSearch::bound_node(ClimbEnd end) {
  if (end == ClimbEnd::empty)
    return !proves_empty(system_, branch_.lower(), branch_.upper(), simplex_.duals());
  sum_of_node_ = value();
  learn();
  SumBound found = sum_bound(system_, branch_.lower(), branch_.upper(), weight_, simplex_.duals());
  node_.bound = std::max(node_.bound, found.bound);
  if (node_.bound > target()) return false;
  record(simplex_.rounded());
  if (node_.bound > target()) return false;
  const bool at_root = node_.path == nullptr;
  if (at_root && root_.denominator == 0) {
    root_lower_ = branch_.lower();
    root_upper_ = branch_.upper();
    root_ = found;
  }
  const bool holds = narrow_by(found, branch_.lower(), branch_.upper());
  if (at_root) at_root_ = branch_.changes().size();
  return holds;
}

// Every table that is better than the best one has its cells so near to these limits.
bool BestSearch::narrow_by(const SumBound& bound, const std::vector<std::int64_t>& lower,
                           const std::vector<std::int64_t>& upper) {
  if (best_.empty() || bound.denominator == 0) return true;
  if (bound.bound > target()) return false;
  for (std::uint32_t i = 0; i < weight_.size(); ++i) {
    if (bound.rate[i] == 0 || branch_.lower()[i] == branch_.upper()[i]) continue;
    const std::int64_t low = lower[i], high = upper[i], room = bound.room(i, target());
    if (room >= high - low) continue;
    if (!(bound.rate[i] > 0 ? narrow(i, branch_.lower()[i], low + room)
                            : narrow(i, high - room, branch_.upper()[i])))
      return false;
  }
  return true;
}

bool BestSearch::narrow(std::uint32_t cell, std::int64_t lower, std::int64_t upper) {
  const std::size_t before = branch_.changes().size();
  const bool holds = branch_.narrow(cell, lower, upper);
  tell(before);
  return holds;
}

void BestSearch::tell(std::size_t before) {
  for (std::size_t k = before; k < branch_.changes().size(); ++k) {
    const std::uint32_t i = branch_.changes()[k].cell;
    simplex_.set_limits(i, branch_.lower()[i], branch_.upper()[i]);
  }
}

void BestSearch::undo(std::size_t before) {
  while (branch_.changes().size() > before) {
    const std::uint32_t i = branch_.changes().back().cell;
    branch_.undo();
    simplex_.set_limits(i, branch_.lower()[i], branch_.upper()[i]);
  }
}

// ---- restarts ----------------------------------------------------------------------------------

// Where the best table and the multipliers of the root leave little open, the search begins anew
// with that, and the best table.
void BestSearch::restart() {
  if (best_.empty() || root_.denominator == 0 || best_sum_ == tried_sum_) return;
  tried_sum_ = best_sum_;
  BranchLimits limits(system_, root_lower_, root_upper_);
  std::size_t n_open = 0, n_left = 0;
  for (std::uint32_t i = 0; i < weight_.size(); ++i) {
    const std::int64_t low = root_lower_[i], high = root_upper_[i];
    n_open += low < high;
    if (root_.rate[i] == 0) continue;
    const std::int64_t room = root_.room(i, best_sum_);
    if (room >= high - low) continue;
    if (root_.rate[i] > 0)
      limits.narrow(i, low, low + room);
    else
      limits.narrow(i, high - room, high);
  }
  for (std::size_t i = 0; i < weight_.size(); ++i) n_left += limits.lower()[i] < limits.upper()[i];
  if (static_cast<double>(n_left) > kLittleLeft * static_cast<double>(n_open)) return;
  LinearSystem less = system_;
  less.lower = limits.lower();
  less.upper = limits.upper();
  if (!satisfies(less, best_)) return;
  auto smaller = std::make_unique<BestParts>(less, weight_, first_, watch_, helped_);
  smaller->offer(best_);
  proved_ = bound();
  smaller_ = std::move(smaller);
  open_ = {};
  at_node_ = false;
}

// Also where the time ends the work, its table is kept.
void BestSearch::advance_and_record(BestParts& parts, std::size_t nodes) {
  const auto keep = [&] {
    const std::vector<std::int64_t> found = parts.table();
    if (!found.empty()) record(found);
  };
  try {
    parts.advance(nodes);
  } catch (...) {
    keep();
    throw;
  }
  keep();
}

void BestSearch::advance_smaller(std::size_t nodes) {
  advance_and_record(*smaller_, nodes);
  if (smaller_->done() || smaller_->bound() > target()) smaller_.reset();
}

// ---- branching ---------------------------------------------------------------------------------

void BestSearch::branch() {
  Choice choice;
  if (choose(choice)) split(choice);
}

// A cell that can still move; none where the node is one table.
BestSearch::Choice BestSearch::any_open_cell() const {
  for (const bool first : {true, false})
    for (std::uint32_t i = 0; i < weight_.size(); ++i)
      if ((first_[i] != 0) == first && branch_.lower()[i] < branch_.upper()[i]) {
        const auto at = static_cast<std::int64_t>(std::floor(simplex_.value(i) + kWholeCell));
        return {i, std::clamp(at, branch_.lower()[i], branch_.upper()[i] - 1)};
      }
  return {};
}

// Both sides become nodes; the first is entered at once.
void BestSearch::split(const Choice& choice) {
  const std::uint32_t i = choice.cell;
  if (i == UINT32_MAX) {
    record(branch_.lower());
    at_node_ = false;
    return;
  }
  const auto side = [&](bool up) {
    const std::int64_t low = up ? choice.floor + 1 : branch_.lower()[i];
    const std::int64_t high = up ? branch_.upper()[i] : choice.floor;
    const double share =
        up ? static_cast<double>(low) - choice.at : choice.at - static_cast<double>(high);
    return Node{node_.bound, std::make_shared<const Step>(Step{node_.path, i, low, high}),
                ++n_made_,   up,
                share,       choice.sum};
  };
  Node later = side(!choice.up_first), now = side(choice.up_first);
  open_.push(std::move(later));
  node_ = std::move(now);
  at_node_ = narrow(i, node_.path->lower, node_.path->upper);
}

}  // namespace sdclattice
