// The judge of changes: against the closed form of each release that they lead to.
#include "base/bits.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/graph_cases.hpp"
#include "release/release_judge.hpp"

using namespace sdclattice;
using namespace cases;

// Every change is judged as the closed form of the whole release judges it, with all admissible
// sub-tables known or none, and with memory for few margins.
TEST(the_judge_agrees_with_the_closed_form) {
  int wrong = 0, refused = 0, positive = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    const std::size_t n = 3 + seed % 3;
    const auto pairs = pairs_of(n);
    const SmallTable table(seed, n, seed % 9 == 0);
    const RiskCells cells = table.risk();
    DecomposableGraph graph(n);
    if (cells.size() == 0) continue;
    const std::int64_t beta = std::min<std::int64_t>(1 + seed % 12, width_of(cells, graph));
    if (beta < 1) continue;
    const auto judge = make_release_judge(cells, {beta, {}, seed % 2 == 0 ? 0u : 1u << 20});
    if (seed % 3 == 0) judge->know(admissible_sets(cells, beta, 31));
    judge->begin(graph);
    PublicRandom random(seed);
    for (int step = 0; step < 60; ++step) {
      const auto [u, v] = pairs[random.below(pairs.size())];
      if (graph.edge(u, v)) {
        if (!graph.may_delete(u, v) || random.below(3) > 0) continue;
        graph.flip(u, v);
        judge->remove(graph, u, v);
        continue;
      }
      if (!graph.may_add(u, v)) continue;
      DecomposableGraph more = graph;
      more.flip(u, v);
      const RiskBounds bounds = decomposable_bounds(cells, more.clique_tree());
      const bool safe = bounds.width() >= beta;
      positive += *std::max_element(bounds.lower.begin(), bounds.lower.end()) > 0;
      refused += !safe;
      wrong += judge->add(graph, u, v) != safe;
      if (safe) graph = more;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(refused > 100);
  CHECK(positive > 100);
}

TEST(large_totals_are_judged_in_wider_numbers) {
  SmallTable table(4, 5);
  for (double& count : table.counts)
    if (count > 3) count *= 1e12;
  const RiskCells cells = table.risk();
  const auto judge = make_release_judge(cells, {1, {}, 1u << 20});
  DecomposableGraph graph(5);
  judge->begin(graph);
  for (const auto& [u, v] : pairs_of(5)) {
    if (!graph.may_add(u, v)) continue;
    DecomposableGraph more = graph;
    more.flip(u, v);
    CHECK_EQ(judge->add(graph, u, v), width_of(cells, more) >= 1);
    if (width_of(cells, more) >= 1) graph = more;
  }
}

// Additions that are refused leave the judge as it was; what is removed can be added again.
TEST(the_judge_comes_back_to_where_it_was) {
  PublicRandom random(1);
  int wrong = 0, moves = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 4);
    const RiskCells cells = table.risk();
    DecomposableGraph graph(4);
    if (cells.size() == 0) continue;
    const std::int64_t beta = std::min<std::int64_t>(2, width_of(cells, graph));
    if (beta < 1) continue;
    const auto judge = make_release_judge(cells, {beta, {}, 1u << 20});
    judge->begin(graph);
    for (const auto& [u, v] : pairs_of(4)) {
      if (!graph.may_add(u, v)) continue;
      const bool first = judge->add(graph, u, v);
      if (first) {
        graph.flip(u, v);
        wrong += !graph.may_delete(u, v);
        graph.flip(u, v);
        judge->remove(graph, u, v);
      }
      const bool again = judge->add(graph, u, v);
      wrong += first != again;
      if (again) graph.flip(u, v);
      ++moves;
    }
    const RiskBounds bounds = decomposable_bounds(cells, graph.clique_tree());
    wrong += bounds.width() < beta;
  }
  CHECK_EQ(wrong, 0);
  CHECK(moves > 100);
}

TEST(forbidden_sub_tables_never_come_in) {
  int wrong = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::vector<SubTable> forbidden = {0b11, 0b10100};
    const auto judge = make_release_judge(cells, {0, forbidden, 1u << 20});
    DecomposableGraph graph(5);
    judge->begin(graph);
    for (const auto& [u, v] : pairs_of(5)) {
      if (!graph.may_add(u, v)) continue;
      const SubTable pair = SubTable{1} << u | SubTable{1} << v;
      if (judge->add(graph, u, v)) {
        graph.flip(u, v);
        wrong += pair == 0b11 || pair == 0b10100;
      } else {
        ++refused;
      }
    }
    for (SubTable f : forbidden) wrong += graph.complete(f);
  }
  CHECK_EQ(wrong, 0);
  CHECK(refused > 60);
}

// A cell that may be empty has no lower bound: more is safe than without, and never less.
TEST(cells_that_may_be_empty_have_no_lower_bound) {
  int less = 0, more = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const SmallTable table(seed, 3);
    RiskCells cells = table.risk(), empty = table.risk();
    empty.let_be_empty();
    DecomposableGraph graph(3);
    if (cells.size() == 0) continue;
    const auto plain = make_release_judge(cells, {3, {}, 1u << 20});
    const auto loose = make_release_judge(empty, {3, {}, 1u << 20});
    plain->begin(graph);
    loose->begin(graph);
    for (const auto& [u, v] : pairs_of(3)) {
      if (!graph.may_add(u, v)) continue;
      const bool a = plain->add(graph, u, v), b = loose->add(graph, u, v);
      less += a && !b;
      more += b && !a;
      if (a != b) break;
      if (!a) continue;
      graph.flip(u, v);
      // Without lower bounds the width is the least clique count.
      for (SubTable clique : graph.clique_tree().cliques)
        if (count_bits(clique) > 1)
          for (std::int64_t count : empty.margin(clique)) wrong += count < 3;
    }
  }
  CHECK_EQ(less, 0);
  CHECK_EQ(wrong, 0);
  CHECK(more > 0);
}

TEST(judged_releases_are_counted) {
  const SmallTable table(3, 4);
  const RiskCells cells = table.risk();
  const auto judge = make_release_judge(cells, {0, {0b11}, 1u << 20});
  DecomposableGraph graph(4);
  judge->begin(graph);
  CHECK_EQ(judge->n_judged(), 0u);
  CHECK(!judge->add(graph, 1, 0));  // forbidden: nothing was summed
  CHECK_EQ(judge->n_judged(), 0u);
  CHECK(judge->add(graph, 2, 0));
  CHECK_EQ(judge->n_judged(), 1u);
}
