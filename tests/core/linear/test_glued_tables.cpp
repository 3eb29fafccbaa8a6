// Tables of boxes that agree where they meet, as tables of finest cells with the same sums.
#include <map>

#include "check.hpp"
#include "linear/glued_tables.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// Levels 0 to 3, two nodes above them, 4 and 5, and the root, 6.
NodeFamilies two_levels() {
  NodeFamilies out;
  out.n_nodes = 7;
  out.parent = {6, 4, 5};
  out.level = {1, 2, 2};
  out.child = {4, 5, 0, 1, 2, 3};
  out.start = {0, 2, 4, 6};
  return out;
}
std::vector<std::uint32_t> levels_of(std::uint32_t node) {
  if (node < 4) return {node};
  if (node == 6) return {0, 1, 2, 3};
  return node == 4 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{2, 3};
}
bool holds(std::uint32_t node, std::uint32_t level) {
  for (const std::uint32_t l : levels_of(node))
    if (l == level) return true;
  return false;
}

using Cell = std::vector<std::uint32_t>;
std::vector<Cell> all_cells(std::size_t n_variables) {
  std::vector<Cell> out{{}};
  for (std::size_t v = 0; v < n_variables; ++v) {
    std::vector<Cell> next;
    for (const Cell& cell : out)
      for (std::uint32_t node = 0; node < 7; ++node) {
        next.push_back(cell);
        next.back().push_back(node);
      }
    out = std::move(next);
  }
  return out;
}

// A random table of three variables of four levels, and its count in a cell.
struct Counts {
  std::map<Cell, std::int64_t> leaf;
  std::int64_t in(const Cell& cell) const {
    std::int64_t out = 0;
    for (const auto& [at, count] : leaf) {
      bool inside = true;
      for (std::size_t v = 0; v < cell.size(); ++v) inside = inside && holds(cell[v], at[v]);
      if (inside) out += count;
    }
    return out;
  }
};
Counts random_counts(Dice& dice) {
  Counts out;
  for (int k = dice.below(12); k > 0; --k)
    out.leaf[{static_cast<std::uint32_t>(dice.below(4)), static_cast<std::uint32_t>(dice.below(4)),
              static_cast<std::uint32_t>(dice.below(4))}] += 1 + dice.below(5);
  return out;
}

const std::vector<std::vector<Cell>> kLayouts = {
    {{2, 2, 2}}, {{2, 2, 0}, {2, 0, 2}}, {{2, 1, 0}, {1, 2, 0}, {0, 1, 2}}, {{1, 0, 0}, {0, 2, 1}}};

bool lies_in(const Cell& cell, const Cell& box) {
  for (std::size_t v = 0; v < box.size(); ++v) {
    const std::uint32_t level = cell[v] == 6 ? 0 : cell[v] > 3 ? 1 : 2;
    if (level > box[v]) return false;
  }
  return true;
}

// The cells of the boxes, with their counts in a table.
struct Laid {
  std::vector<Cell> cells;
  std::vector<std::vector<std::uint32_t>> nodes{3};
  explicit Laid(const std::vector<Cell>& boxes) {
    for (const Cell& cell : all_cells(3)) {
      bool inside = false;
      for (const Cell& box : boxes) inside = inside || lies_in(cell, box);
      if (!inside) continue;
      cells.push_back(cell);
      for (std::size_t v = 0; v < 3; ++v) nodes[v].push_back(cell[v]);
    }
  }
  std::vector<std::int64_t> counts(const Counts& of) const {
    std::vector<std::int64_t> out;
    for (const Cell& cell : cells) out.push_back(of.in(cell));
    return out;
  }
};

// The count of a cell in a table of finest cells.
std::int64_t glued_count(const TableGlue& glue, const std::vector<std::int64_t>& table,
                         const Cell& cell) {
  std::int64_t out = 0;
  for (std::size_t leaf = 0; leaf < table.size(); ++leaf) {
    bool inside = true;
    for (std::size_t v = 0; v < cell.size(); ++v)
      inside = inside && holds(cell[v], levels_of(glue.node(leaf, v))[0]);
    if (inside) out += table[leaf];
  }
  return out;
}

}  // namespace

TEST(glued_tables_have_the_counts_of_all_cells_of_all_boxes) {
  Dice dice(1);
  for (int round = 0; round < 40; ++round) {
    const std::vector<Cell>& boxes = kLayouts[static_cast<std::size_t>(dice.below(4))];
    const Laid laid(boxes);
    const std::vector<std::int64_t> first = laid.counts(random_counts(dice));
    TableGlue glue({two_levels(), two_levels(), two_levels()}, boxes, laid.nodes);
    CHECK(glue.set_base(first));
    for (int next = 0; next < 3; ++next) {
      const std::vector<std::int64_t> second = laid.counts(random_counts(dice));
      TableChange change, glued;
      for (std::uint32_t i = 0; i < first.size(); ++i) {
        if (first[i] == second[i]) continue;
        change.cell.push_back(i);
        change.value.push_back(second[i]);
      }
      CHECK(glue.change(change, glued));
      CHECK_EQ(glue.base().size(), glue.size());
      std::vector<std::int64_t> table = glue.base();
      for (std::size_t k = 0; k < glued.cell.size(); ++k) {
        CHECK(table[glued.cell[k]] != glued.value[k]);
        CHECK(k == 0 || glued.cell[k - 1] < glued.cell[k]);
        CHECK(glued.value[k] >= 0);
        table[glued.cell[k]] = glued.value[k];
      }
      for (std::size_t i = 0; i < laid.cells.size(); ++i) {
        CHECK_EQ(glued_count(glue, glue.base(), laid.cells[i]), first[i]);
        CHECK_EQ(glued_count(glue, table, laid.cells[i]), second[i]);
      }
    }
    TableChange none;
    CHECK(glue.change({}, none));
    CHECK(none.cell.empty());
  }
}

TEST(boxes_that_do_not_agree_are_not_glued) {
  const std::vector<Cell>& boxes = kLayouts[1];
  const Laid laid(boxes);
  Dice dice(2);
  Counts table = random_counts(dice);
  table.leaf[{0, 0, 0}] += 1;
  std::vector<std::int64_t> counts = laid.counts(table);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (laid.cells[i] == Cell{0, 0, 6}) ++counts[i];
  TableGlue glue({two_levels(), two_levels(), two_levels()}, boxes, laid.nodes);
  CHECK(!glue.set_base(counts));
}
