// Walks against their definition: whatever they find is a change of the table that keeps limits.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/move_walk.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

std::vector<char> all_but_open(const SuppressionProblem& problem) {
  std::vector<char> out;
  for (const CellRole role : problem.role)
    out.push_back(role == CellRole::candidate || role == CellRole::primary);
  return out;
}

}  // namespace

TEST(walks_find_changes_as_wished) {
  Dice dice(9);
  PublicRandom random(1);
  int n_found = 0, n_cheaper = 0;
  for (int i = 0; i < 1500; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    if (c.problem.demands.empty()) continue;
    PatternState state(c.problem);
    ProductMoveSearch search(cells, state.table());
    MoveWalk walk(cells, state, search);
    const std::vector<std::int64_t> before = state.table().price;
    const Demand& demand = c.problem.demands[static_cast<std::size_t>(
        dice.below(static_cast<int>(c.problem.demands.size())))];
    const MoveWish wish{demand.up, demand.down, demand.slide};
    const std::int64_t bound = dice.below(2) ? MoveTable::kForbidden : 5 * state.scale();
    const bool found = walk.find(demand.cell, wish, bound, {}, random);
    CHECK_EQ(state.table().price, before);
    CHECK_EQ(state.table().price_of_zero, MoveTable::kForbidden);
    const bool by_product =
        search.find(cells.key(demand.cell), wish, MoveTable::kForbidden, {}, random);
    if (!found) continue;
    ++n_found;
    n_cheaper += by_product && walk.best_price() < search.best().price;
    ScaledChange change = walk.best();
    const ScaledChange same = change;
    state.set_range(change);
    CHECK_EQ(change.plus, same.plus);
    CHECK_EQ(change.minus, same.minus);
    CHECK(wish.is_met(change.plus, change.minus));
    std::int64_t price = 0;
    for (const std::uint32_t cell : change.cell) price += cell == demand.cell ? 0 : before[cell];
    CHECK_EQ(price, walk.best_price());
    CHECK(price < bound);
    for (const std::int64_t times :
         {std::min<std::int64_t>(change.plus, 2), -std::min<std::int64_t>(change.minus, 2)}) {
      Certificate certificate{change.cell, {}};
      for (const std::int32_t by : change.by) certificate.change.push_back(times * by);
      if (times == 0) continue;
      CHECK(is_witness(c.table, cells, all_but_open(c.problem), c.floor, certificate));
      CHECK(certifies(c.problem, all_but_open(c.problem), certificate));
    }
  }
  CHECK(n_found > 100);
  CHECK(n_cheaper > 20);
}

// The only change of a hexagon is no product.
TEST(a_hexagon_is_found) {
  const TreeVariable three = tree_variable(3, {}, {});
  PublishedTable table;
  table.variables = {three, three};
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < 3; ++j) {
      table.inner.push_back({i, j});
      table.counts.push_back(j == (i + 2) % 3 ? 0 : 2);
    }
  const StoredCells cells = table.stored();
  SuppressionProblem problem = table_problem(cells, 1, true);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    if (!cells.is_inner(cell)) problem.role[cell] = CellRole::open;
  PatternState state(problem);
  ProductMoveSearch search(cells, state.table());
  MoveWalk walk(cells, state, search);
  PublicRandom random(1);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!cells.is_inner(cell)) continue;
    CHECK(!search.find(cells.key(cell), {}, MoveTable::kForbidden, {}, random));
    CHECK(walk.find(cell, {}, MoveTable::kForbidden, {}, random));
    CHECK_EQ(walk.best().cell.size(), 6u);
  }
}
