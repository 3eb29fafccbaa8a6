#include "release/release_width.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/counts.hpp"
#include "base/deadline.hpp"
#include "base/error.hpp"
#include "bounds/part_shuttle.hpp"
#include "release/chordal_cover.hpp"
#include "sets/chordal.hpp"

namespace sdclattice {

namespace {

// Steps of chains of margins that are tried for a lower bound.
constexpr std::size_t kMostChainSteps = 2000;
// Cells for each stored one up to which a component is laid out.
constexpr double kMostSparse = 20;

// ---- components ---------------------------------------------------------------------------------

// What is known of one component at each cell at risk.
class WidthPart {
 public:
  virtual ~WidthPart() = default;
  virtual CellReach reach(std::size_t i) = 0;
  // False when no more can be found out; without programmes, by quick means.
  virtual bool settle(std::size_t, std::int64_t, bool) { return true; }
  virtual void widen() {}   // from inside, at all cells
  virtual void narrow() {}  // from outside, at all cells
  virtual std::size_t n_programmes() const { return 0; }
  virtual bool too_large() const { return false; }
};

class KnownPart : public WidthPart {
 public:
  explicit KnownPart(Counts counts) : counts_(std::move(counts)) {}
  CellReach reach(std::size_t i) override {
    return {counts_[i], counts_[i], counts_[i], counts_[i]};
  }

 private:
  Counts counts_;
};

// A variable in no margin: all of the total may be at any of its levels.
class FreePart : public WidthPart {
 public:
  FreePart(std::int64_t total, std::uint32_t levels)
      : total_(total), least_(levels > 1 ? 0 : total) {}
  CellReach reach(std::size_t) override { return {least_, total_, least_, total_}; }

 private:
  std::int64_t total_, least_;
};

void look_at_clock(const WorkClock& clock) {
  if (clock.is_up()) throw WorkTimeUp();
}

Counts chain_bounds(const std::vector<SubTable>& frontier, const MarginAtCells& margin,
                    std::size_t n) {
  std::vector<VariableSet> sets;
  for (SubTable set : frontier) sets.push_back(as_set(set));
  const ChainPlan plan = plan_chains(sets, kMostChainSteps);
  const auto values = [&](const VariableSet& set) {
    const Counts& counts = margin(as_mask(set));
    return std::vector<double>(counts.begin(), counts.end());
  };
  std::vector<std::vector<double>> margins, shared;
  for (const VariableSet& set : sets) margins.push_back(values(set));
  for (const VariableSet& set : plan.shared) shared.push_back(values(set));
  std::vector<const double*> of_margins, of_shared;
  for (const auto& x : margins) of_margins.push_back(x.data());
  for (const auto& x : shared) of_shared.push_back(x.data());
  const std::vector<double> lower = run_chains(plan, of_margins, of_shared, n);
  return Counts(lower.begin(), lower.end());
}

// An open component whose table is laid out.
class DensePart : public WidthPart {
 public:
  DensePart(const RiskCells& risk, SubTable variables, const std::vector<SubTable>& frontier,
            const WidthLimits& limits, WorkClock& clock)
      : table_(risk, variables, limits.max_component_cells),
        limits_(limits),
        clock_(clock),
        total_(risk.total()),
        frontier_(local_frontier(table_, frontier)),
        fibre_(table_, frontier_, limits.fibre, clock) {
    const Counts lower = chain_bounds(
        frontier_, [this](SubTable set) -> const Counts& { return at_asked(set); },
        table_.asked().size());
    for (std::size_t k = 0; k < lower.size(); ++k) fibre_.add_outer(k, lower[k], kAnyWidth);
  }

  CellReach reach(std::size_t i) override { return fibre_.reach(table_.position()[i]); }
  bool settle(std::size_t i, std::int64_t target, bool programmes) override {
    return fibre_.settle(table_.position()[i], target, programmes);
  }
  void widen() override {
    const auto graph = independence_neighbours(table_.n_variables(), frontier_);
    for (const ChordalCover& cover : chordal_covers(graph, limits_.covers, limits_.seed)) {
      clock_.check();
      const ClosedForm found = closed_form(
          cover, [this](SubTable set) -> const Counts& { return at_asked(set); }, total_,
          table_.asked().size());
      for (std::size_t k = 0; k < found.lower.size(); ++k)
        fibre_.add_attained(k, found.lower[k], found.upper[k]);
    }
  }
  void narrow() override {
    const ShuttleBounds found =
        shuttle_part(table_, frontier_, limits_.max_super_cells, clock_.tick());
    for (std::size_t k = 0; k < found.lower.size(); ++k)
      fibre_.add_outer(k, found.lower[k], found.upper[k]);
  }
  std::size_t n_programmes() const override { return fibre_.n_programmes(); }
  bool too_large() const override { return fibre_.gave_up(); }

 private:
  static std::vector<SubTable> local_frontier(const PartTable& table,
                                              const std::vector<SubTable>& frontier) {
    std::vector<VariableSet> sets;
    for (SubTable set : frontier) sets.push_back(as_set(table.local(set)));
    std::vector<SubTable> out;
    for (std::size_t f : frontier_of(sets)) out.push_back(as_mask(sets[f]));
    return out;
  }
  const Counts& at_asked(SubTable set) {
    const auto found = margins_.find(set);
    if (found != margins_.end()) return found->second;
    look_at_clock(clock_);
    return margins_.emplace(set, table_.margin_at_asked(set)).first->second;
  }

  PartTable table_;
  const WidthLimits& limits_;
  WorkClock& clock_;
  std::int64_t total_;
  std::vector<SubTable> frontier_;
  std::map<SubTable, Counts> margins_;
  FibreReach fibre_;
};

// An open component that is too large: margins from outside, covers from inside.
class SparsePart : public WidthPart {
 public:
  SparsePart(const RiskCells& risk, SubTable variables, const std::vector<SubTable>& frontier,
             const WidthLimits& limits, WorkClock& clock)
      : risk_(risk), variables_(as_set(variables)), limits_(limits), clock_(clock) {
    std::vector<VariableSet> sets;
    for (SubTable set : frontier) sets.push_back(as_set(set & variables));
    for (std::size_t f : frontier_of(sets)) frontier_.push_back(as_mask(sets[f]));
    const Counts own = risk.margin(variables);
    const auto margin = [this](SubTable set) -> const Counts& { return at_risk(set); };
    const Counts lower = chain_bounds(frontier_, margin, risk.size());
    for (std::size_t i = 0; i < risk.size(); ++i)
      reach_.push_back({lower[i], kAnyWidth, own[i], own[i]});
    for (SubTable set : frontier_)
      for (std::size_t i = 0; i < risk.size(); ++i)
        reach_[i].upper = std::min(reach_[i].upper, at_risk(set)[i]);
  }

  CellReach reach(std::size_t i) override { return reach_[i]; }
  bool settle(std::size_t i, std::int64_t target, bool) override {
    return reach_[i].decided(target);
  }
  void widen() override {
    std::vector<SubTable> local;
    for (SubTable set : frontier_) local.push_back(renumber(set, true));
    const auto graph = independence_neighbours(variables_.size(), local);
    for (const ChordalCover& cover : chordal_covers(graph, limits_.covers, limits_.seed)) {
      clock_.check();
      const ClosedForm found = closed_form(
          cover, [this](SubTable s) -> const Counts& { return at_risk(renumber(s, false)); },
          risk_.total(), risk_.size());
      for (std::size_t i = 0; i < reach_.size(); ++i) {
        reach_[i].least = std::min(reach_[i].least, found.lower[i]);
        reach_[i].most = std::max(reach_[i].most, found.upper[i]);
      }
    }
  }
  bool too_large() const override { return true; }

 private:
  SubTable renumber(SubTable set, bool inward) const {
    SubTable out = 0;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      if (has_variable(set, inward ? variables_[k] : k))
        out |= SubTable{1} << (inward ? k : variables_[k]);
    return out;
  }
  const Counts& at_risk(SubTable set) {
    const auto found = margins_.find(set);
    if (found != margins_.end()) return found->second;
    look_at_clock(clock_);
    return margins_.emplace(set, risk_.margin(set)).first->second;
  }

  const RiskCells& risk_;
  VariableSet variables_;
  const WidthLimits& limits_;
  WorkClock& clock_;
  std::vector<SubTable> frontier_;
  std::map<SubTable, Counts> margins_;
  std::vector<CellReach> reach_;
};

// ---- the whole ----------------------------------------------------------------------------------

class WidthSearch {
 public:
  WidthSearch(const RiskCells& risk, const std::vector<SubTable>& sets, const WidthLimits& limits,
              const Tick& tick)
      : risk_(risk), limits_(limits), clock_(limits.seconds, tick), separated_(risk.size(), 0) {
    std::vector<VariableSet> whole;
    for (SubTable set : maximal_masks(sets)) whole.push_back(as_set(set));
    // no sub-table is as much as the empty one: the total is always known
    if (whole.empty()) whole.emplace_back();
    structure_ = study_release(risk.n_variables(), whole);
    for (std::size_t f : structure_.frontier) frontier_.push_back(as_mask(whole[f]));
  }

  ReleaseWidth run() {
    try {
      if (refused_at_once()) return std::move(out_);
      add_parts();
      search();
    } catch (const WorkTimeUp&) {
      out_.stopped = true;
    }
    finish();
    return std::move(out_);
  }

 private:
  // A single margin that is too small at some cell at risk: nothing else need be looked at.
  bool refused_at_once() {
    if (limits_.target == 0 || risk_.size() == 0) return false;
    for (SubTable set : frontier_) {
      look_at_clock(clock_);
      const Counts counts = risk_.margin(set);
      const std::int64_t least = *std::min_element(counts.begin(), counts.end());
      if (least >= limits_.target) continue;
      out_.outer = least;
      return true;
    }
    return false;
  }

  void add_parts() {
    for (const VariableSet& set : structure_.separators) {
      const Counts counts = risk_.margin(as_mask(set));
      for (std::size_t i = 0; i < counts.size(); ++i) separated_[i] += counts[i];
    }
    for (std::size_t c = 0; c < structure_.components.size(); ++c) {
      const VariableSet& set = structure_.components[c];
      if (structure_.kinds[c] == ComponentKind::margin)
        parts_.push_back(std::make_unique<KnownPart>(risk_.margin(as_mask(set))));
      else if (structure_.kinds[c] == ComponentKind::free_variable)
        parts_.push_back(
            std::make_unique<FreePart>(risk_.total(), risk_.layout().n_levels(set[0])));
      else
        add_open(as_mask(set));
    }
  }

  void add_open(SubTable variables) {
    const double n = n_cells(risk_, variables);
    open_.push_back(parts_.size());
    const double room = kMostSparse * static_cast<double>(risk_.cells().n) + 1e5;
    if (n <= std::min(room, static_cast<double>(limits_.max_component_cells)))
      parts_.push_back(std::make_unique<DensePart>(risk_, variables, frontier_, limits_, clock_));
    else
      parts_.push_back(std::make_unique<SparsePart>(risk_, variables, frontier_, limits_, clock_));
  }

  // The bounds of the whole from those of the parts.
  CellReach joined(std::size_t i) const {
    CellReach out{-separated_[i], kAnyWidth, -separated_[i], kAnyWidth};
    for (const auto& part : parts_) {
      const CellReach own = part->reach(i);
      out.lower += own.lower;
      out.least += own.least;
      out.upper = std::min(out.upper, own.upper);
      out.most = std::min(out.most, own.most);
    }
    out.lower = std::max<std::int64_t>(out.lower, 0);
    out.least = std::max<std::int64_t>(out.least, 0);
    return out;
  }

  std::vector<std::size_t> narrowest_first() const {
    std::vector<std::int64_t> width(risk_.size());
    for (std::size_t i = 0; i < width.size(); ++i) {
      poll_at(16 * i);
      width[i] = joined(i).outer();
    }
    std::vector<std::size_t> out(width.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    std::size_t compared = 0;
    std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
      poll_at(++compared);
      return width[a] < width[b];
    });
    return out;
  }

  // Walks for all cells first: programmes may take all the time for one.
  void search() {
    if (open_.empty() || risk_.size() == 0) return;
    const std::vector<std::size_t> order = narrowest_first();
    const std::int64_t least = joined(order.front()).outer();
    if (least < limits_.target) return;
    for (std::size_t p : open_) parts_[p]->widen();
    const std::int64_t wanted = limits_.target > 0 ? limits_.target : least;
    for (std::size_t i : order) settle(i, wanted, false);
    std::int64_t best = limits_.target > 0 ? limits_.target : kAnyWidth;
    for (std::size_t done = 0; done < order.size(); ++done) {
      clock_.done = static_cast<double>(done) / static_cast<double>(order.size());
      settle(order[done], best, true);
      if (limits_.target == 0 && joined(order[done]).attained() < best)
        settle(order[done], kAnyWidth, true);
      const CellReach found = joined(order[done]);
      if (limits_.target > 0 && found.attained() < limits_.target) return;
      best = std::min(best, found.attained());
    }
  }

  void settle(std::size_t i, std::int64_t target, bool programmes) {
    poll();
    if (joined(i).decided(target)) return;
    const bool alone = parts_.size() == 1;
    bool settled = true;
    for (std::size_t p : open_) {
      settled =
          parts_[p]->settle(i, alone || !programmes ? target : kAnyWidth, programmes) && settled;
      if (joined(i).decided(target)) return;
    }
    if (settled || narrowed_ || !programmes) return;
    narrowed_ = true;
    for (std::size_t p : open_) parts_[p]->narrow();
  }

  void finish() {
    out_.n_components = structure_.components.size();
    out_.n_open = static_cast<std::size_t>(
        std::count(structure_.kinds.begin(), structure_.kinds.end(), ComponentKind::open));
    out_.inner = out_.outer = kAnyWidth;
    const bool complete = parts_.size() == structure_.components.size();
    for (std::size_t i = 0; i < risk_.size(); ++i) {
      CellReach found = joined(i);
      // the parts that the time allowed bound from above only, and may have no common table
      if (!complete)
        found = {0, std::min(found.upper, risk_.total()), risk_.count(i), risk_.count(i)};
      out_.lower.push_back(found.lower);
      out_.upper.push_back(found.upper);
      out_.least.push_back(found.least);
      out_.most.push_back(found.most);
      out_.inner = std::min(out_.inner, found.attained());
      out_.outer = std::min(out_.outer, found.outer());
    }
    for (const auto& part : parts_) {
      out_.n_programmes += part->n_programmes();
      out_.too_large = out_.too_large || part->too_large();
    }
  }

  const RiskCells& risk_;
  const WidthLimits& limits_;
  WorkClock clock_;
  ReleaseStructure structure_;
  std::vector<SubTable> frontier_;
  std::vector<std::unique_ptr<WidthPart>> parts_;
  std::vector<std::size_t> open_;
  Counts separated_;
  bool narrowed_ = false;
  ReleaseWidth out_;
};

}  // namespace

ReleaseWidth release_width(const RiskCells& risk, const std::vector<SubTable>& sets,
                           const WidthLimits& limits, const Tick& tick) {
  return WidthSearch(risk, sets, limits, tick).run();
}

}  // namespace sdclattice
