// Large releases for tests and benchmarks: hierarchical tables in two or three variables, alone or
// linked, with small counts suppressed, and dense three-way tables. The same numbers everywhere:
// the random numbers are SplitMix64's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "linear/linear.hpp"

namespace generated {

using sdclattice::LinearSystem;
using sdclattice::PublicRandom;
using Numbers = std::vector<std::size_t>;

// ---- random numbers ----------------------------------------------------------------------------

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed * 1000003) {}

  double uniform() { return random_.uniform() + 0x1p-54; }
  // Box and Muller; one number of the pair.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }
  std::int64_t poisson(double mean) {
    if (mean > 60)
      return std::max<std::int64_t>(
          0, static_cast<std::int64_t>(std::floor(mean + std::sqrt(mean) * normal() + .5)));
    const double least = std::exp(-mean);
    std::int64_t out = 0;
    for (double p = uniform(); p > least; p *= uniform()) ++out;
    return out;
  }

 private:
  PublicRandom random_;
};

// ---- a release ---------------------------------------------------------------------------------

// Node 0 is the root. Nodes are numbered level by level.
struct Tree {
  std::string name;
  std::vector<std::string> label{"Total"};
  Numbers parent{0};
  std::vector<Numbers> children{{}};
  Numbers leaves{0};

  // All nodes of a level have the same number of children.
  Tree(std::string variable, const std::vector<int>& branches) : name(std::move(variable)) {
    for (const int n : branches) {
      Numbers level;
      for (const std::size_t p : leaves)
        for (int k = 1; k <= n; ++k) level.push_back(add(p, k));
      leaves = level;
    }
  }
  std::size_t size() const { return label.size(); }
  // A leaf and all above it.
  Numbers above(std::size_t node) const {
    Numbers out{node};
    while (node != 0) out.push_back(node = parent[node]);
    return out;
  }

 private:
  std::size_t add(std::size_t p, int k) {
    const std::size_t node = size();
    label.push_back((p == 0 ? name : label[p] + ".") + std::to_string(k));
    parent.push_back(p);
    children.emplace_back();
    children[p].push_back(node);
    return node;
  }
};

// The cells of all tables, each once, and the rows: a cell and the children that it is the sum of.
struct Release {
  std::vector<Tree> trees;
  std::vector<Numbers> tables;                       // the variables of each
  std::vector<std::vector<std::uint32_t>> cells_of;  // of each table, its first variable fastest
  std::vector<std::int64_t> value, lower, upper;
  std::vector<Numbers> nodes;  // of each cell a node for each variable; the root where it has none
  std::vector<char> suppressed;
  std::vector<std::vector<std::uint32_t>> rows;  // the sum first

  std::size_t size() const { return value.size(); }
};

inline LinearSystem system_of(const Release& release) {
  LinearSystem out;
  out.lower = release.lower;
  out.upper = release.upper;
  for (const auto& row : release.rows) {
    for (const std::uint32_t cell : row) {
      out.cell.push_back(cell);
      out.coefficient.push_back(cell == row[0] ? 1 : -1);
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(0);
    out.row_upper.push_back(0);
  }
  return out;
}

// ---- how it is made ----------------------------------------------------------------------------

// Counts are Poisson, with means that vary by leaf and by cell. Counts from 1 to `primary` are
// suppressed, and then in each row with one suppressed cell its smallest other cell that is not
// zero. Where `known`, everybody knows that a primary cell lies between 1 and `primary`.
struct Plan {
  std::string name;
  int seed;
  std::vector<std::vector<int>> branches;
  std::vector<Numbers> tables;
  double mean, spread;
  std::int64_t primary;
  bool known;
};

inline const std::vector<Plan>& plans() {
  static const std::vector<Plan> all{
      {"h2a", 11, {{3, 3, 3}, {4, 3, 4}}, {{0, 1}}, 20, 1.2, 2, false},
      {"h2c", 13, {{6, 4, 8}, {8, 5, 6}}, {{0, 1}}, 12, 1.3, 3, true},
      {"h3a", 21, {{3, 2, 2}, {3, 2, 3}, {4}}, {{0, 1, 2}}, 15, 1.2, 2, false},
      {"h3c", 23, {{4, 3, 3}, {4, 3, 3}, {6}}, {{0, 1, 2}}, 15, 1.2, 2, false},
      {"h3e", 25, {{5, 3, 4}, {5, 4, 3}, {8}}, {{0, 1, 2}}, 8, 1.3, 2, false},
      {"l3a", 42, {{4, 3, 3}, {4, 3, 3}, {5}, {4}}, {{0, 1, 2}, {0, 1, 3}}, 5, 1.2, 2, false},
      {"big3", 51, {{5, 4, 5, 4}, {6, 5, 4}, {4}}, {{0, 1, 2}}, 10, 1.3, 2, false},
      {"big2", 52, {{8, 6, 6, 5}, {10, 6, 5, 4}}, {{0, 1}}, 10, 1.3, 2, false}};
  return all;
}

// n x n x n cells with a mean of 3, all their totals published; `hidden` is the share of the cells
// that are suppressed.
struct DensePlan {
  std::string name;
  int seed, n;
  double hidden;
};

inline const std::vector<DensePlan>& dense_plans() {
  static const std::vector<DensePlan> all{{"d8", 61, 8, 1},
                                          {"d10", 62, 10, 1},
                                          {"d12", 63, 12, 1},
                                          {"d20", 64, 20, 1},
                                          {"s12", 65, 12, .35}};
  return all;
}

namespace details {

// Adds 1 to the place whose digits run below `sizes`, the first fastest; false after the last.
inline bool next_place(Numbers& place, const Numbers& sizes) {
  for (std::size_t d = 0; d < place.size(); ++d) {
    if (++place[d] < sizes[d]) return true;
    place[d] = 0;
  }
  return false;
}

inline Numbers tree_sizes(const Release& release, std::size_t table) {
  Numbers out;
  for (const std::size_t v : release.tables[table]) out.push_back(release.trees[v].size());
  return out;
}

// Numbers the cells of all tables; a cell that two tables share has one number.
inline void number_cells(Release& release) {
  std::map<Numbers, std::uint32_t> number;
  for (std::size_t t = 0; t < release.tables.size(); ++t) {
    const Numbers sizes = tree_sizes(release, t);
    Numbers place(sizes.size(), 0);
    release.cells_of.emplace_back();
    do {
      Numbers nodes(release.trees.size(), 0);
      for (std::size_t d = 0; d < place.size(); ++d) nodes[release.tables[t][d]] = place[d];
      const auto found = number.emplace(nodes, static_cast<std::uint32_t>(release.nodes.size()));
      if (found.second) release.nodes.push_back(std::move(nodes));
      release.cells_of[t].push_back(found.first->second);
    } while (next_place(place, sizes));
  }
  release.value.assign(release.nodes.size(), 0);
}

// A row for each variable of each table and each cell whose node has children.
inline void add_rows(Release& release) {
  for (std::size_t t = 0; t < release.tables.size(); ++t) {
    const auto& cells = release.cells_of[t];
    std::size_t stride = 1;
    for (const std::size_t v : release.tables[t]) {
      const Tree& tree = release.trees[v];
      for (std::size_t q = 0; q < cells.size(); ++q) {
        const std::size_t node = q / stride % tree.size();
        if (tree.children[node].empty()) continue;
        release.rows.push_back({cells[q]});
        for (const std::size_t child : tree.children[node])
          release.rows.back().push_back(cells[q + (child - node) * stride]);
      }
      stride *= tree.size();
    }
  }
}

// Adds a count to the cells of a table that a combination of leaves belongs to.
inline void count(Release& release, std::size_t table, const Numbers& leaves, std::int64_t by) {
  Numbers at{0};
  std::size_t stride = 1;
  for (const std::size_t v : release.tables[table]) {
    Numbers next;
    for (const std::size_t a : at)
      for (const std::size_t node : release.trees[v].above(leaves[v]))
        next.push_back(a + node * stride);
    at = std::move(next);
    stride *= release.trees[v].size();
  }
  for (const std::size_t a : at) release.value[release.cells_of[table][a]] += by;
}

// Where tables share a cell, only the first of them has counted it.
inline void add_up(Release& release, const std::vector<std::pair<Numbers, std::int64_t>>& counts) {
  std::vector<std::int64_t> once(release.size(), 0);
  std::vector<char> known(release.size(), false);
  for (std::size_t t = 0; t < release.tables.size(); ++t) {
    release.value.assign(release.size(), 0);
    for (const auto& [leaves, by] : counts) count(release, t, leaves, by);
    for (const std::uint32_t cell : release.cells_of[t]) {
      if (!known[cell]) once[cell] = release.value[cell];
      known[cell] = true;
    }
  }
  release.value = std::move(once);
}

inline void suppress_another(Release& release, const std::vector<std::uint32_t>& row,
                             bool& changed) {
  std::size_t hidden = 0, best = SIZE_MAX;
  for (const std::uint32_t cell : row) {
    hidden += release.suppressed[cell] != 0;
    if (release.suppressed[cell] || release.value[cell] == 0) continue;
    if (best == SIZE_MAX || release.value[cell] < release.value[best]) best = cell;
  }
  if (hidden != 1 || best == SIZE_MAX) return;
  release.suppressed[best] = true;
  changed = true;
}

inline void set_limits(Release& release) {
  release.lower = release.upper = release.value;
  for (std::size_t i = 0; i < release.size(); ++i)
    if (release.suppressed[i]) {
      release.lower[i] = 0;
      release.upper[i] = release.value[0];
    }
}

inline void suppress(Release& release, const Plan& plan) {
  const auto is_primary = [&](std::int64_t x) { return 1 <= x && x <= plan.primary; };
  for (const std::int64_t x : release.value) release.suppressed.push_back(is_primary(x));
  bool changed = true;
  for (int k = 0; k < 40 && changed; ++k) {
    changed = false;
    for (const auto& row : release.rows) suppress_another(release, row, changed);
  }
  set_limits(release);
  for (std::size_t i = 0; plan.known && i < release.size(); ++i)
    if (is_primary(release.value[i])) {
      release.lower[i] = 1;
      release.upper[i] = plan.primary;
    }
}

// Counts of the cross of all leaves, the first variable fastest.
inline std::vector<std::pair<Numbers, std::int64_t>> draw(const Release& release,
                                                          const Plan& plan) {
  Source source(static_cast<std::uint64_t>(plan.seed));
  std::vector<std::vector<double>> weight;
  Numbers sizes;
  for (const Tree& tree : release.trees) {
    sizes.push_back(tree.leaves.size());
    weight.emplace_back();
    for (std::size_t i = 0; i < sizes.back(); ++i)
      weight.back().push_back(
          std::exp(plan.spread * source.normal() - plan.spread * plan.spread / 2));
  }
  std::vector<std::pair<Numbers, std::int64_t>> out;
  Numbers place(sizes.size(), 0);
  do {
    double mean = plan.mean;
    Numbers leaves;
    for (std::size_t v = 0; v < place.size(); ++v) {
      mean *= weight[v][place[v]];
      leaves.push_back(release.trees[v].leaves[place[v]]);
    }
    const std::int64_t x = source.poisson(mean * std::exp(.8 * source.normal()));
    if (x > 0) out.emplace_back(std::move(leaves), x);
  } while (next_place(place, sizes));
  return out;
}

inline Release without_counts(const std::vector<std::vector<int>>& branches,
                              const std::vector<Numbers>& tables) {
  Release out;
  const char* const names[] = {"R", "N", "S", "F"};
  for (std::size_t v = 0; v < branches.size(); ++v) out.trees.emplace_back(names[v], branches[v]);
  out.tables = tables;
  number_cells(out);
  add_rows(out);
  return out;
}

}  // namespace details

inline Release make(const Plan& plan) {
  Release out = details::without_counts(plan.branches, plan.tables);
  details::add_up(out, details::draw(out, plan));
  details::suppress(out, plan);
  return out;
}

inline Release make(const DensePlan& plan) {
  Release out = details::without_counts({{plan.n}, {plan.n}, {plan.n}}, {{0, 1, 2}});
  Source source(static_cast<std::uint64_t>(plan.seed));
  const Numbers sizes(3, static_cast<std::size_t>(plan.n));
  Numbers place(3, 0);
  do {
    details::count(out, 0, {place[0] + 1, place[1] + 1, place[2] + 1}, source.poisson(3));
  } while (details::next_place(place, sizes));
  for (const Numbers& nodes : out.nodes) {
    const bool inner = nodes[0] != 0 && nodes[1] != 0 && nodes[2] != 0;
    out.suppressed.push_back(inner && (plan.hidden >= 1 || source.uniform() < plan.hidden));
  }
  details::set_limits(out);
  return out;
}

}  // namespace generated
