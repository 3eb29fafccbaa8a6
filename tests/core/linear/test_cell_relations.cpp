// Systems in cells against all tables of their finest cells, which are listed one by one.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/cell_relations.hpp"
#include "linear/integer_bounds.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

using Set = std::vector<std::uint32_t>;
constexpr std::uint32_t kNone = CellRelations::kNone;

struct Variable {
  LabelNodes nodes;
  std::vector<std::set<std::uint32_t>> levels;  // of each node
  std::size_t n_levels = 0;
};

Variable make_variable(std::size_t n_levels, const std::vector<Set>& held,
                       const std::vector<Set>& trees) {
  Variable out;
  out.n_levels = n_levels;
  out.nodes = merge_labels(n_levels, held, trees);
  out.levels.resize(out.nodes.families.n_nodes);
  for (std::uint32_t i = 0; i < n_levels; ++i) {
    out.levels[i].insert(i);
    out.levels[out.nodes.root].insert(i);
  }
  for (std::size_t k = 0; k < held.size(); ++k)
    out.levels[out.nodes.node[n_levels + k]].insert(held[k].begin(), held[k].end());
  return out;
}

Variable random_variable(Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return make_variable(1, {}, {});
    case 1:
      return make_variable(2, {{0, 1}}, {{0}});
    case 2:
      return make_variable(3, {{0, 1, 2}, {0, 1}, {2}}, {{0, 1, 2}});
    case 3:
      return make_variable(3, {{0, 1, 2}, {0, 1}, {1, 2}}, {{0, 1}, {0, 2}});
    default:
      return make_variable(2, {}, {});
  }
}

struct Table {
  std::vector<Variable> variables;
  std::vector<Set> cells;                          // the nodes of each
  std::vector<std::vector<std::uint32_t>> leaves;  // of each cell, numbers of finest cells
  std::size_t n_leaves = 1;
};

Table random_table(Dice& dice) {
  Table out;
  std::size_t n_cells = 1;
  for (int v = 1 + dice.below(3); v > 0; --v) {
    Variable next = random_variable(dice);
    if (out.n_leaves * next.n_levels > 8) next = make_variable(1, {}, {});
    out.n_leaves *= next.n_levels;
    n_cells *= next.levels.size();
    out.variables.push_back(next);
  }
  for (std::size_t c = 0; c < n_cells; ++c) {
    Set nodes, leaves{0};
    std::size_t rest = c, stride = 1;
    for (const Variable& variable : out.variables) {
      nodes.push_back(static_cast<std::uint32_t>(rest % variable.levels.size()));
      rest /= variable.levels.size();
      Set next;
      for (const std::uint32_t leaf : leaves)
        for (const std::uint32_t level : variable.levels[nodes.back()])
          next.push_back(leaf + static_cast<std::uint32_t>(stride * level));
      stride *= variable.n_levels;
      leaves = next;
    }
    out.cells.push_back(nodes);
    out.leaves.push_back(leaves);
  }
  return out;
}

std::int64_t sum_of(const Whole& x, const Set& leaves) {
  std::int64_t out = 0;
  for (const std::uint32_t leaf : leaves) out += x[leaf];
  return out;
}

std::vector<NodeFamilies> families_of(const Table& table) {
  std::vector<NodeFamilies> out;
  for (const Variable& variable : table.variables) out.push_back(variable.nodes.families);
  return out;
}
Set whole_box(const Table& table) {
  return Set(table.variables.size(), 9);
}

// A release of some cells of a true table: exact, within limits, or named only.
struct Release {
  std::vector<std::size_t> cells;
  Whole lower, upper;
};
Release random_release(Dice& dice, const Table& table, const Whole& truth, int share) {
  Release out;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    const bool total = table.leaves[c].size() == table.n_leaves;
    if (!total && dice.below(10) >= share) continue;
    const std::int64_t value = sum_of(truth, table.leaves[c]);
    const int kind = total ? 0 : dice.below(4);
    out.cells.push_back(c);
    out.lower.push_back(kind < 2 ? value : kind == 2 ? std::max<std::int64_t>(0, value - 1) : 0);
    out.upper.push_back(kind < 2 ? value : kind == 2 ? value + 1 : kNoLimit);
  }
  return out;
}

CellRelations make_relations(const Table& table, const Release& release, Set& numbers) {
  CellRelations out(families_of(table), 10000);
  for (std::size_t i = 0; i < release.cells.size(); ++i)
    numbers.push_back(out.add(table.cells[release.cells[i]], release.lower[i], release.upper[i]));
  return out;
}

void split_all(CellRelations& cells, const Table& table) {
  std::vector<CellRelations::Wanted> wanted;
  for (std::uint32_t c = 0; c < cells.n_cells(); ++c) wanted.emplace_back(c, 0);
  cells.split({whole_box(table)}, wanted);
}

}  // namespace

TEST(bounds_are_those_of_all_tables) {
  Dice dice(17);
  int open = 0, gaps = 0;
  const int n = check::cases(80, 1500);
  for (int round = 0; round < n; ++round) {
    const Table table = random_table(dice);
    Whole truth(table.n_leaves);
    std::int64_t total = 0;
    for (std::int64_t& x : truth) total += x = total < 4 ? dice.below(3) : 0;
    const Release release = random_release(dice, table, truth, 4 + 2 * dice.below(4));
    Whole least(release.cells.size(), kNoLimit), most(release.cells.size(), -1);
    each_between(Whole(table.n_leaves, 0), Whole(table.n_leaves, total), [&](const Whole& x) {
      Whole value;
      for (std::size_t i = 0; i < release.cells.size(); ++i) {
        value.push_back(sum_of(x, table.leaves[release.cells[i]]));
        if (value[i] < release.lower[i] || value[i] > release.upper[i]) return;
      }
      for (std::size_t i = 0; i < value.size(); ++i) {
        least[i] = std::min(least[i], value[i]);
        most[i] = std::max(most[i], value[i]);
      }
    });
    Set numbers;
    CellRelations cells = make_relations(table, release, numbers);
    const std::size_t before = cells.n_cells();
    split_all(cells, table);
    gaps += cells.n_cells() > before;
    const CellSystem found = cells.system(true);
    Set asked(found.cell.size());
    for (std::uint32_t i = 0; i < asked.size(); ++i) asked[i] = i;
    const IntegerBounds bounds = integer_bounds(found.system, asked, {}, {});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t unknown = found.unknown[numbers[i]];
      CHECK_EQ(unknown == kNone ? cells.lower(numbers[i]) : bounds.lower[unknown], least[i]);
      CHECK_EQ(unknown == kNone ? cells.upper(numbers[i]) : bounds.upper[unknown], most[i]);
      open += least[i] < most[i];
    }
  }
  CHECK(3 * open > 2 * n && 15 * gaps > n);
}

// What rows say: the parts of the family add up to the parent.
TEST(rows_say_what_adds_up) {
  Dice dice(18);
  for (int round = 0; round < 500; ++round) {
    const Table table = random_table(dice);
    Whole truth;
    for (std::size_t i = 0; i < table.n_leaves; ++i) truth.push_back(dice.below(9));
    Set numbers;
    CellRelations cells = make_relations(table, random_release(dice, table, truth, 10), numbers);
    const CellSystem all = cells.system(true), touching = cells.system(false);
    std::set<Set> rows, same;
    for (std::size_t r = 0; r < all.rows.size(); ++r) {
      const CellRow row = all.rows[r];
      const LinearSystem& system = all.system;
      CHECK_EQ(table.variables[row.variable].nodes.families.parent[row.family],
               cells.node(row.parent, row.variable));
      std::int64_t sum = 0;
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
        sum += system.coefficient[e] * sum_of(truth, table.leaves[all.cell[system.cell[e]]]);
      CHECK_EQ(sum, system.row_lower[r]);
      CHECK_EQ(sum, system.row_upper[r]);
      CHECK(system.start[r + 1] > system.start[r]);
      rows.insert({row.parent, row.variable, row.family});
    }
    for (const CellRow& row : touching.rows) same.insert({row.parent, row.variable, row.family});
    CHECK(rows == same);
    CHECK_EQ(touching.rows.size(), all.rows.size());
    CHECK_EQ(touching.system.lower, all.system.lower);
    CHECK_EQ(touching.system.upper, all.system.upper);
  }
}

// Twelve variables of 60 nodes need two words.
TEST(keys_of_many_variables) {
  std::vector<NodeFamilies> variables(12);
  for (NodeFamilies& variable : variables) variable.n_nodes = 60;
  const CellKeys keys(variables);
  CHECK_EQ(keys.width(), 2u);
  std::vector<std::uint64_t> key(keys.width(), 0);
  for (std::uint32_t v = 0; v < 12; ++v) keys.set(key.data(), v, 59 - v);
  keys.set(key.data(), 10, 7);
  for (std::uint32_t v = 0; v < 12; ++v) CHECK_EQ(keys.get(key.data(), v), v == 10 ? 7u : 59 - v);
}

TEST(contradictions_and_limits) {
  const Variable pair = make_variable(2, {{0, 1}}, {{0}});
  const auto relations = [&](std::size_t most) {
    return CellRelations({pair.nodes.families}, most);
  };
  CellRelations twice = relations(9);
  twice.add({0}, 0, 2);
  CHECK_THROWS(InfeasibleError, twice.add({0}, 3, 4));
  CellRelations wrong = relations(9);
  for (const std::uint32_t node : {0u, 1u, 2u}) wrong.add({node}, 1, 1);
  CHECK_EQ(wrong.system(false).rows.size(), 0u);
  CHECK_THROWS(InfeasibleError, wrong.system(true));
  CellRelations large = relations(9);
  large.add({0}, 5, 5);
  large.add({1}, 0, kNoLimit);
  large.add({2}, 4, 4);
  CHECK_THROWS(InfeasibleError, large.system(true));
  CellRelations full = relations(2);
  full.add({2}, 4, 4);
  CHECK_THROWS(TooLargeError, full.split({{1}}, {{0, 0}}));
}
