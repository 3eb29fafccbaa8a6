// Stored cells against sums over all inner cells.
#include "base/error.hpp"
#include "check.hpp"
#include "small_published.hpp"
#include "suppress/stored_cells.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

constexpr std::uint32_t kNone = StoredCells::kNone;

// May an unpublished inner cell have a count? No published cell above it is zero.
bool may_rise(const PublishedTable& table, const Sums& truth, const Nodes& inner) {
  for (const auto& cell : truth)
    if (cell.second == 0 && table.is_published(cell.first) && table.is_below(inner, cell.first))
      return false;
  return true;
}

void check_cells(const PublishedTable& table, const StoredCells& cells) {
  const Sums truth = table.sums(table.counts);
  std::size_t n = 0;
  for (const auto& cell : truth) {
    bool stored = false;
    for (const Nodes& inner : table.inner)
      stored = stored || (table.is_below(inner, cell.first) && may_rise(table, truth, inner));
    const std::uint32_t found = cells.find(cells.key_of(cell.first.data()));
    CHECK_EQ(found != kNone, stored);
    if (found == kNone) continue;
    ++n;
    CHECK_EQ(cells.value(found), cell.second);
    CHECK_EQ(cells.is_published(found), table.is_published(cell.first));
    bool is_inner = true;
    for (std::size_t v = 0; v < table.variables.size(); ++v)
      is_inner = is_inner && table.variables[v].levels[cell.first[v]].size() == 1;
    CHECK_EQ(cells.is_inner(found), is_inner);
  }
  CHECK_EQ(cells.n_cells(), n);
}

void check_fibres(const PublishedTable& table, const StoredCells& cells) {
  for (const Nodes& nodes : table.cells())
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      const std::uint64_t key = cells.key_of(nodes.data());
      std::set<std::uint32_t> expected, found;
      for (std::uint32_t level = 0; level < table.variables[v].n_levels; ++level)
        if (cells.find(cells.beside(key, v, level)) != kNone) expected.insert(level);
      const NodeRange fibre = cells.fibre(key, v);
      found.insert(fibre.begin(), fibre.end());
      CHECK(found == expected && fibre.size() == expected.size());
    }
}

void check_above(const PublishedTable& table, const StoredCells& cells) {
  for (std::size_t v = 0; v < table.variables.size(); ++v) {
    const TreeVariable& variable = table.variables[v];
    for (std::uint32_t node = 0; node < variable.levels.size(); ++node) {
      Nodes expected;
      for (std::uint32_t other = 0; other < variable.levels.size(); ++other) {
        bool holds = true;
        for (const std::uint32_t level : variable.levels[node])
          holds = holds && variable.levels[other].count(level) > 0;
        if (holds) expected.push_back(other);
      }
      const NodeRange above = cells.above(v, node);
      if (variable.levels[node].size() == 1) CHECK_EQ(Nodes(above.begin(), above.end()), expected);
      for (const std::uint32_t other : above)
        CHECK(std::count(expected.begin(), expected.end(), other) == 1);
      CHECK_EQ(cells.is_leaf(v, node), variable.levels[node].size() == 1);
    }
  }
}

}  // namespace

TEST(cells_are_sums_of_inner_cells) {
  Dice dice(1);
  for (int i = 0; i < 300; ++i) {
    const PublishedTable table = random_published(dice, 40, false);
    const StoredCells cells = table.stored();
    check_cells(table, cells);
    check_fibres(table, cells);
    check_above(table, cells);
  }
}

TEST(zeros_that_are_not_published_are_stored_in_the_same_order) {
  Dice dice(11);
  StoredLimits limits;
  limits.zeros_rise = true;
  for (int i = 0; i < 200; ++i) {
    PublishedTable table = random_published(dice, 40, false);
    const StoredCells cells = table.stored(limits);
    const Sums truth = table.sums(table.counts);
    CHECK_EQ(cells.n_cells(), truth.size());
    for (const auto& cell : truth) {
      const std::uint32_t found = cells.find(cells.key_of(cell.first.data()));
      CHECK(found != kNone);
      CHECK_EQ(cells.value(found), cell.second);
      CHECK_EQ(cells.is_published(found), table.is_published(cell.first));
    }
    check_fibres(table, cells);
    std::reverse(table.inner.begin(), table.inner.end());
    for (std::int64_t& count : table.counts) count = dice.below(3);
    const StoredCells other = table.stored(limits);
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
      CHECK_EQ(other.key(cell), cells.key(cell));
  }
  const TreeVariable two = tree_variable(2, {}, {});
  limits.max_rises = 3;
  CHECK_THROWS(TooLargeError,
               StoredCells({two.nodes.families, two.nodes.families}, {}, {}, {}, limits));
  limits.max_rises = 4;
  CHECK_EQ(StoredCells({two.nodes.families, two.nodes.families}, {}, {}, {}, limits).n_cells(), 9u);
}

TEST(zeros_that_may_rise_are_stored_with_all_cells_above_them) {
  Dice dice(12);
  for (int i = 0; i < 200; ++i) {
    PublishedTable table = random_published(dice, 40, false);
    table.crossings.clear();
    StoredLimits limits;
    std::vector<char> has(table.inner.size());
    for (std::size_t k = 0; k < has.size(); ++k) {
      has[k] = table.counts[k] > 0;
      if (has[k] != 0 || dice.below(2) == 0) continue;
      has[k] = 1;
      limits.rises.insert(limits.rises.end(), table.inner[k].begin(), table.inner[k].end());
    }
    const StoredCells cells = table.stored(limits);
    std::size_t n = 0;
    for (const auto& cell : table.sums(table.counts)) {
      bool stored = false;
      for (std::size_t k = 0; k < has.size(); ++k)
        stored = stored || (has[k] != 0 && table.is_below(table.inner[k], cell.first));
      const std::uint32_t found = cells.find(cells.key_of(cell.first.data()));
      CHECK_EQ(found != kNone, stored);
      if (found == kNone) continue;
      ++n;
      CHECK_EQ(cells.value(found), cell.second);
    }
    CHECK_EQ(cells.n_cells(), n);
    check_fibres(table, cells);
  }
}

TEST(cells_of_several_records_add_up) {
  const TreeVariable two = tree_variable(2, {}, {});
  const StoredCells cells({two.nodes.families}, {0, 1, 0}, {2, 1, 3}, {});
  const Nodes first{0}, root{two.nodes.root};
  CHECK_EQ(cells.value(cells.find(cells.key_of(first.data()))), 5);
  CHECK_EQ(cells.value(cells.find(cells.key_of(root.data()))), 6);
  CHECK_EQ(StoredCells({two.nodes.families}, {0, 1}, {0, 0}, {}).n_cells(), 0u);
}

TEST(input_is_refused) {
  const TreeVariable two = tree_variable(2, {}, {});
  const std::vector<NodeFamilies> one{two.nodes.families};
  const std::vector<NodeFamilies> both{two.nodes.families, two.nodes.families};
  CHECK_THROWS(InputError, StoredCells({}, {}, {}, {}));
  CHECK_THROWS(InputError, StoredCells(one, {0, 1}, {1}, {}));
  CHECK_THROWS(InputError, StoredCells(one, {two.nodes.root}, {1}, {}));
  CHECK_THROWS(InputError, StoredCells(one, {7}, {1}, {}));
  CHECK_THROWS(InputError, StoredCells(one, {0}, {-1}, {}));
  CHECK_THROWS(InputError, StoredCells(one, {0}, {1}, {{{0}, {0}}}));
  CHECK_THROWS(InputError, StoredCells(one, {0}, {1}, {{{9}}}));
  StoredLimits rises;
  rises.rises = {two.nodes.root};
  CHECK_THROWS(InputError, StoredCells(one, {0}, {1}, {}, rises));
  rises.rises = {0};
  CHECK_THROWS(InputError, StoredCells(both, {0, 0}, {1}, {}, rises));
  CHECK_THROWS(TooLargeError, StoredCells(one, {0, 1}, {1, 1}, {}, {2, 10}));
  const std::vector<TableCrossing> margins{{{0, 1, 2}, {2}}, {{2}, {0, 1, 2}}};
  CHECK_THROWS(TooLargeError, StoredCells(both, {0, 0}, {1}, margins, {100, 3}));
  CHECK_EQ(StoredCells(both, {0, 0}, {1}, margins, {100, 4}).n_cells(), 4u);
  NodeFamilies wide = two.nodes.families;
  wide.n_nodes = 1u << 24;
  CHECK_THROWS(TooLargeError, StoredCells({wide, wide, wide}, {}, {}, {}));
}
