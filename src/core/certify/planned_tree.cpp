#include "certify/planned_tree.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

PlannedTree::PlannedTree(const RiskCells& risk, const std::vector<SubTable>& admissible,
                         ComponentTree tree, const PlanRules& rules)
    : risk_(&risk), admissible_(&admissible), tree_(std::move(tree)), rules_(rules) {
  parts_.resize(tree_.components.size());
  std::vector<ComponentTable> tables;
  for (SubTable c : tree_.components)
    tables.emplace_back(risk.layout(), risk.cells(), c, rules.max_cells);
  std::vector<const ComponentTable*> seen;
  for (const ComponentTable& table : tables) seen.push_back(&table);
  least_ = least_counts(JointTables(risk.layout(), risk.cells(), tree_, seen));
  for (std::size_t j = 0; j < parts_.size(); ++j) make_part(j, tables[j], rules.seed + 7919 * j);
}

PlannedTree::PlannedTree(const PlannedTree& before, const TreeStep& step)
    : risk_(before.risk_),
      admissible_(before.admissible_),
      tree_(step.tree),
      rules_(before.rules_),
      parts_(step.from.size()),
      least_(before.least_) {
  for (std::size_t j = 0; j < parts_.size(); ++j)
    if (step.from[j] != TreeStep::kNew) parts_[j] = before.parts_[step.from[j]];
  const SubTable made = tree_.components[step.made];
  make_part(step.made, ComponentTable(risk_->layout(), risk_->cells(), made, rules_.max_cells),
            rules_.seed + 104729 * made);
}

// From all admissible sets; the separators and what is forced must stay.
void PlannedTree::make_part(std::size_t j, const ComponentTable& table, std::uint64_t seed) {
  FaceComplex faces(table.size());
  for (SubTable s : *admissible_)
    if (holds(table.set, s)) faces.add(table.local(s));
  std::vector<LocalSet> fixed;
  for (std::size_t k = 1; k < parts_.size(); ++k)
    if (k == j || tree_.parent[k] == j) fixed.push_back(table.local(tree_.separators[k]));
  for (SubTable s : rules_.forced)
    if (holds(table.set, s)) fixed.push_back(table.local(s));
  parts_[j] =
      std::make_shared<Part>(table, std::move(faces), std::move(fixed), needs_of(table), seed);
}

std::size_t PlannedTree::n_sets() const {
  std::size_t n = 0;
  for (std::size_t j = 0; j < parts_.size(); ++j)
    n += n_sets_of(j) - static_cast<std::size_t>(rules_.steps.n_inside(tree_.separators[j]));
  return n;
}

std::size_t PlannedTree::n_sets_of(std::size_t j) const {
  const FaceComplex& faces = plan(j).faces();
  if (rules_.steps.are_variables()) return faces.size();
  const std::vector<LocalSet> all = faces.faces();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](LocalSet face) {
    return rules_.steps.is_closed(parts_[j]->table.global(face));
  }));
}

ReleasedParts PlannedTree::released() const {
  ReleasedParts out(parts_.size());
  for (std::size_t j = 0; j < parts_.size(); ++j)
    for (LocalSet face : plan(j).faces().faces()) out[j].push_back(parts_[j]->table.global(face));
  return out;
}

std::vector<SubTable> PlannedTree::frontier() const {
  std::vector<SubTable> all;
  for (const auto& part : parts_)
    for (LocalSet face : part->plan.faces().maximal()) all.push_back(part->table.global(face));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<SubTable> out = maximal_masks(std::move(all));
  std::sort(out.begin(), out.end());
  return out;
}

JointTables PlannedTree::join() const {
  std::vector<const ComponentTable*> tables;
  for (const auto& part : parts_) tables.push_back(&part->table);
  return JointTables(risk_->layout(), risk_->cells(), tree_, std::move(tables));
}

std::vector<std::int64_t> PlannedTree::least_counts(JointTables joint) const {
  std::vector<std::int64_t> out;
  for (std::uint32_t cell : risk_->at_risk()) {
    joint.reset();
    out.push_back(joint.empty_cell(cell));
  }
  return out;
}

std::uint32_t PlannedTree::cell_in(const ComponentTable& table, std::size_t i) const {
  const std::uint64_t* keys = risk_->cells().keys;
  return table.cell_of(risk_->layout(), keys + risk_->at_risk()[i] * risk_->layout().n_words());
}

std::vector<CellNeed> PlannedTree::needs_of(const ComponentTable& table) const {
  std::unordered_map<std::uint32_t, std::int64_t> most;
  for (std::size_t i = 0; i < risk_->size(); ++i) {
    const std::uint32_t cell = cell_in(table, i);
    const std::int64_t target = alone() ? rules_.beta : rules_.beta + least_[i];
    if (!alone() && table.count[cell] >= target) continue;
    std::int64_t& at = most[cell];
    at = std::max(at, target);
  }
  std::vector<CellNeed> out;
  for (const auto& m : most) out.push_back({m.first, static_cast<std::int32_t>(m.second), alone()});
  std::sort(out.begin(), out.end(),
            [](const CellNeed& a, const CellNeed& b) { return a.cell < b.cell; });
  return out;
}

// With fewer separators swaps may leave more in a cell, which then must reach further.
bool PlannedTree::covers() {
  least_ = least_counts(join());
  for (const auto& part : parts_) {
    const std::vector<CellNeed>& met = part->plan.needs();
    for (const CellNeed& need : needs_of(part->table)) {
      const auto at = std::lower_bound(
          met.begin(), met.end(), need.cell,
          [](const CellNeed& known, std::uint32_t cell) { return known.cell < cell; });
      if (at == met.end() || at->cell != need.cell || at->upper < need.upper ||
          at->spread != need.spread)
        return false;
    }
  }
  return true;
}

namespace {

// The cells of the pool that occur get numbers of their own.
class CertificateWriter {
 public:
  void add_target(std::uint32_t cell) { out_.target.push_back(number(cell)); }
  void add_table(const CellChanges& change) {
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

}  // namespace

PairCertificates PlannedTree::certify(const Tick& tick) {
  std::vector<std::unordered_map<std::uint32_t, std::size_t>> proof(parts_.size());
  for (std::size_t j = 0; j < parts_.size(); ++j)
    for (std::size_t k = 0; k < plan(j).needs().size(); ++k) proof[j][plan(j).needs()[k].cell] = k;
  JointTables joint = join();
  CertificateWriter writer;
  for (std::size_t i = 0; i < risk_->size(); ++i) {
    if (i % 256 == 0) report(tick, static_cast<double>(i) / static_cast<double>(risk_->size()));
    const std::uint32_t cell = risk_->at_risk()[i];
    writer.add_target(cell);
    joint.reset();
    if (alone()) {
      joint.lift(0, plan(0).proofs()[proof[0].at(cell_in(parts_[0]->table, i))].down);
    } else {
      joint.empty_cell(cell);
    }
    const std::int64_t low = joint.count(cell);
    writer.add_table(joint.changes());
    joint.reset();
    for (std::size_t j = 0; j < parts_.size(); ++j) {
      const auto at = proof[j].find(cell_in(parts_[j]->table, i));
      if (at != proof[j].end()) joint.lift(j, plan(j).proofs()[at->second].up);
    }
    if (!alone()) joint.gather(cell, rules_.beta + low);
    if (joint.count(cell) - low < rules_.beta)
      throw InfeasibleError("A pair of tables does not reach the width.");
    writer.add_table(joint.changes());
  }
  return writer.finish(joint.pool(), risk_->layout().n_words());
}

}  // namespace sdclattice
