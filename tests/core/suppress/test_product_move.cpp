// Cheapest product moves against the list of all products.
#include "check.hpp"
#include "small_published.hpp"
#include "suppress/product_move.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

constexpr std::int64_t kForbidden = MoveTable::kForbidden;
using Direction = std::map<std::uint32_t, int>;  // nodes with their signs

std::vector<Direction> all_directions(const TreeVariable& variable, std::uint32_t own) {
  std::vector<Direction> out;
  for (std::uint32_t a = 0; a < variable.n_levels; ++a)
    for (std::uint32_t b = 0; b <= variable.n_levels; ++b) {
      Direction direction;
      for (std::uint32_t node = 0; node < variable.levels.size(); ++node) {
        const int sign =
            static_cast<int>(variable.levels[node].count(a)) -
            (b < variable.n_levels ? static_cast<int>(variable.levels[node].count(b)) : 0);
        if (sign != 0) direction[node] = sign;
      }
      if (direction.count(own) && direction[own] == 1) out.push_back(direction);
    }
  return out;
}

struct Answer {
  std::int64_t price = kForbidden, plus = 0, minus = 0;
};

// Visits the price and the range of each product through the cell.
template <class Visit>
void each_product(const PublishedTable& table, const StoredCells& cells, const MoveTable& moves,
                  const Nodes& cell, Visit visit) {
  std::vector<std::map<Nodes, int>> products{{{Nodes{}, 1}}};
  for (std::size_t v = 0; v < cell.size(); ++v) {
    std::vector<std::map<Nodes, int>> longer;
    for (const auto& product : products)
      for (const Direction& direction : all_directions(table.variables[v], cell[v])) {
        longer.emplace_back();
        for (const auto& part : product)
          for (const auto& step : direction) {
            Nodes nodes = part.first;
            nodes.push_back(step.first);
            longer.back()[nodes] = part.second * step.second;
          }
      }
    products = std::move(longer);
  }
  for (const auto& product : products) {
    Answer answer{0, kForbidden, kForbidden};
    for (const auto& part : product) {
      const std::uint64_t key = cells.key_of(part.first.data());
      const std::uint32_t at = cells.find(key);
      const std::int64_t price = at == StoredCells::kNone ? moves.zero(key) : moves.price[at];
      if (part.first != cell) answer.price = std::min(kForbidden, answer.price + price);
      if (at == StoredCells::kNone || moves.allows_debts()) continue;
      std::int64_t& range = part.second > 0 ? answer.minus : answer.plus;
      range = std::min(range, moves.slack[at]);
    }
    visit(answer);
  }
}

bool is_better(const Answer& a, const Answer& b) {
  return a.price < b.price;
}

MoveTable random_moves(const StoredCells& cells, Dice& dice) {
  MoveTable out;
  const int floor = dice.below(2);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    out.price.push_back(dice.below(6) == 0 ? kForbidden : dice.below(5));
    out.slack.push_back(std::max<std::int64_t>(0, cells.value(cell) - floor));
  }
  return out;
}

// The move that was found: a product, its price, and its range.
void check_move(const PublishedTable& table, const StoredCells& cells, const MoveTable& moves,
                const ProductMove& move) {
  Answer answer{0, kForbidden, kForbidden};
  std::vector<std::int64_t> inner(table.inner.size(), 0);
  for (std::size_t i = 0; i < move.cells.size(); ++i) {
    const MoveCell& at = move.cells[i];
    CHECK_EQ(cells.find(at.key), at.cell);
    if (i > 0) answer.price += moves.price[at.cell];
    std::int64_t& range = at.sign > 0 ? answer.minus : answer.plus;
    range = std::min(range, moves.slack[at.cell]);
    for (std::size_t k = 0; k < table.inner.size(); ++k)
      if (nodes_of(cells, at.cell) == table.inner[k]) inner[k] = at.sign;
  }
  CHECK_EQ(answer.price, move.price);
  CHECK_EQ(answer.plus, move.plus);
  CHECK_EQ(answer.minus, move.minus);
  std::size_t n_changed = 0;
  const Sums sums = table.sums(inner);
  for (const auto& sum : sums) n_changed += sum.second != 0;
  CHECK_EQ(n_changed, move.cells.size());
  for (const MoveCell& at : move.cells) CHECK_EQ(sums.at(nodes_of(cells, at.cell)), at.sign);
}

}  // namespace

TEST(the_cheapest_of_all_products_is_found) {
  Dice dice(6);
  PublicRandom random(1);
  int n_found = 0;
  for (int i = 0; i < 1500; ++i) {
    const PublishedTable table = random_published(dice, 36, false);
    const StoredCells cells = table.stored();
    if (cells.n_cells() == 0) continue;
    const MoveTable moves = random_moves(cells, dice);
    const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(cells.n_cells())));
    const MoveWish wish{dice.below(2), dice.below(2), dice.below(3)};
    const std::int64_t bound = dice.below(2) ? kForbidden : dice.between(0, 20);
    Answer best;
    best.price = bound;
    each_product(table, cells, moves, nodes_of(cells, cell), [&](const Answer& answer) {
      if (wish.is_met(answer.plus, answer.minus) && is_better(answer, best)) best = answer;
    });
    ProductMoveSearch search(cells, moves);
    const bool found = search.find(cells.key(cell), wish, bound, {100000, 100000, 1000000}, random);
    CHECK_EQ(found, best.price < bound);
    if (!found) continue;
    ++n_found;
    CHECK_EQ(search.best().price, best.price);
    CHECK_EQ(search.best().cells[0].cell, cell);
    CHECK(wish.is_met(search.best().plus, search.best().minus));
    check_move(table, cells, moves, search.best());
  }
  CHECK(n_found > 300);
}

// Leaves 0, 1, ... in groups of 20, below one total.
NodeFamilies wide_tree(std::uint32_t n_leaves) {
  const std::uint32_t n_groups = n_leaves / 20;
  NodeFamilies out;
  out.n_nodes = n_leaves + n_groups + 1;
  out.start = {0};
  for (std::uint32_t group = 0; group <= n_groups; ++group) {
    const bool is_top = group == n_groups;
    out.parent.push_back(n_leaves + group);
    out.level.push_back(is_top ? 2 : 1);
    for (std::uint32_t k = 0; k < (is_top ? n_groups : 20); ++k)
      out.child.push_back(is_top ? n_leaves + k : 20 * group + k);
    out.start.push_back(out.child.size());
  }
  return out;
}

// Of a wide fibre some leaves are left out: never those of the cell's own group.
TEST(near_leaves_of_wide_fibres_are_looked_at) {
  constexpr std::uint32_t kLeaves = 2000;
  std::vector<std::uint32_t> leaves;
  std::vector<std::int64_t> counts;
  NodeFamilies pair;
  pair.n_nodes = 3;
  pair.parent = {2};
  pair.level = {1};
  pair.start = {0, 2};
  pair.child = {0, 1};
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf)
    for (std::uint32_t side : {0u, 1u}) {
      leaves.insert(leaves.end(), {leaf, side});
      counts.push_back(1 + leaf % 3);
    }
  const StoredCells cells({wide_tree(kLeaves), pair}, leaves, counts, {});
  MoveTable moves;
  Dice dice(8);
  PublicRandom random(1);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    moves.price.push_back(10 + dice.below(5));
    moves.slack.push_back(cells.value(cell));
  }
  for (int i = 0; i < 40; ++i) {
    const auto leaf = static_cast<std::uint32_t>(dice.below(kLeaves));
    const std::uint32_t other = leaf / 20 * 20 + (leaf + 1) % 20;
    const auto at = [&](std::uint32_t node, std::uint32_t side) {
      const std::uint32_t nodes[2] = {node, side};
      return cells.key_of(nodes);
    };
    std::vector<std::pair<std::uint32_t, std::int64_t>> before;
    for (const std::uint64_t key : {at(leaf, 1), at(other, 0), at(other, 1)}) {
      before.emplace_back(cells.find(key), moves.price[cells.find(key)]);
      moves.price[cells.find(key)] = 0;
    }
    ProductMoveSearch search(cells, moves);
    CHECK(search.find(at(leaf, 0), {}, kForbidden, {}, random));
    CHECK_EQ(search.best().price, 0);
    // a group, whose own leaves are few
    CHECK(search.find(at(kLeaves + leaf / 20, 0), {}, kForbidden, {}, random));
    CHECK(search.best().price < 8 * 15);
    for (const auto& cell : before) moves.price[cell.first] = cell.second;
  }
}

TEST(less_effort_finds_moves_that_are_no_cheaper) {
  Dice dice(7);
  PublicRandom random(1);
  int n_found = 0;
  for (int i = 0; i < 300; ++i) {
    const PublishedTable table = random_published(dice, 36, false);
    const StoredCells cells = table.stored();
    if (cells.n_cells() == 0) continue;
    const MoveTable moves = random_moves(cells, dice);
    const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(cells.n_cells())));
    ProductMoveSearch search(cells, moves);
    const MoveWish wish;
    const bool best = search.find(cells.key(cell), wish, kForbidden, {}, random);
    const std::int64_t price = best ? search.best().price : kForbidden;
    if (!search.find(cells.key(cell), wish, kForbidden, {3, 2, 50, 0.3}, random)) continue;
    CHECK(search.best().price >= price);
    check_move(table, cells, moves, search.best());
    ++n_found;
  }
  CHECK(n_found > 50);
}

TEST(zeros_may_be_owed_at_a_price) {
  Dice dice(8);
  PublicRandom random(1);
  int n_found = 0;
  for (int i = 0; i < 300; ++i) {
    PublishedTable table = random_published(dice, 36, false);
    table.crossings.clear();
    const StoredCells cells = table.stored();
    if (cells.n_cells() == 0) continue;
    MoveTable moves = random_moves(cells, dice);
    moves.price_of_zero = 3;
    const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(cells.n_cells())));
    Answer best;
    each_product(table, cells, moves, nodes_of(cells, cell), [&](const Answer& answer) {
      if (is_better(answer, best)) best = answer;
    });
    ProductMoveSearch search(cells, moves);
    if (!search.find(cells.key(cell), {0, 0, 0}, kForbidden, {1000, 1000, 1000000}, random))
      continue;
    ++n_found;
    CHECK(search.best().price >= best.price);
    std::int64_t price = 0;
    for (const MoveCell& at : search.best().cells)
      price += at.cell == StoredCells::kNone ? moves.zero(at.key)
               : at.cell == cell             ? 0
                                             : moves.price[at.cell];
    CHECK_EQ(price, search.best().price);
  }
  CHECK(n_found > 100);
  MoveTable moves;
  moves.price_of_zero = 5;
  moves.free_zeros = {17};
  CHECK_EQ(moves.zero(17), 0);
  CHECK_EQ(moves.zero(18), 5);
}
