// Data cycles: bridges against connectivity, paths against Bellman and Ford, covers by their sums.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "cycle/cycle_data.hpp"

using namespace sdclattice;

namespace {

struct Pattern {
  std::size_t m, n;
  std::vector<std::uint8_t> nonzero;
};

// From trees to full tables.
Pattern random_pattern(std::mt19937_64& dice, std::size_t largest) {
  Pattern out{1 + std::size_t(dice() % largest), 1 + std::size_t(dice() % largest), {}};
  const double share = double(dice() % 100) / 99;
  std::bernoulli_distribution hit(share);
  for (std::size_t i = 0; i < out.m * out.n; ++i) out.nonzero.push_back(hit(dice));
  return out;
}

// Whether the ends of `edge` hang together without it, by painting nodes until nothing changes.
bool connected_without(const CellGraph& graph, std::size_t edge) {
  std::vector<char> painted(graph.n_nodes, 0);
  painted[std::size_t(graph.edges[edge].row)] = 1;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      if (e == edge) continue;
      char& a = painted[std::size_t(graph.edges[e].row)];
      char& b = painted[std::size_t(graph.edges[e].column)];
      if (a != b) a = b = 1, more = true;
    }
  }
  return painted[std::size_t(graph.edges[edge].column)];
}

std::int64_t bellman_ford(const CellGraph& graph, std::size_t edge,
                          const std::vector<std::int64_t>& cost) {
  std::vector<std::int64_t> far(graph.n_nodes, 1 << 30);
  far[std::size_t(graph.edges[edge].row)] = 0;
  for (std::size_t round = 0; round < graph.n_nodes; ++round) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      if (e == edge) continue;
      std::int64_t& a = far[std::size_t(graph.edges[e].row)];
      std::int64_t& b = far[std::size_t(graph.edges[e].column)];
      a = std::min(a, b + cost[e]);
      b = std::min(b, a + cost[e]);
    }
  }
  return far[std::size_t(graph.edges[edge].column)];
}

bool keeps_sums(const CycleSet& set, std::size_t c, std::size_t m, std::size_t n) {
  std::vector<int> rows(m, 0), columns(n, 0);
  for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
    rows[std::size_t(set.cell[i]) % m] += set.coef[i];
    columns[std::size_t(set.cell[i]) / m] += set.coef[i];
  }
  const auto none = [](int s) { return s == 0; };
  return std::all_of(rows.begin(), rows.end(), none) &&
         std::all_of(columns.begin(), columns.end(), none);
}

}  // namespace

TEST(the_graph_lists_each_nonzero_cell_from_both_ends) {
  const CellGraph graph = cell_graph({1, 0, 1, 1, 0, 0}, 2, 3);
  CHECK_EQ(graph.n_nodes, 5u);
  CHECK_EQ(graph.edges.size(), 3u);
  CHECK(graph.start == (std::vector<std::size_t>{0, 2, 3, 4, 6, 6}));
  CHECK_EQ(graph.edges[1].row, 0);
  CHECK_EQ(graph.edges[1].column, 3);
  CHECK_EQ(graph.edges[1].cell, 2);
}

TEST(bridges_are_the_edges_that_hold_their_ends_together) {
  std::mt19937_64 dice(3);
  int bridges = 0, others = 0;
  for (int round = 0; round < 400; ++round) {
    const Pattern p = random_pattern(dice, 8);
    const CellGraph graph = cell_graph(p.nonzero, p.m, p.n);
    const std::vector<std::uint8_t> found = find_bridges(graph);
    for (std::size_t e = 0; e < found.size(); ++e) {
      CHECK_EQ(bool(found[e]), !connected_without(graph, e));
      ++(found[e] ? bridges : others);
    }
  }
  CHECK(bridges > 500 && others > 500);
}

// One path through all nodes, and one cycle of them.
TEST(long_chains_are_no_trouble) {
  const std::size_t n = 2000;
  std::vector<std::uint8_t> chain(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    chain[i + n * i] = 1;
    if (i + 1 < n) chain[i + 1 + n * i] = 1;
  }
  const DataCycles none = cycles_data(chain, n, n, 2, 1);
  CHECK_EQ(none.still.size(), 2 * n - 1);
  CHECK_EQ(none.cycles.size(), 0u);
  chain[n * (n - 1)] = 1;  // the last column's first cell closes one cycle of all cells
  const DataCycles one = cycles_data(chain, n, n, 2, 1);
  CHECK_EQ(one.still.size(), 0u);
  CHECK_EQ(one.cycles.size(), 2u);
  CHECK_EQ(one.cycles.start[1], 2 * n);
}

TEST(paths_are_cheapest) {
  std::mt19937_64 dice(5);
  int paths = 0;
  for (int round = 0; round < 300; ++round) {
    const Pattern p = random_pattern(dice, 9);
    const CellGraph graph = cell_graph(p.nonzero, p.m, p.n);
    std::vector<std::int64_t> cost;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      cost.push_back(1 + 8 * std::int64_t(dice() % 4));
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const std::vector<std::int32_t> path = cheapest_path(graph, std::int32_t(e), cost, dice());
      CHECK_EQ(path.empty(), !connected_without(graph, e));
      if (path.empty()) continue;
      ++paths;
      std::int64_t sum = 0;
      std::int32_t at = graph.edges[e].row;
      for (const std::int32_t step : path) {
        const CellGraph::Edge& edge = graph.edges[std::size_t(step)];
        CHECK(step != std::int32_t(e));
        CHECK(edge.row == at || edge.column == at);
        at = edge.row == at ? edge.column : edge.row;
        sum += cost[std::size_t(step)];
      }
      CHECK_EQ(at, graph.edges[e].column);
      CHECK_EQ(sum, bellman_ford(graph, e, cost));
    }
  }
  CHECK(paths > 1000);
}

TEST(covers_are_even_touch_no_zero_and_keep_sums) {
  std::mt19937_64 dice(7);
  for (int round = 0; round < 200; ++round) {
    const Pattern p = random_pattern(dice, round % 10 == 0 ? 30 : 10);
    const int wanted = 1 + int(dice() % 5);
    const DataCycles out = cycles_data(p.nonzero, p.m, p.n, wanted, dice());
    if (out.cycles.size() > 0) validate(out.cycles);
    std::vector<char> still(p.nonzero.size(), 0);
    for (const std::int32_t at : out.still) still[std::size_t(at)] = 1;
    const CellGraph graph = cell_graph(p.nonzero, p.m, p.n);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      CHECK_EQ(bool(still[std::size_t(graph.edges[e].cell)]), !connected_without(graph, e));
    }
    const Chances found = chances(out.cycles);
    for (std::size_t i = 0; i < p.nonzero.size(); ++i) {
      const bool movable = p.nonzero[i] && !still[i];
      CHECK(movable ? found.cycles[i] >= wanted && found.cycles[i] <= 2 * std::max(wanted, 2)
                    : found.cycles[i] == 0);
    }
    for (std::size_t c = 0; c < out.cycles.size(); ++c) {
      CHECK(keeps_sums(out.cycles, c, p.m, p.n));
      CHECK(out.cycles.start[c + 1] - out.cycles.start[c] >= 4);
    }
  }
}

TEST(the_seed_repeats_the_set) {
  std::mt19937_64 dice(9);
  std::vector<std::uint8_t> nonzero(400);
  for (auto& flag : nonzero) flag = dice() % 3 > 0;
  const DataCycles a = cycles_data(nonzero, 20, 20, 4, 11), b = cycles_data(nonzero, 20, 20, 4, 11);
  const DataCycles other = cycles_data(nonzero, 20, 20, 4, 12);
  CHECK(a.cycles.cell == b.cycles.cell && a.cycles.coef == b.cycles.coef &&
        a.cycles.start == b.cycles.start);
  CHECK(a.cycles.cell != other.cycles.cell);
  CHECK(a.still == other.still);
  PublicRandom random(0);
  CHECK_EQ(random(), 0xe220a8397b1dcdafULL);  // the published first number of SplitMix64
}

TEST(signs_are_fair) {
  const std::vector<std::uint8_t> full(36, 1);
  int plus = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const CycleSet set = cycles_data(full, 6, 6, 4, seed).cycles;
    for (std::size_t c = 0; c < set.size(); ++c, ++all) {
      const auto from = set.cell.begin() + std::ptrdiff_t(set.start[c]),
                 to = set.cell.begin() + std::ptrdiff_t(set.start[c + 1]);
      plus += set.coef[std::size_t(std::min_element(from, to) - set.cell.begin())] > 0;
    }
  }
  CHECK(std::abs(plus - all / 2) < 4 * std::sqrt(all / 4.0));
}

TEST(what_has_no_cycles_or_chances) {
  CHECK_THROWS(InputError, cycles_data({1, 1, 1, 1}, 2, 2, 0, 1));
  CHECK_THROWS(InputError, cycles_data({}, 0, 2, 1, 1));
  CHECK_THROWS(InputError, cycles_data({1, 1, 1}, 2, 2, 1, 1));
  CHECK_THROWS(TooLargeError, cell_graph({}, std::size_t(1) << 20, std::size_t(1) << 20));
  const DataCycles tree = cycles_data({1, 1, 1, 0}, 2, 2, 3, 1);
  CHECK_EQ(tree.cycles.size(), 0u);
  CHECK(tree.still == (std::vector<std::int32_t>{0, 1, 2}));
  CHECK_EQ(cycles_data({0, 0, 0, 0}, 2, 2, 3, 1).still.size(), 0u);
}

TEST(work_can_be_stopped) {
  struct Stop {};
  const std::vector<std::uint8_t> full(2500, 1);
  CHECK_THROWS(Stop, cycles_data(full, 50, 50, 4, 1, [](double done) {
                 if (done > .5) throw Stop{};
               }));
}
