// Problems of tables against all tables of inner cells.
#include "base/error.hpp"
#include "check.hpp"
#include "small_published.hpp"
#include "suppress/table_problem.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

// The values of all stored cells for other inner counts.
std::vector<std::int64_t> values_of(const PublishedTable& table, const StoredCells& cells,
                                    const std::vector<std::int64_t>& inner) {
  std::vector<std::int64_t> out(cells.n_cells());
  const Sums sums = table.sums(inner);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    out[cell] = sums.at(nodes_of(cells, cell));
  return out;
}

// Inner counts for each inner cell, 0 where it is not stored.
std::vector<std::int64_t> random_inner(const PublishedTable& table, const StoredCells& cells,
                                       Dice& dice) {
  std::vector<std::int64_t> out;
  for (const Nodes& nodes : table.inner) {
    const bool stored = cells.find(cells.key_of(nodes.data())) != StoredCells::kNone;
    out.push_back(stored ? dice.below(4) : 0);
  }
  return out;
}

}  // namespace

TEST(the_system_has_the_tables_of_inner_cells) {
  Dice dice(2);
  for (int i = 0; i < 200; ++i) {
    const PublishedTable table = random_published(dice, 30, false);
    const StoredCells cells = table.stored();
    const SuppressionProblem problem = table_problem(cells, 0, true);
    CHECK(satisfies(problem.system, problem.value));
    for (int k = 0; k < 5; ++k) {
      const auto inner = random_inner(table, cells, dice);
      const auto value = values_of(table, cells, inner);
      CHECK(satisfies(problem.system, value));
      if (value.empty()) continue;
      // the inner cells determine all others, so no other value of a total is left
      auto other = value;
      const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(value.size())));
      ++other[cell];
      CHECK_EQ(satisfies(problem.system, other), problem.system.n_rows() == 0);
    }
  }
}

TEST(limits_and_roles_follow_what_is_published) {
  Dice dice(3);
  for (int i = 0; i < 100; ++i) {
    const PublishedTable table = random_published(dice, 30, false);
    const StoredCells cells = table.stored();
    const SuppressionProblem problem = table_problem(cells, 1, false);
    CHECK_EQ(problem.system.n_rows(), 0u);
    CHECK_EQ(problem.n_cells(), cells.n_cells());
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
      const bool seen = table.is_published(nodes_of(cells, cell));
      CHECK(problem.role[cell] == (seen ? CellRole::candidate : CellRole::unseen));
      CHECK_EQ(problem.system.lower[cell], seen ? 1 : 0);
      CHECK(problem.value[cell] >= problem.system.lower[cell]);
      CHECK_EQ(problem.cost[cell], 1);
    }
  }
}

TEST(who_is_alone_knows_the_cells_that_count_her_alone) {
  Dice dice(4);
  for (int i = 0; i < 100; ++i) {
    const PublishedTable table = random_published(dice, 30, false);
    const StoredCells cells = table.stored();
    const Sums truth = table.sums(table.counts);
    std::set<std::vector<std::uint32_t>> expected;
    std::size_t n = 0;
    for (std::size_t k = 0; k < table.inner.size(); ++k) {
      if (table.counts[k] != 1) continue;
      ++n;
      std::vector<std::uint32_t> known;
      for (const auto& cell : truth)
        if (cell.second == 1 && table.is_below(table.inner[k], cell.first) &&
            (cell.first == table.inner[k] || table.is_published(cell.first)))
          known.push_back(cells.find(cells.key_of(cell.first.data())));
      std::sort(known.begin(), known.end());
      expected.insert(known);
    }
    const auto found = knowers_of_ones(cells);
    CHECK_EQ(found.size(), n);
    CHECK(std::set<std::vector<std::uint32_t>>(found.begin(), found.end()) == expected);
  }
}

TEST(who_is_alone_does_not_know_totals_above_zeros_that_may_rise) {
  Dice dice(7);
  for (int i = 0; i < 50; ++i) {
    const StoredCells cells = random_published(dice, 30, false).stored();
    std::vector<char> unsure(cells.n_cells());
    for (char& flag : unsure) flag = static_cast<char>(dice.below(2));
    std::vector<std::vector<std::uint32_t>> expected = knowers_of_ones(cells);
    for (auto& known : expected)
      known.erase(
          std::remove_if(known.begin(), known.end(),
                         [&](std::uint32_t cell) { return unsure[cell] && !cells.is_inner(cell); }),
          known.end());
    CHECK(knowers_of_ones(cells, unsure) == expected);
  }
}

TEST(floors_are_those_of_stored_cells_that_are_not_zero) {
  const TreeVariable two = tree_variable(2, {}, {});
  StoredLimits limits;
  limits.rises = {1};
  const StoredCells cells({two.nodes.families}, {0}, {5}, {}, limits);
  const SuppressionProblem problem = table_problem(cells, 1, true);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    CHECK_EQ(problem.system.lower[cell], cells.value(cell) > 0 ? 1 : 0);
}

TEST(who_is_alone_knows_her_own_cell_where_zeros_are_hidden) {
  Dice dice(6);
  StoredLimits limits;
  limits.zeros_rise = true;
  for (int i = 0; i < 50; ++i) {
    const PublishedTable table = random_published(dice, 30, false);
    const StoredCells cells = table.stored(limits);
    std::set<std::vector<std::uint32_t>> expected;
    for (std::size_t k = 0; k < table.inner.size(); ++k)
      if (table.counts[k] == 1) expected.insert({cells.find(cells.key_of(table.inner[k].data()))});
    const auto found = knowers_of_own_ones(cells);
    CHECK_EQ(found.size(), expected.size());
    CHECK(std::set<std::vector<std::uint32_t>>(found.begin(), found.end()) == expected);
  }
}

TEST(changes_of_inner_cells_determine_all_others) {
  Dice dice(5);
  for (int i = 0; i < 100; ++i) {
    const PublishedTable table = random_published(dice, 30, false);
    const StoredCells cells = table.stored();
    Certificate inner;
    std::vector<std::int64_t> change(table.inner.size(), 0);
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
      if (!cells.is_inner(cell) || dice.below(2) == 0) continue;
      inner.cell.push_back(cell);
      inner.change.push_back(dice.between(-2, 2));
      const Nodes nodes = nodes_of(cells, cell);
      for (std::size_t k = 0; k < table.inner.size(); ++k)
        if (table.inner[k] == nodes) change[k] = inner.change.back();
    }
    const auto expected = values_of(table, cells, change);
    const Certificate found = from_inner_changes(cells, inner);
    std::vector<std::int64_t> all(cells.n_cells(), 0);
    for (std::size_t k = 0; k < found.cell.size(); ++k) all[found.cell[k]] = found.change[k];
    CHECK_EQ(all, expected);
    CHECK(std::count(found.change.begin(), found.change.end(), 0) == 0);
    CHECK(std::is_sorted(found.cell.begin(), found.cell.end()));
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
      if (!cells.is_inner(cell)) CHECK_THROWS(InputError, from_inner_changes(cells, {{cell}, {1}}));
  }
}
