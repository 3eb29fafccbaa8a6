// Published cells against sums over all leaves: random nodes, crossings that overlap, one level, no
// cells, keys of several words.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "table/published.hpp"
#include "table/records.hpp"

using namespace records;

namespace {

using Nodes = std::vector<Levels>;  // the nodes of each leaf

NodesOfLeaves as_nodes(const Nodes& nodes) {
  NodesOfLeaves out{{0}, {}};
  for (const Levels& of_leaf : nodes) {
    out.node.insert(out.node.end(), of_leaf.begin(), of_leaf.end());
    out.start.push_back(out.node.size());
  }
  return out;
}

// Inner nodes that hold a leaf with chance 1/2; a few leaves, none, or each one itself.
Nodes random_nodes(Dice& dice, std::uint32_t n_leaves, std::uint32_t n_inner) {
  const std::uint32_t leaves = dice.below(3);
  Nodes out(n_leaves);
  for (std::uint32_t l = 0; l < n_leaves; ++l) {
    if (leaves == 0 || (leaves == 1 && dice.below(3) == 0)) out[l].push_back(l);
    for (std::uint32_t i = 0; i < n_inner; ++i)
      if (dice.below(2) == 0) out[l].insert(out[l].begin(), n_leaves + i);
  }
  return out;
}

Twin twin_of(const Twin& leaves, const std::vector<Nodes>& nodes) {
  Twin out;
  for (const auto& [key, count] : leaves) {
    std::vector<Levels> cells{{}};
    for (std::size_t k = 0; k < key.size(); ++k) {
      std::vector<Levels> next;
      for (const Levels& head : cells)
        for (std::uint32_t node : nodes[nodes.size() - 1 - k][key[k]]) {
          next.push_back(head);
          next.back().push_back(node);
        }
      cells = next;
    }
    for (const Levels& cell : cells) out[cell] += count;
  }
  return out;
}

struct Problem {
  Levels dim, n_nodes;
  Twin leaves, twin;
  Stored stored;
  std::vector<Crossing> crossings;
  bool shrinks = false, overlaps = false;

  Problem(Dice& dice, const Levels& d, std::size_t n_records, std::size_t n_crossings,
          std::size_t n_with_inner)
      : dim(d), n_nodes(d) {
    const Records records(dice, dim, n_records);
    leaves = records.twin(records.all(), false);
    stored = store(tabulate(Layout(dim), records.columns(), records.n, nullptr, 1, {}).cells);
    for (std::size_t v = 0; v < dim.size() && v < n_with_inner; ++v) n_nodes[v] += dice.below(4);
    for (std::size_t c = 0; c < n_crossings; ++c) add_crossing(dice);
  }
  void add_crossing(Dice& dice) {
    std::vector<Nodes> nodes;
    crossings.emplace_back();
    for (std::size_t v = 0; v < dim.size(); ++v) {
      nodes.push_back(random_nodes(dice, dim[v], n_nodes[v] - dim[v]));
      if (dim[v] > 50)
        for (std::uint32_t l = 0; l < dim[v]; ++l)
          if (nodes[v][l].empty()) nodes[v][l].push_back(l);
      crossings.back().push_back(as_nodes(nodes[v]));
      const auto& used = crossings.back().back().node;
      shrinks = shrinks || std::set<std::uint32_t>(used.begin(), used.end()).size() < dim[v];
    }
    const std::size_t before = twin.size();
    const Twin more = twin_of(leaves, nodes);
    twin.insert(more.begin(), more.end());
    overlaps = overlaps || (before > 0 && twin.size() < before + more.size());
  }
  Cells run(std::size_t max_cells, const Tick& tick = {}) const {
    return published_cells(Layout(dim), stored.view(), Layout(n_nodes), crossings, max_cells, tick);
  }
};

}  // namespace

TEST(published_cells_are_sums_over_leaves) {
  Dice dice;
  int shrinking = 0, overlapping = 0, empty = 0;
  for (int round = 0; round < 400; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(4), round % 4 == 0 ? 2 : 7);
    const Problem x(dice, dim, dice.below(round % 10 == 0 ? 2 : 100), 1 + dice.below(3), 4);
    CHECK(agrees(Layout(x.n_nodes), x.run(1000000), x.twin));
    shrinking += x.shrinks;
    overlapping += x.overlaps;
    empty += x.twin.empty();
  }
  CHECK(shrinking > 50 && shrinking < 350);
  CHECK(overlapping > 50);
  CHECK(empty > 5);
}

TEST(keys_of_several_words) {
  Dice dice;
  std::set<std::size_t> words;
  for (int round = 0; round < 60; ++round) {
    const Levels dim = random_dim(dice, 4 + dice.below(14), 3000);
    const Problem x(dice, dim, dice.below(40), 1 + dice.below(2), 5);
    CHECK(agrees(Layout(x.n_nodes), x.run(1000000), x.twin));
    words.insert(Layout(x.n_nodes).n_words());
  }
  CHECK(words.count(1) == 1 && words.count(2) == 1 && words.count(3) == 1);
}

TEST(no_crossing_and_no_variable) {
  const Stored one{{0}, {7}};
  const Cells none = published_cells(Layout({}), one.view(), Layout({}), {}, 10, {});
  CHECK_EQ(none.size(), std::size_t{0});
  const Cells whole = published_cells(Layout({}), one.view(), Layout({}), {Crossing{}}, 10, {});
  CHECK(whole.size() == 1 && whole.count(0) == 7);
}

TEST(sums_are_exact_up_to_the_largest_total) {
  const double big = static_cast<double>(kMaxCount);
  const Stored x{{0, 1, 2}, {big - 4, 3, 1}};
  const Crossing all{as_nodes({{0, 3}, {3, 1}, {2, 4, 3}})};
  const Cells out = published_cells(Layout({3}), x.view(), Layout({5}), {all}, 10, {});
  CHECK(agrees(Layout({5}), out,
               {{{0}, kMaxCount - 4}, {{1}, 3}, {{2}, 1}, {{3}, kMaxCount}, {{4}, 1}}));
}

TEST(the_limit_is_the_number_of_cells) {
  Dice dice;
  for (int round = 0; round < 20; ++round) {
    Problem x(dice, random_dim(dice, 3, 5), 1 + dice.below(50), 0, 3);
    Crossing all;
    std::vector<Nodes> nodes;
    for (std::size_t v = 0; v < 3; ++v) {
      nodes.emplace_back();
      for (std::uint32_t l = 0; l < x.dim[v]; ++l) nodes[v].push_back({l, x.dim[v]});
      all.push_back(as_nodes(nodes[v]));
      x.n_nodes[v] = x.dim[v] + 1;
    }
    x.crossings = {all};
    x.twin = twin_of(x.leaves, nodes);
    CHECK(agrees(Layout(x.n_nodes), x.run(x.twin.size()), x.twin));
    CHECK_THROWS(TooLargeError, x.run(x.twin.size() - 1));
  }
}

TEST(progress_grows_and_may_stop_the_work) {
  Dice dice;
  const Problem x(dice, {6, 5, 4}, 200, 2, 3);
  std::vector<double> seen;
  x.run(100000, [&](double done) { seen.push_back(done); });
  CHECK(seen.size() >= 6 && seen.front() == 0 && seen.back() < 1);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  struct Stop {};
  int calls = 0;
  CHECK_THROWS(Stop, x.run(100000, [&](double) {
    if (++calls == 5) throw Stop{};
  }));
}
