#include "suppress/stored_cells.hpp"

#include <algorithm>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

StoredCells::StoredCells(std::vector<NodeFamilies> variables,
                         const std::vector<std::uint32_t>& leaves,
                         const std::vector<std::int64_t>& counts,
                         const std::vector<TableCrossing>& crossings, const StoredLimits& limits)
    : variables_(std::move(variables)), max_cells_(limits.max_cells) {
  if (variables_.empty() || leaves.size() != counts.size() * variables_.size() ||
      limits.rises.size() % variables_.size() != 0)
    throw InputError("Each inner cell must have a leaf of each variable, and one count.");
  pack();
  for (const NodeFamilies& variable : variables_) set_above(variable);
  if (limits.zeros_rise) each_combination(limits, [this](std::uint64_t key) { add_inner(key, 0); });
  for (std::size_t i = 0; i < counts.size(); ++i) {
    poll_at(i);
    if (counts[i] < 0) throw InputError("Counts must not be negative.");
    const std::uint64_t key = key_of_leaves(leaves.data() + i * variables_.size());
    if (counts[i] > 0) add_inner(key, counts[i]);
  }
  for (std::size_t i = 0; i < limits.rises.size(); i += variables_.size())
    add_inner(key_of_leaves(limits.rises.data() + i), 0);
  set_crossings(crossings);
  if (!limits.zeros_rise) add_rises(limits);
  publish();
  set_fibres();
}

// A field of bits for each variable.
void StoredCells::pack() {
  unsigned used = 0;
  for (const NodeFamilies& variable : variables_) {
    unsigned bits = 1;
    while ((std::uint64_t{1} << bits) < variable.n_nodes) ++bits;
    shift_.push_back(used);
    mask_.push_back((std::uint64_t{1} << bits) - 1);
    used += bits;
    if (used > 64)
      throw TooLargeError("The table has too many variables and totals for keys of 64 bits.");
  }
}

void StoredCells::set_above(const NodeFamilies& variable) {
  std::vector<std::vector<std::uint32_t>> parents(variable.n_nodes);
  std::vector<char> leaf(variable.n_nodes, 1);
  for (std::size_t f = 0; f < variable.n_families(); ++f) {
    leaf[variable.parent[f]] = 0;
    for (std::size_t e = variable.start[f]; e < variable.start[f + 1]; ++e)
      parents[variable.child[e]].push_back(variable.parent[f]);
  }
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> all, found;
  for (std::uint32_t node = 0; node < variable.n_nodes; ++node) {
    found.assign(1, node);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const std::uint32_t parent : parents[found[i]])
        if (std::find(found.begin(), found.end(), parent) == found.end()) found.push_back(parent);
    std::sort(found.begin(), found.end());
    all.insert(all.end(), found.begin(), found.end());
    start.push_back(all.size());
  }
  is_leaf_.push_back(std::move(leaf));
  above_.push_back(std::move(all));
  above_start_.push_back(std::move(start));
}

std::uint64_t StoredCells::key_of(const std::uint32_t* nodes) const {
  std::uint64_t key = 0;
  for (std::size_t v = 0; v < variables_.size(); ++v) key |= std::uint64_t{nodes[v]} << shift_[v];
  return key;
}

std::uint64_t StoredCells::key_of_leaves(const std::uint32_t* nodes) const {
  for (std::size_t v = 0; v < variables_.size(); ++v)
    if (nodes[v] >= variables_[v].n_nodes || !is_leaf(v, nodes[v]))
      throw InputError("An inner cell must have leaves alone.");
  return key_of(nodes);
}

bool StoredCells::is_inner(std::uint32_t cell) const {
  for (std::size_t v = 0; v < variables_.size(); ++v)
    if (!is_leaf(v, node(key(cell), v))) return false;
  return true;
}

void StoredCells::add_inner(std::uint64_t key, std::int64_t count) {
  each_above(key, [&](std::uint64_t above) {
    const std::uint32_t cell = cells_.number(&above);
    if (cell == value_.size()) {
      if (cell >= max_cells_)
        throw TooLargeError("The table has more cells, with its totals, than allowed.");
      value_.push_back(0);
    }
    value_[cell] = checked_sum(value_[cell], count, "The counts add up to more than 2^63.");
  });
}

// ---- crossings ---------------------------------------------------------------------------------

void StoredCells::set_crossings(const std::vector<TableCrossing>& crossings) {
  for (const TableCrossing& crossing : crossings) {
    if (crossing.size() != variables_.size())
      throw InputError("A crossing must have nodes of each variable.");
    NodeSets sets;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      sets.emplace_back(variables_[v].n_nodes, 0);
      for (const std::uint32_t node : crossing[v]) {
        if (node >= variables_[v].n_nodes) throw InputError("A crossing has an unknown node.");
        sets[v][node] = 1;
      }
    }
    crossings_.push_back(std::move(sets));
  }
}

bool StoredCells::is_in(const NodeSets& crossing, std::uint64_t key) const {
  for (std::size_t v = 0; v < variables_.size(); ++v)
    if (!crossing[v][node(key, v)]) return false;
  return true;
}

void StoredCells::publish() {
  is_published_.assign(n_cells(), crossings_.empty());
  for (std::uint32_t cell = 0; cell < n_cells(); ++cell) {
    poll_at(cell);
    for (const NodeSets& crossing : crossings_)
      if (!is_published_[cell]) is_published_[cell] = is_in(crossing, key(cell));
  }
}

bool StoredCells::shows_all_leaves(const NodeSets& crossing) const {
  for (std::size_t v = 0; v < variables_.size(); ++v)
    for (std::uint32_t node = 0; node < variables_[v].n_nodes; ++node)
      if (is_leaf(v, node) && !crossing[v][node]) return false;
  return true;
}

// All combinations of leaves.
template <class Visit>
void StoredCells::each_combination(const StoredLimits& limits, Visit visit) const {
  std::vector<std::vector<std::uint32_t>> leaves(variables_.size());
  double n_inner = 1;
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    for (std::uint32_t node = 0; node < variables_[v].n_nodes; ++node)
      if (is_leaf(v, node)) leaves[v].push_back(node);
    n_inner *= static_cast<double>(leaves[v].size());
  }
  if (n_inner > static_cast<double>(limits.max_rises))
    throw TooLargeError("The table has more cells of all its variables, zeros too, than allowed.");
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_inner); ++i) {
    poll_at(i);
    std::uint64_t key = 0;
    std::size_t rest = i;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      key = beside(key, v, leaves[v][rest % leaves[v].size()]);
      rest /= leaves[v].size();
    }
    visit(key);
  }
}

// Nothing that is not published rises where a crossing has all inner cells.
void StoredCells::add_rises(const StoredLimits& limits) {
  if (std::all_of(crossings_.begin(), crossings_.end(),
                  [this](const NodeSets& crossing) { return !shows_all_leaves(crossing); }) &&
      !crossings_.empty()) {
    std::vector<std::uint64_t> rises;
    each_combination(limits, [&](std::uint64_t key) {
      if (may_rise(key)) rises.push_back(key);
    });
    for (const std::uint64_t key : rises) add_inner(key, 0);
  }
}

bool StoredCells::may_rise(std::uint64_t key) const {
  return std::all_of(crossings_.begin(), crossings_.end(),
                     [&](const NodeSets& crossing) { return is_nonzero_above(key, crossing, 0); });
}

// Are all cells of the crossing above this one not zero?
bool StoredCells::is_nonzero_above(std::uint64_t key, const NodeSets& crossing,
                                   std::size_t variable) const {
  if (variable == variables_.size()) return find(key) != kNone;
  for (const std::uint32_t node : above(variable, this->node(key, variable)))
    if (crossing[variable][node] &&
        !is_nonzero_above(beside(key, variable, node), crossing, variable + 1))
      return false;
  return true;
}

// ---- fibres ------------------------------------------------------------------------------------

void StoredCells::set_fibres() {
  fibres_.resize(variables_.size());
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    Fibres& fibres = fibres_[v];
    std::vector<std::size_t> size;
    const auto each = [&](auto visit) {
      for (std::uint32_t cell = 0; cell < n_cells(); ++cell) {
        poll_at(cell);
        const std::uint32_t leaf = node(key(cell), v);
        const std::uint64_t stripped = beside(key(cell), v, 0);
        if (is_leaf(v, leaf)) visit(fibres.keys.number(&stripped), leaf);
      }
    };
    each([&](std::uint32_t fibre, std::uint32_t) {
      if (fibre == size.size()) size.push_back(0);
      ++size[fibre];
    });
    fibres.start.assign(size.size() + 1, 0);
    for (std::size_t f = 0; f < size.size(); ++f) fibres.start[f + 1] = fibres.start[f] + size[f];
    fibres.leaf.resize(fibres.start.back());
    each([&](std::uint32_t fibre, std::uint32_t leaf) {
      fibres.leaf[fibres.start[fibre + 1] - size[fibre]--] = leaf;
    });
  }
}

NodeRange StoredCells::fibre(std::uint64_t key, std::size_t variable) const {
  const Fibres& fibres = fibres_[variable];
  const std::uint64_t stripped = beside(key, variable, 0);
  const std::uint32_t found = fibres.keys.find(&stripped);
  if (found == kNone) return {};
  const std::uint32_t* all = fibres.leaf.data();
  return {all + fibres.start[found], all + fibres.start[found + 1]};
}

}  // namespace sdclattice
