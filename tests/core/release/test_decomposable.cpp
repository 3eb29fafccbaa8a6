// Decomposable releases: chordal graphs by all small graphs, bounds by all tables.
#include "base/bits.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/decomposable.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

TEST(there_are_as_many_chordal_graphs_as_known) {
  const std::vector<std::size_t> known = {1, 2, 8, 61, 822, 18154};
  for (std::size_t n = 1; n <= 6; ++n) {
    const std::vector<char> chordal = chordal_codes(n);
    CHECK_EQ(std::count(chordal.begin(), chordal.end(), 1), known[n - 1]);
  }
}

TEST(legal_moves_are_the_chordal_graphs_one_edge_away) {
  for (std::size_t n = 2; n <= 6; ++n) {
    const std::vector<char> chordal = chordal_codes(n);
    const auto pairs = pairs_of(n);
    int wrong = 0, wrong_test = 0;
    for (std::size_t code = 0; code < chordal.size(); ++code) {
      const DecomposableGraph graph = graph_of(n, code);
      wrong_test += graph.chordal() != (chordal[code] != 0);
      if (chordal[code] == 0) continue;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [u, v] = pairs[i];
        const bool legal = graph.edge(u, v) ? graph.may_delete(u, v) : graph.may_add(u, v);
        wrong += legal != (chordal[code ^ std::size_t{1} << i] != 0);
      }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(wrong_test, 0);
  }
}

TEST(cliques_and_separators_of_all_chordal_graphs) {
  const std::vector<char> chordal = chordal_codes(6);
  int wrong = 0;
  for (std::size_t code = 0; code < chordal.size(); ++code) {
    if (chordal[code] == 0) continue;
    const DecomposableGraph graph = graph_of(6, code);
    const CliqueTree tree = graph.clique_tree();
    std::vector<SubTable> maximal;
    long complete = 0, counted = 0;
    for (SubTable set = 0; set < 64; ++set) {
      if (!graph.complete(set)) continue;
      ++complete;
      bool can_grow = false;
      for (std::size_t v = 0; v < 6; ++v)
        can_grow = can_grow || ((set >> v & 1) == 0 && graph.complete(set | SubTable{1} << v));
      if (!can_grow) maximal.push_back(set);
    }
    for (SubTable clique : tree.cliques) counted += 1L << count_bits(clique);
    for (SubTable separator : tree.separators) counted -= 1L << count_bits(separator);
    std::vector<SubTable> found = tree.cliques;
    std::sort(found.begin(), found.end());
    wrong += found != maximal || counted != complete;
    wrong += tables(6).release(tree.cliques, tree.separators) != static_cast<double>(complete - 1);
  }
  CHECK_EQ(wrong, 0);
}

TEST(triangulation_keeps_chordal_graphs_and_mends_others) {
  int wrong = 0;
  for (std::size_t code = 0; code < 1024; ++code) {
    const DecomposableGraph graph = graph_of(5, code), filled = graph.triangulated();
    bool same = true, kept = true;
    for (std::size_t v = 0; v < 5; ++v) {
      same = same && filled.neighbours(v) == graph.neighbours(v);
      kept = kept && (graph.neighbours(v) & ~filled.neighbours(v)) == 0;
    }
    wrong += !filled.chordal() || !kept || same != graph.chordal();
  }
  CHECK_EQ(wrong, 0);
}

TEST(bounds_are_those_of_all_tables_with_the_cliques) {
  PublicRandom random(1);
  const std::vector<char> chordal = chordal_codes(3);
  int wrong = 0, positive = 0, judged = 0;
  for (int round = 0; round < 40; ++round) {
    const Dense x = random_dense(random, {2, 3, 2}, 3, 1);
    const Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    for (std::size_t code = 0; code < chordal.size(); ++code) {
      if (chordal[code] == 0) continue;
      const CliqueTree tree = graph_of(3, code).clique_tree();
      const auto exact = sharp_bounds(x, tree.cliques);
      if (exact.empty()) continue;
      const RiskBounds found = decomposable_bounds(risk, tree);
      std::int64_t width = INT64_MAX;
      for (std::size_t k = 0; k < risk.size(); ++k) {
        const Interval& truth = exact[stored.risk_cell(k)];
        wrong += found.lower[k] != truth.lower || found.upper[k] != truth.upper;
        width = std::min(width, truth.width());
        positive += truth.lower > 0;
        ++judged;
      }
      if (risk.size() > 0) wrong += found.width() != width;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 300 && positive > 30);
}

TEST(sets_join_their_variables_and_flips_undo_themselves) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const auto sets = random_frontier(random, 6, 4);
    DecomposableGraph graph(6, sets);
    for (std::size_t u = 0; u < 6; ++u)
      for (std::size_t v = 0; v < 6; ++v) {
        const Mask pair = Mask{1} << u | Mask{1} << v;
        const bool joined = u != v && std::any_of(sets.begin(), sets.end(),
                                                  [&](Mask s) { return inside(pair, s); });
        wrong += graph.edge(u, v) != joined;
      }
    for (Mask set : sets) wrong += !graph.complete(set);
    const std::size_t u = random.below(6), v = (u + 1 + random.below(5)) % 6;
    const bool before = graph.edge(u, v);
    graph.flip(u, v);
    wrong += graph.edge(u, v) == before || graph.edge(v, u) == before;
    wrong += graph.common(u, v) != (graph.neighbours(u) & graph.neighbours(v));
    graph.flip(v, u);
    wrong += graph.edge(u, v) != before;
  }
  CHECK_EQ(wrong, 0);
}

TEST(sixty_four_variables_fit) {
  const DecomposableGraph whole(64, {~SubTable{0}}), none(64);
  CHECK(whole.chordal() && none.chordal());
  CHECK_EQ(whole.clique_tree().cliques.size(), 1u);
  CHECK_EQ(none.clique_tree().cliques.size(), 64u);
  CHECK_EQ(none.clique_tree().separators.size(), 63u);
  CHECK(whole.complete(~SubTable{0}) && whole.edge(63, 0) && !none.edge(63, 0));
  CHECK(none.may_add(63, 0) && whole.may_delete(63, 0));
}
