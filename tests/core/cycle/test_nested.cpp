// Cycles of blocks, and changed totals against sums over dense arrays.
#include <algorithm>
#include <map>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/nested.hpp"

using namespace sdclattice;

namespace {

using Dim = std::vector<std::size_t>;
using Nodes = std::vector<std::int32_t>;

// A random set of moves of 1 to 5 entries.
CycleSet random_moves(std::size_t n_cells, std::mt19937& random) {
  CycleSet out;
  out.n_cells = n_cells;
  std::vector<std::int32_t> cells(n_cells);
  for (std::size_t i = 0; i < n_cells; ++i) cells[i] = static_cast<std::int32_t>(i);
  for (int c = 0; c < 4; ++c) {
    std::shuffle(cells.begin(), cells.end(), random);
    const std::size_t size = std::min<std::size_t>(1 + random() % 5, n_cells);
    for (std::size_t i = 0; i < size; ++i) out.add(cells[i], random() % 2 ? 1 : -1);
    out.close();
  }
  return out;
}

// The levels that each node of a dimension holds: the levels themselves, then random sets.
std::vector<Nodes> random_nodes(std::size_t n_levels, std::mt19937& random) {
  std::vector<Nodes> out;
  for (std::size_t l = 0; l < n_levels; ++l) out.push_back({static_cast<std::int32_t>(l)});
  for (std::size_t more = random() % 3 + 1; more-- > 0;) {
    Nodes held;
    for (std::size_t l = 0; l < n_levels; ++l)
      if (random() % 2) held.push_back(static_cast<std::int32_t>(l));
    out.push_back(held);
  }
  return out;
}

bool holds(const Nodes& node, std::size_t level) {
  return std::find(node.begin(), node.end(), static_cast<std::int32_t>(level)) != node.end();
}

NodeLists lists_of(const std::vector<Nodes>& nodes, const std::vector<bool>& shown, std::size_t n) {
  NodeLists out{{0}, {}};
  for (std::size_t l = 0; l < n; ++l) {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (shown[k] && holds(nodes[k], l)) out.node.push_back(static_cast<std::int32_t>(k));
    out.start.push_back(static_cast<std::int32_t>(out.node.size()));
  }
  return out;
}

struct Example {
  Dim dim, n_nodes;
  std::vector<std::vector<Nodes>> nodes;
  std::vector<std::vector<std::vector<bool>>> shown;  // crossing, dimension, node
  std::vector<NodeCrossing> crossings;
  CycleSet cycles;
};

Example random_example(std::mt19937& random, bool complete) {
  Example e;
  std::size_t n_cells = 1;
  for (std::size_t v = random() % 3 + 1; v-- > 0;) {
    e.dim.push_back(random() % 4 + 1);
    n_cells *= e.dim.back();
    e.nodes.push_back(random_nodes(e.dim.back(), random));
    e.n_nodes.push_back(e.nodes.back().size());
  }
  for (std::size_t k = complete ? 1 : random() % 2 + 1; k-- > 0;) {
    e.shown.emplace_back();
    e.crossings.emplace_back();
    for (std::size_t v = 0; v < e.dim.size(); ++v) {
      std::vector<bool> shown(e.n_nodes[v], true);
      // the first level is left out, so that no crossing is complete
      for (std::size_t n = 0; n < shown.size() && !complete; ++n) shown[n] = n > 0 && random() % 3;
      e.crossings.back().push_back(lists_of(e.nodes[v], shown, e.dim[v]));
      e.shown.back().push_back(shown);
    }
  }
  e.cycles = random_moves(n_cells, random);
  return e;
}

// The sum of a move over a combination of nodes, cell by cell.
std::int64_t sum_over(const Example& e, std::size_t c, const Nodes& at) {
  std::int64_t sum = 0;
  for (std::size_t i = e.cycles.start[c]; i < e.cycles.start[c + 1]; ++i) {
    std::size_t rest = static_cast<std::size_t>(e.cycles.cell[i]);
    bool inside = true;
    for (std::size_t v = 0; v < e.dim.size(); ++v) {
      inside = inside && holds(e.nodes[v][static_cast<std::size_t>(at[v])], rest % e.dim[v]);
      rest /= e.dim[v];
    }
    if (inside) sum += e.cycles.coef[i];
  }
  return sum;
}

// Every changed total, over all combinations of nodes; of complete crossings those with one inner
// node.
std::map<std::pair<std::size_t, Nodes>, std::int64_t> brute_force(const Example& e, bool complete) {
  std::map<std::pair<std::size_t, Nodes>, std::int64_t> out;
  std::size_t n = 1;
  for (const std::size_t k : e.n_nodes) n *= k;
  for (std::size_t key = 0; key < n; ++key) {
    Nodes at;
    std::size_t inner = 0;
    for (std::size_t v = 0, rest = key; v < e.dim.size(); rest /= e.n_nodes[v], ++v) {
      at.push_back(static_cast<std::int32_t>(rest % e.n_nodes[v]));
      inner += rest % e.n_nodes[v] >= e.dim[v];
    }
    bool published = false;
    for (const auto& shown : e.shown) {
      bool all = true;
      for (std::size_t v = 0; v < at.size(); ++v)
        all = all && shown[v][static_cast<std::size_t>(at[v])];
      published = published || all;
    }
    if (!published || inner == 0 || (complete && inner > 1)) continue;
    for (std::size_t c = 0; c < e.cycles.size(); ++c) {
      const std::int64_t sum = sum_over(e, c, at);
      if (sum != 0) out[{c, at}] = sum;
    }
  }
  return out;
}

}  // namespace

TEST(changed_totals_are_those_of_dense_sums) {
  std::mt19937 random(7);
  std::size_t found_some = 0;
  for (int round = 0; round < 400; ++round) {
    const bool complete = round % 2 == 0;
    const Example e = random_example(random, complete);
    std::map<std::pair<std::size_t, Nodes>, std::int64_t> found;
    const auto all = changed_totals(e.cycles, e.dim, e.n_nodes, e.crossings, false, 100000);
    for (const ChangedTotal& t : all) found[{t.cycle, t.node}] = t.change;
    CHECK(found.size() == all.size());
    CHECK(found == brute_force(e, complete));
    found_some += !found.empty();
    const auto first = changed_totals(e.cycles, e.dim, e.n_nodes, e.crossings, true, 100000);
    CHECK(first.empty() == all.empty());
    for (const ChangedTotal& t : first) CHECK(t.cycle == all[0].cycle);
    if (!all.empty()) {
      CHECK_THROWS(TooLargeError,
                   changed_totals(e.cycles, e.dim, e.n_nodes, e.crossings, false, all.size() - 1));
    }
  }
  CHECK(found_some > 200);
}

namespace {

// Groups of all lines on one ring of all positions.
CycleSet pairs(std::size_t n_rows, std::size_t n_columns, bool skip_zeros) {
  std::vector<std::int32_t> ring(n_columns);
  for (std::size_t i = 0; i < n_columns; ++i) ring[i] = static_cast<std::int32_t>(i);
  Groups groups;
  for (std::size_t r = 0; r + 1 < n_rows; r += 2) {
    groups.lines.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(r + 1)});
    groups.rings.push_back(ring);
  }
  groups.open = groups.skip_zeros = skip_zeros;
  return cycles_banded({n_rows, n_columns, false}, groups);
}

}  // namespace

TEST(cycles_of_a_block_lie_on_its_cells) {
  const Dim dim{5, 4};
  const Block left{{4, 0}, {2, 1, 3}}, right{{1, 3}, {0, 2}};
  CHECK(block_dim(dim, left) == (Dim{2, 3}));
  for (const bool skip : {false, true}) {
    const CycleSet a = pairs(2, 3, skip), b = pairs(2, 2, skip);
    CycleSet all;
    all.n_cells = 20;
    append_block(dim, left, a, all);
    append_block(dim, right, b, all);
    CHECK(all.size() == a.size() + b.size());
    CHECK(all.skips_zeros() == skip);
    // the cell of line 1, position 2 of the first block is that of levels 0 and 3
    for (std::size_t i = 0; i < a.cell.size(); ++i) {
      const auto r = static_cast<std::size_t>(a.cell[i]) % 2;
      const auto k = static_cast<std::size_t>(a.cell[i]) / 2;
      CHECK(all.cell[i] == left[0][r] + 5 * left[1][k]);
      CHECK(all.coef[i] == a.coef[i]);
    }
    for (std::size_t c = 0; c < all.next.size(); ++c) {
      const bool first = c < a.size();
      const auto of = first ? a.next[c] : b.next[c - a.size()];
      const auto shift = first ? 0 : static_cast<std::int32_t>(a.size());
      CHECK(all.next[c] == (of < 0 ? -1 : of + shift));
    }
    validate(all);
  }
}

// Blocks with and without an order of their own.
TEST(orders_of_blocks_follow_each_other) {
  const Dim dim{4, 2};
  CycleSet plain = pairs(2, 2, false), twice = plain;
  twice.cover = {1, 0, 1};
  CycleSet all;
  all.n_cells = 8;
  append_block(dim, {{0, 1}, {0, 1}}, plain, all);
  CHECK(all.cover.empty());
  append_block(dim, {{2, 3}, {0, 1}}, twice, all);
  CHECK(all.cover == (Nodes{0, 1, 3, 2, 3}));
  append_block(dim, {{0, 2}, {0, 1}}, plain, all);
  CHECK(all.cover == (Nodes{0, 1, 3, 2, 3, 4, 5}));
}

TEST(what_is_no_block_or_crossing_is_refused) {
  const Dim dim{3, 2};
  CHECK_THROWS(InputError, block_dim(dim, {{0, 1}}));
  CHECK_THROWS(InputError, block_dim(dim, {{0, 1}, {}}));
  CHECK_THROWS(InputError, block_dim(dim, {{0, 3}, {0}}));
  CHECK_THROWS(InputError, block_dim(dim, {{0, 0}, {0}}));
  CHECK_THROWS(InputError, block_dim(dim, {{0, -1}, {0}}));
  CycleSet all;
  all.n_cells = 6;
  append_block(dim, {{0, 1}, {0, 1}}, pairs(2, 2, false), all);
  CHECK_THROWS(InputError, append_block(dim, {{0, 1}, {0, 1}}, pairs(2, 2, true), all));
  const NodeLists two{{0, 1, 2}, {0, 1}}, three{{0, 1, 2, 3}, {0, 1, 2}};
  CHECK_THROWS(InputError, changed_totals(all, dim, {3, 2}, {{three}}, false, 9));
  CHECK_THROWS(InputError, changed_totals(all, dim, {3, 1}, {{three, two}}, false, 9));
  CHECK_THROWS(InputError, changed_totals(all, dim, {3, 2}, {{two, two}}, false, 9));
  const std::size_t huge = SIZE_MAX / 2;
  if (sizeof huge == 8)  // the product of two with 32 bits is a number of 64
    CHECK_THROWS(TooLargeError, changed_totals(all, dim, {huge, huge}, {{three, two}}, false, 9));
  CHECK(changed_totals(all, dim, {3, 2}, {{three, two}}, false, 9).empty());
}
