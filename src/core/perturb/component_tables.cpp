#include "perturb/component_tables.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/disjoint_sets.hpp"

namespace sdclattice {

std::vector<std::int32_t> cell_components(const CycleSet& cycles) {
  std::vector<std::int32_t> number(cycles.n_cells, 0);
  DisjointSets sets(cycles.n_cells);
  for (std::size_t c = 0; c < cycles.size(); ++c)
    for (std::size_t i = cycles.start[c] + 1; i < cycles.start[c + 1]; ++i)
      sets.join(cycles.cell[i], cycles.cell[cycles.start[c]]);
  std::vector<std::uint8_t> on_cycle(cycles.n_cells, 0);
  for (const std::int32_t cell : cycles.cell) on_cycle[cell] = 1;
  std::int32_t made = 0;
  for (std::size_t i = 0; i < cycles.n_cells; ++i) {
    if (!on_cycle[i]) continue;
    std::int32_t& of_root = number[sets.root(i)];
    if (of_root == 0) of_root = ++made;
    number[i] = of_root;
  }
  return number;
}

std::vector<CellComponent> components_of(const CycleSet& cycles, const Mechanism& mechanism) {
  const std::vector<std::int32_t> number = cell_components(cycles);
  std::vector<CellComponent> parts(1 + *std::max_element(number.begin(), number.end()));
  for (std::size_t i = 0; i < number.size(); ++i)
    parts[number[i]].cells.push_back(static_cast<std::int32_t>(i));
  for (const std::int32_t c : mechanism.sequence)
    parts[number[cycles.cell[cycles.start[c]]]].steps.push_back(c);
  return parts;
}

WeightedShifts Enumeration::run(const CellComponent& component) {
  if (work_ > limits_.max_work) return {};
  if (!walker_) walker_.emplace(cycles_, mechanism_);
  cells_ = &component.cells;
  WeightedShifts tables = unshifted(cells_->size()), after;
  for (const std::int32_t c : component.steps) {
    report(tick_, 0);
    after.clear();
    for (const auto& [table, p] : tables) step(table, p, c, after);
    work_ += static_cast<double>(tables.size()) *
             static_cast<double>(2 * counts_.size() + 2 * cycles_.size());
    if (after.size() > limits_.max_tables || work_ > limits_.max_work) return {};
    std::swap(tables, after);
  }
  return tables;
}

void Enumeration::step(const Shift& table, double p, std::int32_t c, WeightedShifts& after) {
  const double alpha = mechanism_.alpha_of(c), beta = mechanism_.beta_of(c);
  if (alpha > 0) after[moved(table, c, 1)] += p * alpha;
  if (beta > 0) after[moved(table, c, -1)] += p * beta;
  const double gamma = stay_probability(alpha, beta);
  if (gamma > 0) after[table] += p * gamma;
}

Shift Enumeration::moved(const Shift& table, std::int32_t c, int side) {
  for (std::size_t k = 0; k < table.size(); ++k) now_[(*cells_)[k]] += shift_of(table[k]);
  walker_->restart();
  walker_->apply(static_cast<std::size_t>(c), side, now_);
  Shift out(table.size(), 0);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const std::int32_t cell = (*cells_)[k];
    assert(now_[cell] >= 0);
    out[k] = as_shift(static_cast<int>(now_[cell] - counts_[cell]));
    now_[cell] = counts_[cell];
  }
  assert(now_ == counts_);  // a step touches cells of its own component only
  return out;
}

ComponentTables component_tables(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
                                 const Mechanism& mechanism, const ForwardLimits& limits,
                                 const Tick& tick) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  ComponentTables out;
  if (counts.empty()) return out;
  Enumeration enumeration(counts, cycles, mechanism, limits, tick);
  const std::vector<CellComponent> parts = components_of(cycles, mechanism);
  std::vector<std::vector<std::pair<Shift, double>>> all;
  for (std::size_t c = 1; c < parts.size(); ++c) {
    const WeightedShifts tables = enumeration.run(parts[c]);
    if (tables.empty()) return {};  // also where components before this one have few tables
    all.push_back(sorted(tables));
    out.n_tables = std::max(out.n_tables, tables.size());
  }
  out.n_components = all.size();
  out.change.assign(out.n_tables * counts.size(), 0);
  out.weight.assign(out.n_tables * all.size(), 0);
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t t = 0; t < out.n_tables; ++t) {
      const auto& [table, p] = all[c][std::min(t, all[c].size() - 1)];
      if (t < all[c].size()) out.weight[t * all.size() + c] = p;
      for (std::size_t k = 0; k < table.size(); ++k)
        out.change[t * counts.size() + parts[c + 1].cells[k]] = shift_of(table[k]);
    }
  return out;
}

}  // namespace sdclattice
