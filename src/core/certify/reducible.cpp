#include "certify/reducible.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "certify/joint_tables.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

// A tree with its component tables and what is planned for each.
class PlannedTree {
 public:
  PlannedTree(const RiskCells& risk, const std::vector<SubTable>& admissible, ComponentTree tree,
              const ReducibleOptions& options)
      : risk_(risk), tree_(std::move(tree)), beta_(options.beta) {
    for (SubTable c : tree_.components)
      tables_.emplace_back(risk.layout(), risk.cells(), c, options.max_cells);
    joint_ = std::make_unique<JointTables>(risk.layout(), risk.cells(), tree_, tables_);
    find_least();
    for (std::size_t j = 0; j < tables_.size(); ++j) {
      FaceComplex faces(tables_[j].size());
      for (SubTable s : admissible)
        if ((s & ~tree_.components[j]) == 0) faces.add(tables_[j].local(s));
      std::vector<LocalSet> fixed;
      for (std::size_t k = 1; k < tables_.size(); ++k)
        if (k == j || tree_.parent[k] == j) fixed.push_back(tables_[j].local(tree_.separators[k]));
      for (SubTable s : options.forced)
        if ((s & ~tree_.components[j]) == 0) fixed.push_back(tables_[j].local(s));
      plans_.push_back(std::make_unique<ComponentPlan>(
          tables_[j], std::move(faces), std::move(fixed), needs_of(j), options.seed + 7919 * j));
    }
  }

  std::size_t n_components() const { return plans_.size(); }
  ComponentPlan& plan(std::size_t j) { return *plans_[j]; }
  const ComponentTree& tree() const { return tree_; }

  std::size_t n_sets() const {
    std::size_t n = 0;
    for (std::size_t j = 0; j < plans_.size(); ++j)
      n += plans_[j]->faces().size() - ((std::size_t{1} << set_size(tree_.separators[j])) - 1);
    return n;
  }

  std::vector<SubTable> frontier() const {
    std::vector<SubTable> all, out;
    for (const auto& plan : plans_)
      for (LocalSet face : plan->faces().maximal()) all.push_back(plan->table().global(face));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (SubTable s : all)
      if (std::none_of(all.begin(), all.end(), [&](SubTable t) { return t != s && (s & ~t) == 0; }))
        out.push_back(s);
    return out;
  }

  PairCertificates certify(const Tick& tick);

 private:
  // What swaps leave in each cell at risk: the lower of its two tables.
  void find_least() {
    for (std::uint32_t cell : risk_.at_risk()) {
      joint_->reset();
      least_.push_back(joint_->empty_cell(cell));
    }
  }

  std::uint32_t component_cell(std::size_t j, std::size_t i) const {
    const std::uint64_t* keys = risk_.cells().keys;
    return tables_[j].cell_of(risk_.layout(), keys + risk_.at_risk()[i] * risk_.layout().n_words());
  }

  // One component is the whole table: nothing can be swapped, and its cells must spread.
  std::vector<CellNeed> needs_of(std::size_t j) const {
    const bool alone = tables_.size() == 1;
    std::unordered_map<std::uint32_t, std::int64_t> most;
    for (std::size_t i = 0; i < risk_.size(); ++i) {
      const std::uint32_t cell = component_cell(j, i);
      const std::int64_t target = alone ? beta_ : beta_ + least_[i];
      if (!alone && tables_[j].count[cell] >= target) continue;
      std::int64_t& at = most[cell];
      at = std::max(at, target);
    }
    std::vector<CellNeed> out;
    for (const auto& m : most) out.push_back({m.first, static_cast<std::int32_t>(m.second), alone});
    std::sort(out.begin(), out.end(),
              [](const CellNeed& a, const CellNeed& b) { return a.cell < b.cell; });
    return out;
  }

  const RiskCells& risk_;
  ComponentTree tree_;
  std::int64_t beta_;
  std::vector<ComponentTable> tables_;
  std::unique_ptr<JointTables> joint_;
  std::vector<std::int64_t> least_;
  std::vector<std::unique_ptr<ComponentPlan>> plans_;
};

// The cells of the pool that occur get numbers of their own.
class CertificateWriter {
 public:
  void add_target(std::uint32_t cell) { out_.target.push_back(number(cell)); }
  void add_table(const TableChange& change) {
    for (const CellChange& c : change) {
      out_.cell.push_back(number(c.cell));
      out_.by.push_back(c.by);
    }
    out_.start.push_back(out_.cell.size());
  }

  PairCertificates finish(const CellPool& pool, std::size_t n_words) {
    for (std::uint32_t cell : used_)
      out_.keys.insert(out_.keys.end(), pool.key(cell), pool.key(cell) + n_words);
    return std::move(out_);
  }

 private:
  std::uint32_t number(std::uint32_t cell) {
    if (cell >= number_.size()) number_.resize(cell + std::size_t{1}, UINT32_MAX);
    if (number_[cell] == UINT32_MAX) {
      number_[cell] = static_cast<std::uint32_t>(used_.size());
      used_.push_back(cell);
    }
    return number_[cell];
  }

  std::vector<std::uint32_t> number_, used_;
  PairCertificates out_;
};

PairCertificates PlannedTree::certify(const Tick& tick) {
  const bool alone = tables_.size() == 1;
  std::vector<std::unordered_map<std::uint32_t, std::size_t>> proof(tables_.size());
  for (std::size_t j = 0; j < tables_.size(); ++j)
    for (std::size_t k = 0; k < plans_[j]->needs().size(); ++k)
      proof[j][plans_[j]->needs()[k].cell] = k;
  CertificateWriter writer;
  for (std::size_t i = 0; i < risk_.size(); ++i) {
    if (i % 256 == 0) report(tick, static_cast<double>(i) / static_cast<double>(risk_.size()));
    const std::uint32_t cell = risk_.at_risk()[i];
    writer.add_target(cell);
    joint_->reset();
    if (alone) {
      joint_->lift(0, plans_[0]->proofs()[proof[0].at(component_cell(0, i))].down);
    } else {
      joint_->empty_cell(cell);
    }
    const std::int64_t low = joint_->count(cell);
    writer.add_table(joint_->changes());
    joint_->reset();
    for (std::size_t j = 0; j < tables_.size(); ++j) {
      const auto at = proof[j].find(component_cell(j, i));
      if (at != proof[j].end()) joint_->lift(j, plans_[j]->proofs()[at->second].up);
    }
    if (!alone) joint_->gather(cell, beta_ + low);
    if (joint_->count(cell) - low < beta_)
      throw InfeasibleError("A pair of tables does not reach the width.");
    writer.add_table(joint_->changes());
  }
  return writer.finish(joint_->pool(), risk_.layout().n_words());
}

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
      : risk_(risk), admissible_(admissible), options_(options), tick_([this, &tick](double done) {
          report(tick, done);
          if (!best_ && options_.seconds() > options_.give_up_s)
            throw InfeasibleError("No release was certified in the time.");
        }) {}

  // One fixed course of work: no decision looks at the clock, which only ends it. So a longer limit
  // passes through the same states, and what is kept only grows.
  ReducibleRelease run() {
    for (std::size_t size : options_.sizes) {
      if (best_ && left() <= 0) break;
      TreeLimits limits;
      limits.max_variables = size;
      limits.max_cells = options_.max_cells;
      limits.n_trees = options_.n_trees;
      limits.forced = options_.forced;
      for (ComponentTree& tree :
           plan_trees(risk_.layout(), admissible_, options_.roots, limits, tick_))
        try_tree(std::move(tree), size);
      if (best_) enlarge(4);
    }
    if (!best_)
      throw InfeasibleError("No release was found for which all cells have certificates.");
    enlarge(8);
    enlarge(16);
    stopped_ = stopped_ || left() <= 0;
    return finish();
  }

 private:
  double left() const { return options_.time_limit_s - options_.seconds(); }

  // Also asks whether the user interrupts.
  StopAsked until(double seconds) {
    return [this, seconds] {
      report(tick_, std::min(1.0, options_.seconds() / options_.time_limit_s));
      return options_.seconds() > seconds;
    };
  }

  void note(const std::string& what, std::size_t size, std::size_t n_cells, std::size_t value) {
    log_.push_back({options_.seconds(), n_trees_, size, what, n_cells, value});
  }

  void try_tree(ComponentTree tree, std::size_t size) {
    if (best_ && (tree.n_sets <= best_->n_sets() || left() <= 0)) return;
    ++n_trees_;
    auto planned = std::make_unique<PlannedTree>(risk_, admissible_, std::move(tree), options_);
    note("tree", size, 0, planned->tree().n_sets);
    const PlanEffort effort = scaled_effort(options_.effort);
    // While there is nothing to return, time is no reason to give up.
    const StopAsked abandon = until(best_ ? options_.time_limit_s : options_.give_up_s);
    for (std::size_t j = 0; j < planned->n_components(); ++j) {
      ComponentPlan& plan = planned->plan(j);
      if (!plan.run(effort, abandon, abandon)) {
        note(left() > 0 ? "a cell has no certificate" : "out of time", size, plan.n_hopeless(), 0);
        return;
      }
      note("component " + std::to_string(j + 1), size, plan.n_hopeless(), planned->n_sets());
    }
    for (std::size_t j = 0; j < planned->n_components(); ++j)
      planned->plan(j).enlarge(effort, until(options_.time_limit_s));
    note("sets taken back", size, 0, planned->n_sets());
    if (best_ && planned->n_sets() <= best_->n_sets()) return;
    best_ = std::move(planned);
    best_size_ = size;
    enlarged_ = 0;
  }

  // More work on the best so far, once with each effort.
  void enlarge(std::size_t scale) {
    if (left() <= 0 || enlarged_ >= scale) return;
    enlarged_ = scale;
    const PlanEffort effort = scaled_effort(options_.effort * static_cast<double>(scale));
    for (std::size_t j = 0; j < best_->n_components(); ++j)
      best_->plan(j).enlarge(effort, until(options_.time_limit_s));
    note("sets taken back", best_size_, 0, best_->n_sets());
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

  const RiskCells& risk_;
  const std::vector<SubTable>& admissible_;
  const ReducibleOptions& options_;
  const Tick tick_;  // also gives up
  std::unique_ptr<PlannedTree> best_;
  std::size_t n_trees_ = 0, best_size_ = 0, enlarged_ = 0;
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
