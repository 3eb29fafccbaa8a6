// Small published tables with trees and crossings for the tests of this room, and slow answers
// about them by sets of levels: nothing here calls the core but merge_labels().
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "linear/node_families.hpp"
#include "small_tables.hpp"
#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace small_published {

using small_tables::Dice;
using Nodes = std::vector<std::uint32_t>;  // of each variable
using Sums = std::map<Nodes, std::int64_t>;

struct TreeVariable {
  sdclattice::LabelNodes nodes;
  std::vector<std::set<std::uint32_t>> levels;  // of each node
  std::uint32_t n_levels = 0;
};

inline TreeVariable tree_variable(std::uint32_t n_levels,
                                  const std::vector<std::vector<std::uint32_t>>& held,
                                  const std::vector<std::vector<std::uint32_t>>& trees) {
  TreeVariable out;
  out.n_levels = n_levels;
  out.nodes = sdclattice::merge_labels(n_levels, held, trees);
  out.levels.resize(out.nodes.families.n_nodes);
  for (std::uint32_t i = 0; i < n_levels; ++i) {
    out.levels[i].insert(i);
    out.levels[out.nodes.root].insert(i);
  }
  for (std::size_t k = 0; k < held.size(); ++k)
    out.levels[out.nodes.node[n_levels + k]].insert(held[k].begin(), held[k].end());
  return out;
}

// Flat, one level, a tree, two trees, a tree with a part of one level.
inline TreeVariable random_tree_variable(Dice& dice, bool small) {
  switch (dice.below(small ? 4 : 7)) {
    case 0:
      return tree_variable(1, {}, {});
    case 1:
      return tree_variable(2, {}, {});
    case 2:
      return tree_variable(3, {{0, 1}, {2}}, {{0, 1}});
    case 3:
      return tree_variable(3, {}, {});
    case 4:
      return tree_variable(4, {{0, 1}, {2, 3}, {0, 2}, {1, 3}}, {{0, 1}, {2, 3}});
    case 5:
      return tree_variable(4, {{0, 1, 2}, {0, 1}}, {{0, 1}});
    default:
      return tree_variable(5, {{0, 1}, {2, 3, 4}}, {{0, 1}});
  }
}

struct PublishedTable {
  std::vector<TreeVariable> variables;
  std::vector<sdclattice::TableCrossing> crossings;
  std::vector<Nodes> inner;  // all combinations of levels
  std::vector<std::int64_t> counts;

  std::vector<sdclattice::NodeFamilies> families() const {
    std::vector<sdclattice::NodeFamilies> out;
    for (const TreeVariable& variable : variables) out.push_back(variable.nodes.families);
    return out;
  }
  sdclattice::StoredCells stored(const sdclattice::StoredLimits& limits = {}) const {
    std::vector<std::uint32_t> leaves;
    for (const Nodes& nodes : inner) leaves.insert(leaves.end(), nodes.begin(), nodes.end());
    return sdclattice::StoredCells(families(), leaves, counts, crossings, limits);
  }
  bool is_below(const Nodes& leaves, const Nodes& cell) const {
    for (std::size_t v = 0; v < cell.size(); ++v)
      if (variables[v].levels[cell[v]].count(leaves[v]) == 0) return false;
    return true;
  }
  bool is_published(const Nodes& cell) const {
    for (const auto& crossing : crossings) {
      bool has = true;
      for (std::size_t v = 0; v < cell.size(); ++v)
        has = has && std::count(crossing[v].begin(), crossing[v].end(), cell[v]) > 0;
      if (has) return true;
    }
    return crossings.empty();
  }
  // All cells that the nodes make.
  std::vector<Nodes> cells() const {
    std::vector<Nodes> out(1);
    for (const TreeVariable& variable : variables) {
      std::vector<Nodes> longer;
      for (const Nodes& nodes : out)
        for (std::uint32_t node = 0; node < variable.levels.size(); ++node) {
          longer.push_back(nodes);
          longer.back().push_back(node);
        }
      out = std::move(longer);
    }
    return out;
  }
  // Of all cells, from any counts or changes of the inner ones.
  Sums sums(const std::vector<std::int64_t>& of) const {
    Sums out;
    for (const Nodes& cell : cells()) {
      std::int64_t& sum = out[cell];
      for (std::size_t i = 0; i < inner.size(); ++i) sum += is_below(inner[i], cell) ? of[i] : 0;
    }
    return out;
  }
};

// Some crossings: pairs of variables, or one of all.
inline void link(PublishedTable& table, Dice& dice) {
  const std::size_t k = table.variables.size();
  if (k < 2 || dice.below(2) == 0) return;
  for (std::size_t without = 0; without < k; ++without) {
    if (without > 1 && dice.below(2) == 0) continue;
    sdclattice::TableCrossing crossing;
    for (std::size_t v = 0; v < k; ++v) {
      crossing.emplace_back();
      for (std::uint32_t node = 0; node < table.variables[v].levels.size(); ++node)
        if (v != without || node == table.variables[v].nodes.root) crossing[v].push_back(node);
    }
    table.crossings.push_back(crossing);
  }
}

inline PublishedTable random_published(Dice& dice, std::size_t most_inner, bool small) {
  for (;;) {
    PublishedTable out;
    std::size_t n = 1;
    for (int k = dice.between(1, 3); k > 0; --k) {
      out.variables.push_back(random_tree_variable(dice, small));
      n *= out.variables.back().n_levels;
    }
    if (n > most_inner) continue;
    const int largest = dice.between(1, 5), zeros = dice.below(3);
    for (std::size_t i = 0; i < n; ++i) {
      Nodes nodes;
      std::size_t rest = i;
      for (const TreeVariable& variable : out.variables) {
        nodes.push_back(static_cast<std::uint32_t>(rest % variable.n_levels));
        rest /= variable.n_levels;
      }
      out.inner.push_back(nodes);
      out.counts.push_back(dice.below(4) < zeros ? 0 : dice.between(0, largest));
    }
    link(out, dice);
    return out;
  }
}

inline Nodes nodes_of(const sdclattice::StoredCells& cells, std::uint32_t cell) {
  Nodes out;
  for (std::size_t v = 0; v < cells.n_variables(); ++v)
    out.push_back(cells.node(cells.key(cell), v));
  return out;
}

// Is the certificate a change of the inner cells alone, with what follows for all other cells? It
// must leave every published cell that is not hidden as it is, and published zeros above all.
inline bool is_witness(const PublishedTable& table, const sdclattice::StoredCells& cells,
                       const std::vector<char>& hidden, std::int64_t floor,
                       const sdclattice::Certificate& certificate) {
  Sums given;
  for (std::size_t i = 0; i < certificate.cell.size(); ++i)
    given[nodes_of(cells, certificate.cell[i])] = certificate.change[i];
  std::vector<std::int64_t> inner;
  for (const Nodes& nodes : table.inner) inner.push_back(given.count(nodes) ? given[nodes] : 0);
  const Sums truth = table.sums(table.counts), changes = table.sums(inner);
  std::size_t n_changed = 0;
  for (const auto& change : changes) {
    const std::uint32_t cell = cells.find(cells.key_of(change.first.data()));
    if (change.second != (given.count(change.first) ? given[change.first] : 0)) return false;
    n_changed += change.second != 0;
    const bool is_seen = table.is_published(change.first);
    const std::int64_t now = truth.at(change.first) + change.second;
    if (now < 0 || (is_seen && truth.at(change.first) > 0 && now < floor)) return false;
    if (is_seen && change.second != 0 &&
        (cell == sdclattice::StoredCells::kNone || !hidden[cell] || truth.at(change.first) == 0))
      return false;
  }
  return n_changed == given.size() && n_changed > 0;
}

}  // namespace small_published
