#include "certify/reducible.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "certify/part_counts.hpp"
#include "certify/tree_growth.hpp"

namespace sdclattice {

namespace {

PlanEffort scaled_effort(double scale) {
  PlanEffort out;
  const auto by = [&](std::size_t& x) {
    x = std::max<std::size_t>(1000, static_cast<std::size_t>(static_cast<double>(x) * scale));
  };
  for (std::size_t& looks : out.looks) by(looks);
  by(out.repair_looks);
  by(out.enlarge_looks);
  return out;
}

class ReducibleSearch {
 public:
  ReducibleSearch(const RiskCells& risk, const std::vector<SubTable>& admissible,
                  const ReducibleOptions& options, const Tick& tick)
      : risk_(risk),
        admissible_(admissible),
        options_(options),
        rules_{options.beta, options.forced, options.steps, options.max_cells, options.seed},
        counts_(risk.n_variables(), admissible, options.steps),
        pool_(options.n_threads),
        tick_([this, &tick](double done) {
          report(tick, done);
          if (!best_ && options_.seconds() > options_.give_up_s)
            throw InfeasibleError("No release was certified in the time.");
        }) {}

  // One fixed course of work: no decision looks at the clock, which only ends it. So a longer limit
  // passes through the same states, and what is kept only grows.
  ReducibleRelease run() {
    if (!options_.start.empty()) try_tree(tree_of_cliques(options_.start, options_.steps), 0);
    for (budget_ = first_budget();; budget_ *= 4) {
      pending_ = false;
      for (std::size_t size : options_.sizes) {
        if (best_ && is_over()) break;
        for (const ComponentTree& tree : trees_of(size)) try_tree(tree, size);
        if (best_) enlarge(4);
        if (best_) grow(size);
        // What is larger takes more: smaller trees are brought to an end first.
        if (best_ && pending_) break;
      }
      if (!pending_ || (best_ && is_over())) break;
    }
    if (!best_)
      throw InfeasibleError("No release was found for which all cells have certificates.");
    budget_ = SIZE_MAX;
    for (std::size_t scale : {4, 8, 16}) enlarge(scale);
    stopped_ = stopped_ || is_over();
    return finish();
  }

 private:
  bool is_over() const {
    return options_.seconds() >= options_.time_limit_s || n_looks_ >= options_.max_looks;
  }

  std::size_t first_budget() const {
    return std::max<std::size_t>(1000, static_cast<std::size_t>(kFirstBudget * options_.effort));
  }

  // A piece of work on a plan, of so many looks at most. False, and what was done counts, when the
  // work had to end before.
  template <class Piece>
  bool work_on(ComponentPlan& plan, std::size_t looks, PlanEffort effort, const Piece& piece) {
    const std::size_t spent = plan.n_looks(), before = n_looks_;
    effort.most_looks = looks;
    const auto end = [&] {
      n_looks_ = before + plan.n_looks() - spent;
      cut_ = cut_ || plan.n_looks() - spent >= looks;
      // While there is nothing to return, time is no reason to give up.
      return cut_ || (best_ && is_over());
    };
    const StopAsked stop = [&] {
      report(tick_, std::min(1.0, options_.seconds() / options_.time_limit_s));
      return end();
    };
    piece(effort, PlanWork{pool_, stop});
    return !end();
  }

  void note(const std::string& what, std::size_t size, std::size_t n_cells, std::size_t value) {
    log_.push_back({options_.seconds(), n_looks_, n_trees_, size, what, n_cells, value});
  }

  // The same whenever they are asked for.
  const std::vector<ComponentTree>& trees_of(std::size_t size) {
    const auto known = trees_.find(size);
    if (known != trees_.end()) return known->second;
    TreeLimits limits = limits_of(size);
    limits.n_trees = options_.n_trees;
    return trees_[size] =
               plan_trees(risk_.layout(), admissible_, options_.roots, limits, pool_, tick_);
  }

  TreeLimits limits_of(std::size_t size) const {
    TreeLimits out;
    out.max_variables = size;
    out.max_cells = options_.max_cells;
    out.forced = options_.forced;
    out.steps = options_.steps;
    return out;
  }

  // What was tried to its end is not tried again.
  bool is_done(const std::vector<SubTable>& key) const { return done_.count(key) != 0; }
  void conclude(const std::vector<SubTable>& key) {
    if (cut_) pending_ = true;
    if (!cut_) done_.insert(key);
  }

  void try_tree(const ComponentTree& tree, std::size_t size) {
    const std::vector<SubTable>& key = tree.components;
    if (is_done(key) || (best_ && (tree.n_sets <= best_->n_sets() || is_over()))) return;
    auto planned = std::move(set_aside_[key]);
    if (!planned) {
      ++n_trees_;
      planned = std::make_unique<PlannedTree>(risk_, admissible_, tree, rules_);
      note("tree", size, 0, tree.n_sets);
    }
    cut_ = false;
    for (std::size_t j = 0; j < planned->n_components(); ++j) {
      if (planned->is_planned(j)) continue;
      if (!plan_part(*planned, j, budget_)) {
        // Walks are random: a cell without a certificate has a second chance, with a larger budget.
        const bool again = cut_ || failed_.insert(key).second;
        note(cut_         ? "set aside"
             : !is_over() ? "a cell has no certificate"
                          : "out of time",
             size, planned->plan(j).n_open(), 0);
        cut_ = again;
        conclude(key);
        if (again) set_aside_[key] = std::move(planned);
        return;
      }
      note("component " + std::to_string(j + 1), size, planned->plan(j).n_hopeless(),
           planned->n_sets());
    }
    conclude(key);
    note("sets taken back", size, 0, planned->n_sets());
    keep(std::move(planned), size);
  }

  bool plan_part(PlannedTree& tree, std::size_t j, std::size_t looks) {
    const PlanEffort effort = scaled_effort(options_.effort);
    ComponentPlan& plan = tree.plan(j);
    bool planned = false;
    work_on(plan, looks, effort,
            [&](const PlanEffort& e, const PlanWork& work) { planned = plan.run(e, work); });
    if (!planned) return false;
    cut_ = false;
    work_on(plan, looks, effort,
            [&](const PlanEffort& e, const PlanWork& work) { plan.enlarge(e, work); });
    cut_ = false;
    return true;
  }

  bool keep(std::unique_ptr<PlannedTree> tree, std::size_t size) {
    if (best_ && tree->n_sets() <= best_->n_sets()) return false;
    best_ = std::move(tree);
    best_size_ = size;
    return true;
  }

  // Steps until none brings more. All steps together have half of a tree's budget, and each of them
  // an eighth.
  void grow(std::size_t size) {
    growing_ = budget_ / 2;
    bool grown = true;
    while (grown && !is_over()) {
      grown = false;
      for (const TreeStep& step : growth_steps(risk_.layout(), best_->tree(), best_->released(),
                                               limits_of(size), counts_)) {
        if (is_over()) return;
        grown = try_step(step, size);
        if (grown) break;
      }
    }
  }

  bool try_step(const TreeStep& step, std::size_t size) {
    const ComponentTree& tree = step.tree;
    std::vector<SubTable> key{tree.components[step.made]};
    for (std::size_t k = 1; k < tree.components.size(); ++k)
      if (k == step.made || tree.parent[k] == step.made) key.push_back(tree.separators[k]);
    std::sort(key.begin() + 1, key.end());
    if (is_done(key) || tried_[key] >= budget_) return false;
    if (growing_ == 0) {
      pending_ = true;
      return false;
    }
    tried_[key] = budget_;
    auto planned = std::make_unique<PlannedTree>(*best_, step);
    cut_ = false;
    const bool found = plan_part(*planned, step.made, std::min(growing_, budget_ / 8)) &&
                       planned->n_sets() > best_->n_sets() && planned->covers();
    growing_ -= std::min(growing_, planned->plan(step.made).n_looks() + kStepLooks);
    if (!is_over()) conclude(key);
    if (!found) return false;
    keep(std::move(planned), size);
    note("component grown", size, best_->plan(step.made).n_hopeless(), best_->n_sets());
    return true;
  }

  // More work on each component of the best so far, once with each effort.
  void enlarge(std::size_t scale) {
    const std::size_t before = best_->n_sets();
    const PlanEffort effort = scaled_effort(options_.effort * static_cast<double>(scale));
    for (std::size_t j = 0; j < best_->n_components(); ++j) {
      if (is_over() || best_->enlarged(j) >= scale) continue;
      cut_ = false;
      ComponentPlan& plan = best_->plan(j);
      const bool whole =
          work_on(plan, budget_, effort,
                  [&](const PlanEffort& e, const PlanWork& work) { plan.enlarge(e, work); });
      if (whole) best_->enlarged(j) = scale;
    }
    if (best_->n_sets() > before) note("sets taken back", best_size_, 0, best_->n_sets());
  }

  ReducibleRelease finish() {
    ReducibleRelease out;
    out.tree = best_->tree();
    out.frontier = best_->frontier();
    out.n_sets = best_->n_sets();
    for (std::size_t j = 0; j < best_->n_components(); ++j) {
      out.n_hard.push_back(best_->plan(j).needs().size());
      out.n_blocked.push_back(best_->plan(j).n_hopeless());
      out.n_released.push_back(best_->plan(j).faces().size());
    }
    out.certificates = best_->certify(tick_);
    note("certificates", best_size_, 0, out.n_sets);
    out.log = log_;
    out.stopped = stopped_;
    return out;
  }

  static constexpr double kFirstBudget = 1e8;         // cells looked at for a component
  static constexpr std::size_t kStepLooks = 1000000;  // what a step costs besides

  const RiskCells& risk_;
  const std::vector<SubTable>& admissible_;
  const ReducibleOptions& options_;
  PlanRules rules_;
  PartCounts counts_;
  WorkerPool pool_;
  std::size_t n_looks_ = 0;
  const Tick tick_;  // also gives up
  std::unique_ptr<PlannedTree> best_;
  std::map<std::size_t, std::vector<ComponentTree>> trees_;
  std::set<std::vector<SubTable>> done_;
  std::set<std::vector<SubTable>> failed_;              // once
  std::map<std::vector<SubTable>, std::size_t> tried_;  // the largest budget
  std::map<std::vector<SubTable>, std::unique_ptr<PlannedTree>> set_aside_;
  std::size_t budget_ = 0, growing_ = 0;
  bool cut_ = false;      // by the budget, the attempt at hand
  bool pending_ = false;  // some attempt was cut
  std::size_t n_trees_ = 0, best_size_ = 0;
  bool stopped_ = false;
  std::vector<ReducibleStep> log_;
};

}  // namespace

ReducibleRelease find_reducible(const RiskCells& risk, const std::vector<SubTable>& admissible,
                                const ReducibleOptions& options, const Tick& tick) {
  for (SubTable s : options.forced)
    if (std::find(admissible.begin(), admissible.end(), s) == admissible.end())
      throw InfeasibleError("A forced sub-table is too risky by itself.");
  return ReducibleSearch(risk, admissible, options, tick).run();
}

}  // namespace sdclattice
