// Small suppression problems for tests: tables by the parents of their nodes, with limits of any
// kind; and a twin that goes through all tables and all sets of cells. Nothing here calls the core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "linear/linear.hpp"
#include "small_tables.hpp"
#include "suppress/suppression_problem.hpp"

namespace small_suppressions {

using sdclattice::CellRole;
using sdclattice::Certificate;
using sdclattice::Demand;
using sdclattice::kNoLimit;
using sdclattice::OpenDemand;
using sdclattice::SuppressionProblem;
using small_tables::Dice;
using Nodes = std::vector<int>;

// A variable: the parent of each node, -1 of the total, which is node 0.
struct Variable {
  std::vector<int> parent;

  bool is_leaf(int node) const {
    return std::find(parent.begin(), parent.end(), node) == parent.end();
  }
  bool is_below(int node, int above) const {
    while (node != above && node >= 0) node = parent[static_cast<std::size_t>(node)];
    return node == above;
  }
};

inline Variable flat(int n) {
  Variable out{{-1}};
  out.parent.resize(static_cast<std::size_t>(n) + 1, 0);
  return out;
}

struct SmallTable {
  std::vector<Variable> variables;
  std::vector<std::vector<int>> tables;  // which variables each has; a cell in none is unseen
  std::map<Nodes, std::int64_t> inner;   // counts of cells of leaves

  bool is_below(const Nodes& cell, const Nodes& above) const {
    for (std::size_t v = 0; v < variables.size(); ++v)
      if (!variables[v].is_below(cell[v], above[v])) return false;
    return true;
  }
  std::int64_t value(const Nodes& cell) const {
    std::int64_t sum = 0;
    for (const auto& [leaf, count] : inner)
      if (is_below(leaf, cell)) sum += count;
    return sum;
  }
  bool is_published(const Nodes& cell) const {
    return std::any_of(tables.begin(), tables.end(), [&](const std::vector<int>& has) {
      for (std::size_t v = 0; v < cell.size(); ++v)
        if (cell[v] != 0 && has[v] == 0) return false;
      return true;
    });
  }
  template <class Visit>
  void each_cell(bool leaves, Visit&& visit) const {
    small_tables::Whole low(variables.size(), 0), high;
    for (const Variable& v : variables)
      high.push_back(static_cast<std::int64_t>(v.parent.size()) - 1);
    small_tables::each_between(low, high, [&](const small_tables::Whole& at) {
      const Nodes cell(at.begin(), at.end());
      for (std::size_t v = 0; v < cell.size() && leaves; ++v)
        if (!variables[v].is_leaf(cell[v])) return;
      visit(cell);
    });
  }
};

// What the readers know beforehand: cells that are published and not 0 are at least `floor`. Where
// there is a spread, no cell is further than that from its value.
struct Limits {
  std::int64_t floor = 0, spread = kNoLimit;
};

struct SmallProblem : SuppressionProblem {
  std::vector<Nodes> nodes;

  std::uint32_t find(const Nodes& cell) const {
    return static_cast<std::uint32_t>(std::find(nodes.begin(), nodes.end(), cell) - nodes.begin());
  }
};

// The cells that can change: those below no published zero.
inline std::vector<Nodes> open_cells(const SmallTable& table) {
  std::vector<Nodes> zeros, leaves, out;
  table.each_cell(false, [&](const Nodes& cell) {
    if (table.is_published(cell) && table.value(cell) == 0) zeros.push_back(cell);
  });
  table.each_cell(true, [&](const Nodes& leaf) {
    if (std::none_of(zeros.begin(), zeros.end(),
                     [&](const Nodes& zero) { return table.is_below(leaf, zero); }))
      leaves.push_back(leaf);
  });
  table.each_cell(false, [&](const Nodes& cell) {
    if (std::any_of(leaves.begin(), leaves.end(),
                    [&](const Nodes& leaf) { return table.is_below(leaf, cell); }))
      out.push_back(cell);
  });
  return out;
}

inline void add_relations(const SmallTable& table, SmallProblem& out) {
  for (const Nodes& cell : out.nodes)
    for (std::size_t v = 0; v < cell.size(); ++v) {
      if (table.variables[v].is_leaf(cell[v])) continue;
      small_tables::Whole row(out.nodes.size(), 0);
      row[out.find(cell)] = 1;
      const std::vector<int>& parent = table.variables[v].parent;
      for (std::size_t b = 0; b < parent.size(); ++b) {
        if (parent[b] != cell[v]) continue;
        Nodes part = cell;
        part[v] = static_cast<int>(b);
        if (out.find(part) < row.size()) row[out.find(part)] = -1;
      }
      small_tables::add_row(out.system, row, 0, 0);
    }
}

// Cells from 1 to max_n are primary, with `demand`; all others that are published are candidates,
// at cost 1 or, `by_count`, at their count.
inline SmallProblem problem_of(const SmallTable& table, int max_n, const Limits& limits,
                               Demand demand = {}, bool by_count = false) {
  SmallProblem out;
  out.nodes = open_cells(table);
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    const std::int64_t y = table.value(out.nodes[i]);
    const bool seen = table.is_published(out.nodes[i]);
    const bool ends = limits.spread < kNoLimit;
    const std::int64_t floor = seen ? limits.floor : 0;
    out.value.push_back(y);
    out.system.lower.push_back(ends ? std::max(floor, y - limits.spread) : floor);
    out.system.upper.push_back(ends ? y + limits.spread : kNoLimit);
    const bool primary = seen && y <= max_n;
    out.role.push_back(!seen     ? CellRole::unseen
                       : primary ? CellRole::primary
                                 : CellRole::candidate);
    out.cost.push_back(by_count && y > 0 ? y : 1);
    if (!primary) continue;
    demand.cell = static_cast<std::uint32_t>(i);
    out.demands.push_back(demand);
  }
  add_relations(table, out);
  return out;
}

// ---- from text ---------------------------------------------------------------------------------

inline std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

inline Nodes numbers_of(const std::string& text) {
  Nodes out;
  for (const std::string& word : parts_of(text, ' '))
    out.push_back(word == "-" ? -1 : std::stoi(word));
  return out;
}

inline SmallTable read_table(const std::string& parents, const std::string& tables,
                             const std::string& inner) {
  SmallTable out;
  for (const std::string& variable : parts_of(parents, '|'))
    out.variables.push_back({numbers_of(variable)});
  for (const std::string& table : parts_of(tables, '|')) {
    std::vector<int> has;
    for (std::size_t v = 0; v < out.variables.size(); ++v)
      has.push_back(table == "all" || table[v] == '1' ? 1 : 0);
    out.tables.push_back(has);
  }
  for (const std::string& cell : parts_of(inner, ';')) {
    const std::size_t colon = cell.find(':');
    out.inner[numbers_of(cell.substr(0, colon))] = std::stoi(cell.substr(colon + 1));
  }
  return out;
}

// ---- at random ---------------------------------------------------------------------------------

inline SmallTable random_table(Dice& dice, const std::vector<Variable>& variables, int most,
                               int zeros_of_8) {
  SmallTable out{variables, {std::vector<int>(variables.size(), 1)}, {}};
  out.each_cell(true, [&](const Nodes& leaf) {
    if (dice.below(8) >= zeros_of_8) out.inner[leaf] = dice.between(1, most);
  });
  return out;
}

// So many candidates at most; the others stay published.
inline void limit_candidates(SmallProblem& problem, Dice& dice, int most) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate) candidates.push_back(i);
  while (static_cast<int>(candidates.size()) > most) {
    const auto at = dice.below(static_cast<int>(candidates.size()));
    problem.role[candidates[static_cast<std::size_t>(at)]] = CellRole::open;
    candidates.erase(candidates.begin() + at);
  }
}

// Somebody for each of some cells, who knows that cell, now and then another one too.
inline void add_knowers(SmallProblem& problem, Dice& dice, int most) {
  const int n = static_cast<int>(problem.n_cells());
  for (int k = dice.below(most + 1); k > 0 && n > 0; --k) {
    std::vector<std::uint32_t> known{static_cast<std::uint32_t>(dice.below(n))};
    if (dice.below(3) == 0) known.push_back(static_cast<std::uint32_t>(dice.below(n)));
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    problem.knowers.push_back(known);
  }
}

inline Demand random_demand(Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return {0, 1, 0, 0};
    case 1:
      return {0, 0, 1, dice.between(1, 2)};
    case 2:
      return {0, dice.between(0, 2), dice.between(0, 2), dice.between(0, 3)};
    default:
      return {0, 0, 0, dice.between(1, 3)};
  }
}

// ---- the twin ----------------------------------------------------------------------------------

// All tables within the limits, as differences from the one that there is. The limits must end.
inline std::vector<small_tables::Whole> differences(const SmallTable& table,
                                                    const SmallProblem& problem) {
  std::vector<Nodes> leaves;
  small_tables::Whole low, high;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    const Nodes& cell = problem.nodes[i];
    bool is_leaf = true;
    for (std::size_t v = 0; v < cell.size(); ++v)
      is_leaf = is_leaf && table.variables[v].is_leaf(cell[v]);
    if (!is_leaf) continue;
    leaves.push_back(cell);
    low.push_back(problem.system.lower[i] - problem.value[i]);
    high.push_back(problem.system.upper[i] - problem.value[i]);
  }
  std::vector<std::vector<std::size_t>> below(problem.n_cells());
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    for (std::size_t l = 0; l < leaves.size(); ++l)
      if (table.is_below(leaves[l], problem.nodes[i])) below[i].push_back(l);
  std::vector<small_tables::Whole> out;
  small_tables::each_between(low, high, [&](const small_tables::Whole& change) {
    small_tables::Whole d(problem.n_cells(), 0);
    for (std::size_t i = 0; i < d.size(); ++i) {
      for (const std::size_t l : below[i]) d[i] += change[l];
      const std::int64_t x = problem.value[i] + d[i];
      if (x < problem.system.lower[i] || x > problem.system.upper[i]) return;
    }
    out.push_back(d);
  });
  return out;
}

// Demand against reader: SIZE_MAX is the outsider.
struct Question {
  std::size_t demand, knower;
};

inline std::vector<Question> questions(const SuppressionProblem& problem) {
  std::vector<Question> out;
  for (std::size_t d = 0; d < problem.demands.size(); ++d) {
    for (std::size_t k = 0; k < problem.knowers.size(); ++k) {
      const auto& known = problem.knowers[k];
      if (std::find(known.begin(), known.end(), problem.demands[d].cell) == known.end())
        out.push_back({d, k});
    }
    out.push_back({d, SIZE_MAX});
  }
  return out;
}

inline bool may_change(const SuppressionProblem& problem, const std::vector<char>& hidden,
                       std::size_t knower, std::size_t cell) {
  if (problem.role[cell] != CellRole::unseen && hidden[cell] == 0) return false;
  if (knower == SIZE_MAX) return true;
  const auto& known = problem.knowers[knower];
  return std::find(known.begin(), known.end(), cell) == known.end();
}

// By the definition of a demand.
inline bool is_met(const SuppressionProblem& problem, const Question& question,
                   const std::vector<char>& hidden, const std::vector<small_tables::Whole>& all) {
  const Demand& demand = problem.demands[question.demand];
  std::int64_t up = 0, down = 0;
  for (const small_tables::Whole& d : all) {
    if (d[demand.cell] <= up && -d[demand.cell] <= down) continue;
    bool agrees = true;
    for (std::size_t i = 0; i < d.size() && agrees; ++i)
      agrees = d[i] == 0 || may_change(problem, hidden, question.knower, i);
    if (!agrees) continue;
    up = std::max(up, d[demand.cell]);
    down = std::max(down, -d[demand.cell]);
  }
  return up >= demand.up && down >= demand.down && up + down >= demand.slide;
}

struct Least {
  std::int64_t cost = INT64_MAX;
  std::vector<char> is_impossible;  // of each question
};

using Judge = std::function<bool(const Question&, const std::vector<char>& hidden)>;

// The least cost over all sets of candidates that meet what all candidates together meet.
inline Least least_cost(const SuppressionProblem& problem, const Judge& judge) {
  const std::vector<Question> asked = questions(problem);
  std::vector<std::size_t> candidates;
  std::vector<char> hidden(problem.n_cells(), 0);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] = problem.role[i] == CellRole::primary ? 1 : 0;
    if (problem.role[i] == CellRole::candidate) candidates.push_back(i);
  }
  Least out;
  std::vector<char> all = hidden;
  for (const std::size_t i : candidates) all[i] = 1;
  for (const Question& q : asked) out.is_impossible.push_back(judge(q, all) ? 0 : 1);
  for (std::uint32_t set = 0; set < std::uint32_t{1} << candidates.size(); ++set) {
    std::vector<char> now = hidden;
    std::int64_t cost = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if ((set >> c & 1) == 0) continue;
      now[candidates[c]] = 1;
      cost += problem.cost[candidates[c]];
    }
    if (cost >= out.cost) continue;
    bool holds = true;
    for (std::size_t q = 0; q < asked.size() && holds; ++q)
      holds = out.is_impossible[q] != 0 || judge(asked[q], now);
    if (holds) out.cost = cost;
  }
  return out;
}

// ---- proofs ------------------------------------------------------------------------------------

// The certificates as whole differences, each checked: every relation, every limit, every cell that
// is published. Empty where one is none.
inline std::vector<small_tables::Whole> checked(const SuppressionProblem& problem,
                                                const std::vector<char>& hidden,
                                                const std::vector<Certificate>& certificates) {
  std::vector<small_tables::Whole> out;
  for (const Certificate& certificate : certificates) {
    small_tables::Whole d(problem.n_cells(), 0), x = problem.value;
    for (std::size_t e = 0; e < certificate.cell.size(); ++e)
      d[certificate.cell[e]] += certificate.change[e];
    for (std::size_t i = 0; i < d.size(); ++i) {
      x[i] += d[i];
      if (d[i] != 0 && !may_change(problem, hidden, SIZE_MAX, i)) return {};
      if (x[i] < problem.system.lower[i] || x[i] > problem.system.upper[i]) return {};
    }
    if (!small_tables::holds(problem.system, x)) return {};
    out.push_back(d);
  }
  return out;
}

// What least_cost() found that no pattern meets, as the core says it.
inline std::vector<OpenDemand> impossible(const SmallProblem& problem, const Least& least) {
  std::vector<OpenDemand> out;
  const std::vector<Question> asked = questions(problem);
  for (std::size_t q = 0; q < asked.size(); ++q) {
    if (least.is_impossible[q] == 0) continue;
    const bool nobody = asked[q].knower == SIZE_MAX;
    out.push_back({static_cast<std::uint32_t>(asked[q].demand),
                   nobody ? OpenDemand::kNobody : static_cast<std::uint32_t>(asked[q].knower),
                   true});
  }
  return out;
}

}  // namespace small_suppressions
