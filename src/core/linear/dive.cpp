#include "linear/dive.hpp"

#include <cmath>
#include <utility>

#include "linear/branch_limits.hpp"
#include "linear/depth.hpp"
#include "linear/safe_bound.hpp"

namespace sdclattice {

namespace {

constexpr double kWhole = 1e-6;

class Dive {
 public:
  Dive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk, BranchLimits& branch,
       PublicRandom& random, const DiveLimits& limits)
      : system_(system),
        simplex_(simplex),
        walk_(walk),
        branch_(branch),
        random_(random),
        limits_(limits),
        lower_(branch.lower()),
        upper_(branch.upper()) {
    put_back();
  }
  ~Dive() { put_back(); }
  Dive(const Dive&) = delete;
  Dive& operator=(const Dive&) = delete;

  DiveEnd run(std::vector<std::int64_t>& x) {
    const bool holds = branch_.narrow_by_all();
    tell(0);
    return holds ? node(x) : DiveEnd::empty;
  }
  std::size_t n_nodes() const { return n_nodes_; }

 private:
  struct Choice {
    std::uint32_t cell = UINT32_MAX;
    std::int64_t floor = 0;
    bool up_first = false;
  };

  DiveEnd node(std::vector<std::int64_t>& x) {
    if (n_nodes_ >= limits_.nodes) return DiveEnd::unknown;
    ++n_nodes_;
    if (!simplex_.restore())
      return proves_empty(system_, branch_.lower(), branch_.upper(), simplex_.duals())
                 ? DiveEnd::empty
                 : DiveEnd::unknown;
    const Choice choice = most_fractional();
    if (is_table(simplex_.rounded(), x) || repair(x)) return DiveEnd::found;
    if (choice.cell == UINT32_MAX) return DiveEnd::unknown;  // whole, and yet no table
    return split(choice, x);
  }

  DiveEnd split(const Choice& choice, std::vector<std::int64_t>& x) {
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
    }
    undo(before);
    return end;
  }

  // The cell nearest to one half, of several one by chance.
  Choice most_fractional() {
    Choice out;
    double best = kWhole;
    std::size_t ties = 0;
    for (std::uint32_t i = 0; i < system_.n_cells(); ++i) {
      const double value = simplex_.value(i), floor = std::floor(value);
      const double own = std::fmin(value - floor, floor + 1 - value);
      if (own < best - kWhole || own <= kWhole) continue;
      if (own > best + kWhole) ties = 0;
      if (random_.below(++ties) != 0) continue;
      best = own;
      out = {i, static_cast<std::int64_t>(floor), value - floor > .5};
    }
    return out;
  }

  // First the nearest whole numbers, then each cell up or down in proportion.
  bool repair(std::vector<std::int64_t>& x) {
    for (std::size_t k = 0; k < limits_.repairs; ++k) {
      std::vector<std::int64_t> y = simplex_.rounded();
      for (std::uint32_t i = 0; i < y.size() && k > 0; ++i) {
        const double floor = std::floor(simplex_.value(i) + kWhole);
        y[i] = static_cast<std::int64_t>(floor);
        if (simplex_.value(i) - floor > kWhole && random_.uniform() < simplex_.value(i) - floor)
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
  void put_back() {
    for (std::size_t i = 0; i < lower_.size(); ++i) simplex_.set_limits(i, lower_[i], upper_[i]);
  }

  const LinearSystem& system_;
  SparseSimplex& simplex_;
  RepairWalk& walk_;
  BranchLimits& branch_;
  PublicRandom& random_;
  const DiveLimits& limits_;
  const std::vector<std::int64_t> lower_, upper_;  // those that were asked for
  std::size_t n_nodes_ = 0, depth_ = 0;
};

}  // namespace

DiveEnd dive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk,
             std::vector<std::int64_t> lower, std::vector<std::int64_t> upper, PublicRandom& random,
             const DiveLimits& limits, std::vector<std::int64_t>& x, std::size_t* n_nodes) {
  BranchLimits branch(system, std::move(lower), std::move(upper));
  Dive search(system, simplex, walk, branch, random, limits);
  const DiveEnd end = search.run(x);
  if (n_nodes != nullptr) *n_nodes += search.n_nodes();
  return end;
}

}  // namespace sdclattice
