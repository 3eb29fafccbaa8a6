// A tree of components with what is planned for each, and the pairs of tables that follow.
//
// What is computed. The dense table of each component, the cells of it that need a certificate, and
// a plan (component_plan.hpp). A step of growth (tree_growth.hpp) makes one component new; the
// others are shared with the tree before.
// What it guarantees. When all plans have run and covers() holds, certify() writes two tables for
// each cell at risk that keep all released margins and differ there by at least beta.
// What it costs. O(components x stored cells) to sort records by components, for covers() and
// certify(); memory of some bytes for each cell of a component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/tick.hpp"
#include "certify/component_plan.hpp"
#include "certify/component_tree.hpp"
#include "certify/joint_tables.hpp"
#include "certify/tree_growth.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

// Two tables for each cell at risk, as differences from the original. Cell i is the key with the
// number target[i]; its tables are the entries from start[2 i] up to start[2 i + 1] (fewer records
// there), and on to start[2 i + 2] (more).
struct PairCertificates {
  std::vector<std::uint64_t> keys;  // of the cells that occur, one after the other
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> target, cell;
  std::vector<std::int32_t> by;
};

struct PlanRules {
  std::int64_t beta = 3;
  std::vector<SubTable> forced;  // sub-tables that must stay
  LevelSteps steps;              // what counts as a sub-table: closed sets
  std::size_t max_cells = 400000;
  std::uint64_t seed = 1;
};

class PlannedTree {
 public:
  // `risk` and `admissible` must live as long.
  PlannedTree(const RiskCells& risk, const std::vector<SubTable>& admissible, ComponentTree tree,
              const PlanRules& rules);
  // The tree after a step; only the new component is still to be planned.
  PlannedTree(const PlannedTree& before, const TreeStep& step);

  std::size_t n_components() const { return parts_.size(); }
  ComponentPlan& plan(std::size_t j) { return parts_[j]->plan; }
  const ComponentPlan& plan(std::size_t j) const { return parts_[j]->plan; }
  bool is_planned(std::size_t j) const { return plan(j).n_open() == 0; }
  std::size_t& enlarged(std::size_t j) { return parts_[j]->enlarged; }  // for the search to note
  const ComponentTree& tree() const { return tree_; }
  std::size_t n_sets() const;  // sub-tables that are released
  ReleasedParts released() const;
  std::vector<SubTable> frontier() const;  // the maximal ones, ascending

  // After a step: do the certificates of all components reach as far as this tree asks for?
  bool covers();
  // InfeasibleError when a pair does not reach the width.
  PairCertificates certify(const Tick& tick);

 private:
  struct Part {
    ComponentTable table;
    ComponentPlan plan;
    std::size_t enlarged = 0;
    Part(ComponentTable t, FaceComplex faces, std::vector<LocalSet> fixed,
         std::vector<CellNeed> needs, std::uint64_t seed)
        : table(std::move(t)),
          plan(table, std::move(faces), std::move(fixed), std::move(needs), seed) {}
  };

  // One component is the whole table: nothing can be swapped, and its cells must spread.
  bool alone() const { return tree_.components.size() == 1; }
  std::size_t n_sets_of(std::size_t j) const;
  void make_part(std::size_t j, const ComponentTable& table, std::uint64_t seed);
  JointTables join() const;
  std::vector<std::int64_t> least_counts(JointTables joint) const;
  std::vector<CellNeed> needs_of(const ComponentTable& table) const;
  std::uint32_t cell_in(const ComponentTable& table, std::size_t i) const;

  const RiskCells* risk_;
  const std::vector<SubTable>* admissible_;
  ComponentTree tree_;
  PlanRules rules_;
  std::vector<std::shared_ptr<Part>> parts_;
  std::vector<std::int64_t> least_;  // what swaps leave in each cell at risk
};

}  // namespace sdclattice
