#include "certify/joint_tables.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

JointTables::JointTables(const Layout& layout, const CellsView& cells, const ComponentTree& tree,
                         std::vector<const ComponentTable*> components)
    : layout_(layout),
      tree_(tree),
      components_(std::move(components)),
      pool_(layout.n_words(), 0, cells.n),
      n_stored_(cells.n),
      cells_(components_.size()),
      edges_(components_.size()) {
  for (std::size_t i = 0; i < cells.n; ++i) {
    const std::uint32_t number = pool_.number(cells.keys + i * layout.n_words());
    assert(number == i);
    static_cast<void>(number);
    stored_.push_back(static_cast<std::int64_t>(cells.counts[i]));
  }
  by_.assign(n_stored_, 0);
  is_touched_.assign(n_stored_, 0);
  SubTable everything = 0;
  for (SubTable c : tree.components) everything |= c;
  for (std::size_t j = 0; j < components_.size(); ++j) {
    shared_.push_back(make_index(j, components_[j]->local(tree.separators[j])));
    const SubTable below = tree.below(j);
    below_.push_back(field_masks(layout, below));
    above_.push_back(field_masks(layout, everything & ~below));
    inside_.push_back(field_masks(layout, tree.components[j]));
    if (j == 0) continue;
    edges_[j].push_back(j);
    edges_[tree.parent[j]].push_back(j);
  }
}

std::uint32_t JointTables::component_cell(std::size_t component, std::uint32_t cell) const {
  return components_[component]->cell_of(layout_, pool_.key(cell));
}

JointTables::Index JointTables::make_index(std::size_t component, LocalSet set) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < n_stored_; ++i)
    pairs.emplace_back(components_[component]->project_cell(component_cell(component, i), set), i);
  std::sort(pairs.begin(), pairs.end());
  Index out;
  for (const auto& p : pairs) {
    out.value.push_back(p.first);
    out.order.push_back(p.second);
  }
  return out;
}

const JointTables::Index& JointTables::cells_of(std::size_t component) {
  Index& index = cells_[component];
  if (index.order.empty()) index = make_index(component, components_[component]->all());
  return index;
}

void JointTables::change(std::uint32_t cell, std::int64_t by) {
  if (cell >= by_.size()) {
    by_.resize(pool_.size(), 0);
    is_touched_.resize(pool_.size(), 0);
  }
  if (!is_touched_[cell]) {
    is_touched_[cell] = 1;
    touched_.push_back(cell);
  }
  by_[cell] += by;
}

void JointTables::reset() {
  for (std::uint32_t cell : touched_) {
    by_[cell] = 0;
    is_touched_[cell] = 0;
  }
  touched_.clear();
}

CellChanges JointTables::changes() const {
  CellChanges out;
  for (std::uint32_t cell : touched_)
    if (by_[cell] != 0) out.push_back({cell, static_cast<std::int32_t>(by_[cell])});
  return out;
}

bool JointTables::same(std::uint32_t a, std::uint32_t b, const FieldMask& mask) const {
  const std::uint64_t *x = pool_.key(a), *y = pool_.key(b);
  for (std::size_t w = 0; w < mask.size(); ++w)
    if (((x[w] ^ y[w]) & mask[w]) != 0) return false;
  return true;
}

std::uint32_t JointTables::mixed(std::uint32_t keep, std::uint32_t take, const FieldMask& mask) {
  std::vector<std::uint64_t> key(mask.size());
  for (std::size_t w = 0; w < key.size(); ++w)
    key[w] = (pool_.key(keep)[w] & ~mask[w]) | (pool_.key(take)[w] & mask[w]);
  const std::uint32_t out = pool_.number(key.data());
  if (out >= by_.size()) {
    by_.resize(pool_.size(), 0);
    is_touched_.resize(pool_.size(), 0);
  }
  return out;
}

template <class Use>
void JointTables::visit(const Index& index, std::size_t component, LocalSet set,
                        std::uint32_t value, Use use) {
  const auto first = std::lower_bound(index.value.begin(), index.value.end(), value);
  for (auto at = first; at != index.value.end() && *at == value; ++at) {
    const std::uint32_t cell = index.order[static_cast<std::size_t>(at - index.value.begin())];
    if (count(cell) > 0 && use(cell)) return;
  }
  const ComponentTable& c = *components_[component];
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const std::uint32_t cell = touched_[i];
    if (cell < n_stored_ || count(cell) <= 0) continue;
    if (c.project_cell(component_cell(component, cell), set) == value && use(cell)) return;
  }
}

// One record of each.
void JointTables::swap_below(std::size_t j, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t a_new = mixed(a, b, below_[j]), b_new = mixed(b, a, below_[j]);
  change(a, -1);
  change(b, -1);
  change(a_new, 1);
  change(b_new, 1);
}

// A swap with a record that differs from the cell on both sides of a separator.
bool JointTables::take_one(std::uint32_t cell) {
  for (std::size_t j = 1; j < components_.size(); ++j) {
    const LocalSet set = components_[j]->local(tree_.separators[j]);
    std::uint32_t with = UINT32_MAX;
    visit(shared_[j], j, set, components_[j]->project_cell(component_cell(j, cell), set),
          [&](std::uint32_t other) {
            if (same(other, cell, below_[j]) || same(other, cell, above_[j])) return false;
            with = other;
            return true;
          });
    if (with == UINT32_MAX) continue;
    swap_below(j, cell, with);
    return true;
  }
  return false;
}

std::int64_t JointTables::empty_cell(std::uint32_t cell) {
  while (count(cell) > 0 && take_one(cell)) {
  }
  return count(cell);
}

void JointTables::lift(std::size_t component, const CellChanges& change_of) {
  const ComponentTable& c = *components_[component];
  std::vector<std::uint32_t> fall;              // a cell of the table for each record
  std::vector<std::uint32_t> fall_at, rise_at;  // cells of the component
  for (const CellChange& d : change_of) {
    for (std::int32_t k = 0; k < d.by; ++k) rise_at.push_back(d.cell);
    std::int32_t left = -d.by;
    if (left <= 0) continue;
    visit(cells_of(component), component, c.all(), d.cell, [&](std::uint32_t cell) {
      const auto take = static_cast<std::int32_t>(std::min<std::int64_t>(left, count(cell)));
      for (std::int32_t k = 0; k < take; ++k) {
        fall.push_back(cell);
        fall_at.push_back(d.cell);
      }
      left -= take;
      return left == 0;
    });
    if (left > 0)
      throw InfeasibleError("A certificate takes records that the table does not have.");
  }
  if (fall.size() != rise_at.size()) throw InfeasibleError("A certificate changes the total.");
  // What hangs on each separator is dealt in the order of the cells of the separator.
  const std::size_t n = fall.size(), words = layout_.n_words();
  std::vector<std::uint64_t> keys(n * words, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; v < c.size(); ++v)
      layout_.put(keys.data() + i * words, c.variables[v], c.level(rise_at[i], v));
  std::vector<std::size_t> givers(n), takers(n);
  for (std::size_t j : edges_[component]) {
    const LocalSet set = c.local(tree_.separators[j]);
    // The side of the separator that the component is not on.
    const FieldMask& side = j == component ? above_[j] : below_[j];
    for (std::size_t i = 0; i < n; ++i) givers[i] = takers[i] = i;
    const auto by = [&](const std::vector<std::uint32_t>& at) {
      return [&](std::size_t a, std::size_t b) {
        return c.project_cell(at[a], set) < c.project_cell(at[b], set);
      };
    };
    std::stable_sort(givers.begin(), givers.end(), by(fall_at));
    std::stable_sort(takers.begin(), takers.end(), by(rise_at));
    for (std::size_t i = 0; i < n; ++i) {
      if (c.project_cell(fall_at[givers[i]], set) != c.project_cell(rise_at[takers[i]], set))
        throw InfeasibleError("A certificate changes a separator.");
      for (std::size_t w = 0; w < words; ++w)
        keys[takers[i] * words + w] |=
            pool_.key(fall[givers[i]])[w] & side[w] & ~inside_[component][w];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    change(fall[i], -1);
    change(pool_.number(keys.data() + i * words), 1);
  }
}

void JointTables::gather(std::uint32_t cell, std::int64_t target) {
  std::vector<std::uint32_t> chosen;  // a cell for each record
  visit(cells_of(0), 0, components_[0]->all(), component_cell(0, cell), [&](std::uint32_t c) {
    for (std::int64_t k = count(c); k > 0 && static_cast<std::int64_t>(chosen.size()) < target; --k)
      chosen.push_back(c);
    return static_cast<std::int64_t>(chosen.size()) == target;
  });
  for (std::size_t j = 1; j < components_.size(); ++j) {
    const std::uint32_t here = component_cell(j, cell);
    for (std::uint32_t& record : chosen) {
      if (component_cell(j, record) == here) continue;
      std::uint32_t with = UINT32_MAX;
      visit(cells_of(j), j, components_[j]->all(), here, [&](std::uint32_t other) {
        if (count(other) <= std::count(chosen.begin(), chosen.end(), other)) return false;
        with = other;
        return true;
      });
      if (with == UINT32_MAX) throw InfeasibleError("A component has too few records of a cell.");
      const std::uint32_t after = mixed(record, with, below_[j]);
      swap_below(j, record, with);
      record = after;
    }
  }
}

}  // namespace sdclattice
