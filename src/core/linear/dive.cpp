#include "linear/dive.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/branch_limits.hpp"
#include "linear/depth.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

constexpr double kWholeValue = 1e-6;
constexpr double kShare = .1;  // of the fractional cells, fixed at a time
// What a cell without any conflict counts, and one at a whole number.
constexpr double kNoConflict = .01, kLeastDistance = .1;
constexpr std::size_t kMostFailed = 10;
constexpr std::size_t kDeepest = 3000;  // choices at a time; each takes a frame of the stack

class Dive {
 public:
  Dive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk, BranchLimits& branch,
       PublicRandom& random, const DiveLimits& limits, ConflictWeights* weights)
      : system_(system),
        simplex_(simplex),
        walk_(walk),
        branch_(branch),
        random_(random),
        limits_(limits),
        weights_(weights),
        lower_(branch.lower()),
        upper_(branch.upper()) {
    for (std::size_t i = 0; i < lower_.size(); ++i) simplex_.set_limits(i, lower_[i], upper_[i]);
  }
  ~Dive() {
    for (std::size_t i = 0; i < lower_.size(); ++i)
      simplex_.set_limits(i, system_.lower[i], system_.upper[i]);
  }
  Dive(const Dive&) = delete;
  Dive& operator=(const Dive&) = delete;

  DiveEnd run(std::vector<std::int64_t>& x) {
    if (!branch_.narrow_by_all()) return DiveEnd::empty;
    tell(0);
    const std::size_t root = branch_.changes().size();
    double share = kShare;
    for (std::size_t k = 0; k < limits_.plunges; ++k, share /= 2) {
      const DiveEnd end = plunge(share, x);
      undo(root);
      if (end != DiveEnd::unknown) return end;
    }
    return node(x);
  }
  std::size_t n_nodes() const { return n_nodes_; }

 private:
  struct Choice {
    std::uint32_t cell = UINT32_MAX;
    std::int64_t floor = 0;
    bool up_first = false;
  };
  // empty: proved. stuck: no table here, as far as is known.
  enum class Look { found, empty, stuck, fractional };

  // What the programme finds within the limits of the branch.
  Look look(std::vector<std::int64_t>& x) {
    if (n_nodes_ >= limits_.nodes) return Look::stuck;
    ++n_nodes_;
    if (!simplex_.restore()) {
      if (weights_ != nullptr) weights_->add(simplex_.duals());
      return proves_empty(system_, branch_.lower(), branch_.upper(), simplex_.duals())
                 ? Look::empty
                 : Look::stuck;
    }
    find_fractional();
    if (is_table(simplex_.rounded(), x) || repair(x)) return Look::found;
    return fractional_.empty() ? Look::stuck : Look::fractional;  // whole, and yet no table?
  }

  // Fixes a share of the fractional cells at a time, over and over; what was too much is undone and
  // tried again with fewer. Proves no more than what the first look does.
  DiveEnd plunge(double share, std::vector<std::int64_t>& x) {
    std::vector<std::size_t> marks;
    for (std::size_t n_failed = 0; n_failed < kMostFailed && n_nodes_ < limits_.nodes;) {
      const Look seen = look(x);
      if (seen == Look::found) return DiveEnd::found;
      if (seen == Look::fractional) {
        marks.push_back(branch_.changes().size());
        if (fix_some(share)) continue;
      }
      if (marks.empty()) return seen == Look::empty ? DiveEnd::empty : DiveEnd::unknown;
      undo(marks.back());
      marks.pop_back();
      share /= 2;
      ++n_failed;
    }
    return DiveEnd::unknown;
  }

  // Fractional cells at the nearest whole number, or the next where that cannot be; false when none
  // could be fixed.
  bool fix_some(double share) {
    const std::size_t before = branch_.changes().size();
    random_.shuffle(fractional_.begin(), fractional_.end());
    const auto most = static_cast<std::size_t>(share * static_cast<double>(fractional_.size()));
    for (std::size_t k = 0; k < std::max<std::size_t>(most, 1); ++k) {
      const Choice choice = choice_of(fractional_[k]);
      if (!fix(choice, choice.up_first)) fix(choice, !choice.up_first);
    }
    tell(before);
    return branch_.changes().size() > before;
  }
  bool fix(const Choice& choice, bool up) {
    const std::size_t before = branch_.changes().size();
    const std::int64_t value = choice.floor + up;
    if (branch_.narrow(choice.cell, value, value)) return true;
    note_conflict();
    while (branch_.changes().size() > before) branch_.undo();
    return false;
  }

  DiveEnd node(std::vector<std::int64_t>& x) {
    switch (look(x)) {
      case Look::found:
        return DiveEnd::found;
      case Look::empty:
        return DiveEnd::empty;
      case Look::stuck:
        return DiveEnd::unknown;
      default:
        return split(weights_ == nullptr ? most_fractional() : heaviest(), x);
    }
  }

  DiveEnd split(const Choice& choice, std::vector<std::int64_t>& x) {
    if (depth_ >= kDeepest) return DiveEnd::unknown;
    const Depth deeper(depth_);
    bool is_empty = true;
    for (const bool up : {choice.up_first, !choice.up_first}) {
      const DiveEnd end = branch(choice, up, x);
      if (end == DiveEnd::found) return end;
      is_empty = is_empty && end == DiveEnd::empty;
      if (n_nodes_ >= limits_.nodes && !is_empty) return DiveEnd::unknown;
    }
    return is_empty ? DiveEnd::empty : DiveEnd::unknown;
  }

  DiveEnd branch(const Choice& choice, bool up, std::vector<std::int64_t>& x) {
    const std::uint32_t i = choice.cell;
    const std::size_t before = branch_.changes().size();
    const bool holds = up ? branch_.narrow(i, choice.floor + 1, branch_.upper()[i])
                          : branch_.narrow(i, branch_.lower()[i], choice.floor);
    DiveEnd end = DiveEnd::empty;
    if (holds) {
      tell(before);
      end = node(x);
    } else {
      note_conflict();
    }
    undo(before);
    return end;
  }

  void note_conflict() {
    if (weights_ != nullptr && branch_.failed_row() != SIZE_MAX)
      weights_->add(static_cast<std::uint32_t>(branch_.failed_row()));
  }

  void find_fractional() {
    fractional_.clear();
    for (std::uint32_t i = 0; i < system_.n_cells(); ++i)
      if (std::fabs(simplex_.value(i) - std::round(simplex_.value(i))) > kWholeValue)
        fractional_.push_back(i);
  }
  Choice choice_of(std::uint32_t i) const {
    const double value = simplex_.value(i), floor = std::floor(value);
    return {i, static_cast<std::int64_t>(floor), value - floor > .5};
  }
  // The cell nearest to one half, of several one by chance.
  Choice most_fractional() {
    std::uint32_t out = fractional_[0];
    double least = 1;
    std::size_t ties = 0;
    for (const std::uint32_t i : fractional_) {
      const double value = simplex_.value(i), own = std::fabs(value - std::floor(value) - .5);
      if (own > least + kWholeValue) continue;
      if (own < least - kWholeValue) ties = 0;
      if (random_.below(++ties) != 0) continue;
      least = own;
      out = i;
    }
    return choice_of(out);
  }

  // The cell of the heaviest rows for its room, of several one by chance.
  Choice heaviest() {
    std::uint32_t out = fractional_[0];
    double most = -1.0;
    std::size_t ties = 0;
    for (const std::uint32_t i : fractional_) {
      const double own = weight_of(i);
      if (own < most * (1 - kWholeValue)) continue;
      if (own > most * (1 + kWholeValue)) ties = 0;
      if (random_.below(++ties) != 0) continue;
      most = own;
      out = i;
    }
    return choice_of(out);
  }
  double weight_of(std::uint32_t i) const {
    const double value = simplex_.value(i);
    const double to_whole = .5 - std::fabs(value - std::floor(value) - .5);
    const std::int64_t room = std::max<std::int64_t>(branch_.upper()[i] - branch_.lower()[i], 1);
    return (kNoConflict + weights_->of_cell(i)) * (kLeastDistance + to_whole) /
           static_cast<double>(room);
  }

  // First the nearest whole numbers, then each cell up or down in proportion.
  bool repair(std::vector<std::int64_t>& x) {
    for (std::size_t k = 0; k < limits_.repairs; ++k) {
      std::vector<std::int64_t> y = simplex_.rounded();
      for (std::uint32_t i = 0; i < y.size() && k > 0; ++i) {
        const double floor = std::floor(simplex_.value(i) + kWholeValue);
        y[i] = static_cast<std::int64_t>(floor);
        if (simplex_.value(i) - floor > kWholeValue &&
            random_.uniform() < simplex_.value(i) - floor)
          ++y[i];
      }
      if (walk_.repair(y, {}, lower_, upper_, random_, limits_.repair_steps) && is_table(y, x))
        return true;
    }
    return false;
  }

  bool is_table(std::vector<std::int64_t> y, std::vector<std::int64_t>& x) const {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (y[i] < lower_[i] || y[i] > upper_[i]) return false;
    if (!satisfies(system_, y)) return false;
    x = std::move(y);
    return true;
  }

  // The programme hears of all limits that have changed since.
  void tell(std::size_t before) {
    for (std::size_t k = before; k < branch_.changes().size(); ++k)
      tell_of(branch_.changes()[k].cell);
  }
  void tell_of(std::uint32_t i) { simplex_.set_limits(i, branch_.lower()[i], branch_.upper()[i]); }
  void undo(std::size_t before) {
    while (branch_.changes().size() > before) {
      const std::uint32_t i = branch_.changes().back().cell;
      branch_.undo();
      tell_of(i);
    }
  }

  const LinearSystem& system_;
  SparseSimplex& simplex_;
  RepairWalk& walk_;
  BranchLimits& branch_;
  PublicRandom& random_;
  const DiveLimits& limits_;
  ConflictWeights* weights_;
  const std::vector<std::int64_t> lower_, upper_;  // those that were asked for
  std::vector<std::uint32_t> fractional_;          // of the last look
  std::size_t n_nodes_ = 0, depth_ = 0;
};

}  // namespace

DiveEnd dive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk,
             std::vector<std::int64_t> lower, std::vector<std::int64_t> upper, PublicRandom& random,
             const DiveLimits& limits, std::vector<std::int64_t>& x, std::size_t* n_nodes,
             ConflictWeights* weights) {
  BranchLimits branch(system, std::move(lower), std::move(upper));
  Dive search(system, simplex, walk, branch, random, limits, weights);
  const DiveEnd end = search.run(x);
  if (n_nodes != nullptr) *n_nodes += search.n_nodes();
  return end;
}

}  // namespace sdclattice
