// Tables with totals for the tests of programmes: products of trees, some of their margins
// published, as suppression problems; and the slow twin, which goes through all small differences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "small_tables.hpp"
#include "suppress/suppression_problem.hpp"

namespace product_tables {

using namespace sdclattice;
using small_tables::Dice;
using Nodes = std::vector<int>;

// Node 0 of a variable is its total; parents[v][k] is the parent of node k, -1 for the total.
struct Product {
  std::vector<std::vector<int>> parents;
  std::vector<std::vector<char>> tables;  // of each variable, whether the table has it
  std::map<Nodes, std::int64_t> inner;    // by leaves
};

struct Wish {
  std::int64_t most_primary = 2, floor = 0, width = 1;
  bool cost_is_count = false, with_knowers = false;
};

inline bool is_leaf(const Product& p, std::size_t v, int node) {
  return std::find(p.parents[v].begin(), p.parents[v].end(), node) == p.parents[v].end();
}

inline bool is_published(const Product& p, const Nodes& cell) {
  for (const std::vector<char>& table : p.tables) {
    bool is_in = true;
    for (std::size_t v = 0; v < cell.size(); ++v) is_in = is_in && (table[v] || cell[v] == 0);
    if (is_in) return true;
  }
  return false;
}

// Calls visit for every cell that contains an inner one.
template <class Visit>
void each_above(const Product& p, const Nodes& leaf, Visit visit) {
  Nodes at = leaf;
  for (;;) {
    visit(static_cast<const Nodes&>(at));
    std::size_t v = 0;
    for (; v < at.size(); ++v) {
      if (at[v] != 0) {
        at[v] = p.parents[v][static_cast<std::size_t>(at[v])];
        break;
      }
      at[v] = leaf[v];
    }
    if (v == at.size()) return;
  }
}

template <class Visit>
void each_leaf(const Product& p, Visit visit) {
  std::vector<std::vector<int>> leaves(p.parents.size());
  for (std::size_t v = 0; v < leaves.size(); ++v)
    for (int k = 0; k < static_cast<int>(p.parents[v].size()); ++k)
      if (is_leaf(p, v, k)) leaves[v].push_back(k);
  std::vector<std::size_t> at(leaves.size(), 0);
  for (;;) {
    Nodes cell;
    for (std::size_t v = 0; v < at.size(); ++v) cell.push_back(leaves[v][at[v]]);
    visit(cell);
    std::size_t v = 0;
    while (v < at.size() && ++at[v] == leaves[v].size()) at[v++] = 0;
    if (v == at.size()) return;
  }
}

// The cells of the system: what is published and not 0, and what nobody sees and may be more
// than 0.
inline std::map<Nodes, std::int64_t> stored_cells(const Product& p) {
  std::map<Nodes, std::int64_t> value, out;
  for (const auto& [leaf, count] : p.inner)
    each_above(p, leaf, [&, n = count](const Nodes& cell) { value[cell] += n; });
  each_leaf(p, [&](const Nodes& leaf) {
    bool may = true;
    each_above(p, leaf, [&](const Nodes& cell) {
      may = may && (!is_published(p, cell) || value.count(cell) > 0);
    });
    if (!may) return;
    each_above(p, leaf,
               [&](const Nodes& cell) { out[cell] = value.count(cell) ? value[cell] : 0; });
  });
  return out;
}

inline void add_relation(LinearSystem& system, const std::map<Nodes, std::uint32_t>& number,
                         const Product& p, const Nodes& total, std::size_t v) {
  const auto put = [&](const Nodes& cell, std::int64_t a) {
    const auto at = number.find(cell);
    if (at == number.end()) return;
    system.cell.push_back(at->second);
    system.coefficient.push_back(a);
  };
  if (is_leaf(p, v, total[v])) return;
  put(total, -1);
  for (int k = 0; k < static_cast<int>(p.parents[v].size()); ++k)
    if (p.parents[v][static_cast<std::size_t>(k)] == total[v]) {
      Nodes part = total;
      part[v] = k;
      put(part, 1);
    }
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(0);
  system.row_upper.push_back(0);
}

// Who is alone in an inner cell knows it and the totals that are 1.
inline void add_knowers(const Product& p, const std::map<Nodes, std::uint32_t>& number,
                        SuppressionProblem& out) {
  for (const auto& [leaf, count] : p.inner) {
    if (count != 1) continue;
    std::vector<std::uint32_t> own;
    each_above(p, leaf, [&](const Nodes& cell) {
      const auto at = number.find(cell);
      if (at != number.end() && out.value[at->second] == 1) own.push_back(at->second);
    });
    std::sort(own.begin(), own.end());
    out.knowers.push_back(own);
  }
}

inline SuppressionProblem problem_of(const Product& p, const Wish& wish) {
  SuppressionProblem out;
  std::map<Nodes, std::uint32_t> number;
  for (const auto& [cell, count] : stored_cells(p)) {
    const auto i = static_cast<std::uint32_t>(number.size());
    number[cell] = i;
    const bool published = is_published(p, cell), primary = published && count <= wish.most_primary;
    out.value.push_back(count);
    out.system.lower.push_back(published ? wish.floor : 0);
    out.system.upper.push_back(kNoLimit);
    out.role.push_back(primary     ? CellRole::primary
                       : published ? CellRole::candidate
                                   : CellRole::unseen);
    out.cost.push_back(wish.cost_is_count ? std::max<std::int64_t>(count, 1) : 1);
    if (primary) out.demands.push_back({i, 0, 0, wish.width});
  }
  for (const auto& [cell, i] : number)
    for (std::size_t v = 0; v < cell.size(); ++v) add_relation(out.system, number, p, cell, v);
  if (wish.with_knowers) add_knowers(p, number, out);
  return out;
}

// Candidates that must stay published after all, by chance.
inline void open_some(Dice& dice, int share, SuppressionProblem& problem) {
  for (CellRole& role : problem.role)
    if (role == CellRole::candidate && dice.below(100) < share) role = CellRole::open;
}

inline Product flat(const std::vector<int>& levels) {
  Product out;
  for (const int n : levels) {
    out.parents.push_back(std::vector<int>(static_cast<std::size_t>(n) + 1, 0));
    out.parents.back()[0] = -1;
  }
  out.tables = {std::vector<char>(levels.size(), 1)};
  return out;
}

inline Product random_product(Dice& dice, Product shape, int share_of_zeros, int most) {
  each_leaf(shape, [&](const Nodes& leaf) {
    if (dice.below(100) >= share_of_zeros) shape.inner[leaf] = dice.between(1, most);
  });
  return shape;
}

inline std::vector<std::string> pieces(const std::string& text, char by) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) out.push_back(part);
  return out;
}

// As in the list of exact optima: "- 0 0|- 0 0" the parents of each variable, "110|101" the tables
// or "all", "1 2:3;2 1:4" counts by leaves.
inline Product parse(const std::string& parents, const std::string& tables,
                     const std::string& inner) {
  Product out;
  for (const std::string& variable : pieces(parents, '|')) {
    out.parents.emplace_back();
    for (const std::string& node : pieces(variable, ' '))
      out.parents.back().push_back(node == "-" ? -1 : std::stoi(node));
  }
  if (tables == "all") out.tables = {std::vector<char>(out.parents.size(), 1)};
  for (const std::string& table : pieces(tables == "all" ? "" : tables, '|')) {
    out.tables.emplace_back();
    for (const char c : table) out.tables.back().push_back(c == '1');
  }
  for (const std::string& cell : pieces(inner, ';')) {
    const std::vector<std::string> sides = pieces(cell, ':');
    Nodes leaf;
    for (const std::string& node : pieces(sides[0], ' ')) leaf.push_back(std::stoi(node));
    out.inner[leaf] = std::stoll(sides[1]);
  }
  return out;
}

// ---- the slow twin -----------------------------------------------------------------------------

// Every difference whose inner changes are at most `most`, as far as the limits allow it.
inline std::vector<std::vector<std::int64_t>> all_differences(const Product& p,
                                                              const SuppressionProblem& problem,
                                                              std::int64_t most) {
  std::vector<Nodes> leaves;
  std::map<Nodes, std::uint32_t> number;
  for (const auto& entry : stored_cells(p)) {
    const auto i = static_cast<std::uint32_t>(number.size());
    number[entry.first] = i;
    bool inner = true;
    for (std::size_t v = 0; v < p.parents.size(); ++v)
      inner = inner && is_leaf(p, v, entry.first[v]);
    if (inner) leaves.push_back(entry.first);
  }
  std::vector<std::vector<std::int64_t>> out;
  small_tables::each_between(
      small_tables::Whole(leaves.size(), -most), small_tables::Whole(leaves.size(), most),
      [&](const small_tables::Whole& x) {
        std::vector<std::int64_t> d(problem.n_cells(), 0);
        for (std::size_t k = 0; k < leaves.size(); ++k)
          if (x[k] != 0)
            each_above(p, leaves[k], [&](const Nodes& cell) { d[number.at(cell)] += x[k]; });
        for (std::size_t i = 0; i < d.size(); ++i)
          if (problem.value[i] + d[i] < problem.system.lower[i]) return;
        out.push_back(d);
      });
  return out;
}

inline bool agrees(const SuppressionProblem& problem, const std::vector<char>& hidden,
                   std::uint32_t knower, const std::vector<std::int64_t>& d) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (d[i] == 0 || problem.role[i] == CellRole::unseen) continue;
    if (!hidden[i] || problem.role[i] == CellRole::open) return false;
  }
  if (knower == OpenDemand::kNobody) return true;
  for (const std::uint32_t i : problem.knowers[knower])
    if (d[i] != 0) return false;
  return true;
}

// Whether the demand is met against a reader, by the differences of a list.
inline bool is_met(const SuppressionProblem& problem, const std::vector<char>& hidden,
                   const Demand& demand, std::uint32_t knower,
                   const std::vector<std::vector<std::int64_t>>& differences) {
  std::int64_t most = 0, least = 0;
  for (const auto& d : differences) {
    if (d[demand.cell] <= most && d[demand.cell] >= least) continue;
    if (!agrees(problem, hidden, knower, d)) continue;
    most = std::max(most, d[demand.cell]);
    least = std::min(least, d[demand.cell]);
  }
  return most >= demand.up && -least >= demand.down && most - least >= demand.slide;
}

// The pairs of a demand and a reader that are not met; the outsider alone where she is one.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
inline Pairs unmet(const SuppressionProblem& problem, const std::vector<char>& hidden,
                   const std::vector<std::vector<std::int64_t>>& differences) {
  Pairs out;
  for (std::uint32_t d = 0; d < problem.demands.size(); ++d) {
    const Demand& demand = problem.demands[d];
    if (!is_met(problem, hidden, demand, OpenDemand::kNobody, differences)) {
      out.emplace_back(d, OpenDemand::kNobody);
      continue;
    }
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k) {
      const std::vector<std::uint32_t>& own = problem.knowers[k];
      if (!std::binary_search(own.begin(), own.end(), demand.cell) &&
          !is_met(problem, hidden, demand, k, differences))
        out.emplace_back(d, k);
    }
  }
  return out;
}

// Whether a list like this says that the demand is not met against the reader.
inline bool has(const Pairs& list, std::uint32_t demand, std::uint32_t reader) {
  return std::binary_search(list.begin(), list.end(), std::make_pair(demand, reader)) ||
         std::binary_search(list.begin(), list.end(), std::make_pair(demand, OpenDemand::kNobody));
}

inline Pairs pairs_of(const std::vector<OpenDemand>& open) {
  Pairs out;
  for (const OpenDemand& o : open) out.emplace_back(o.demand, o.knower);
  std::sort(out.begin(), out.end());
  return out;
}

// The candidates that a difference changes, as bits by their order.
inline std::uint64_t candidates_of(const SuppressionProblem& problem,
                                   const std::vector<std::int64_t>& d) {
  std::uint64_t out = 0, bit = 1;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (problem.role[i] != CellRole::candidate) continue;
    if (d[i] != 0) out |= bit;
    bit <<= 1;
  }
  return out;
}

// The least cost of a pattern that meets all demands of width 1 that can be met, by trying every
// set of candidates.
inline std::int64_t least_cost(const SuppressionProblem& problem,
                               const std::vector<std::vector<std::int64_t>>& differences) {
  std::vector<std::int64_t> cost;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate) cost.push_back(problem.cost[i]);
  const std::vector<char> all(problem.n_cells(), 1);
  std::vector<std::vector<std::uint64_t>> ways;
  const auto list = [&](std::uint32_t cell, std::uint32_t knower) {
    std::vector<std::uint64_t> own;
    for (const auto& d : differences)
      if (d[cell] != 0 && agrees(problem, all, knower, d)) own.push_back(candidates_of(problem, d));
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    if (!own.empty()) ways.push_back(own);
  };
  for (const Demand& demand : problem.demands) {
    list(demand.cell, OpenDemand::kNobody);
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k)
      if (!std::binary_search(problem.knowers[k].begin(), problem.knowers[k].end(), demand.cell))
        list(demand.cell, k);
  }
  std::int64_t least = INT64_MAX;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << cost.size(); ++set) {
    std::int64_t own = 0;
    for (std::size_t k = 0; k < cost.size(); ++k) own += (set >> k & 1) != 0 ? cost[k] : 0;
    if (own < least && std::all_of(ways.begin(), ways.end(), [&](const auto& w) {
          return std::any_of(w.begin(), w.end(), [&](std::uint64_t m) { return (m & ~set) == 0; });
        }))
      least = own;
  }
  return least;
}

}  // namespace product_tables
