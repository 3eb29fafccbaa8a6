// Decomposable releases: graphs, admissible sub-tables, critical widths, judge, limit, annealing.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/anneal.hpp"
#include "release/critical_widths.hpp"
#include "release/decomposable.hpp"
#include "release/decomposable_limit.hpp"

using namespace sdclattice;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = 0; v < u; ++v) out.emplace_back(u, v);
  return out;
}

DecomposableGraph graph_of(std::size_t n, std::size_t code) {
  DecomposableGraph out(n);
  const auto pairs = pairs_of(n);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if ((code >> i & 1) != 0) out.flip(pairs[i].first, pairs[i].second);
  return out;
}

// No set of four or more variables induces a cycle: each with two neighbours in it, and connected.
bool chordal_by_cycles(const DecomposableGraph& graph) {
  for (SubTable set = 0; set < SubTable{1} << graph.size(); ++set) {
    if (__builtin_popcountll(set) < 4) continue;
    bool ring = true;
    for (std::size_t v = 0; v < graph.size() && ring; ++v)
      if ((set >> v & 1) != 0) ring = __builtin_popcountll(graph.neighbours(v) & set) == 2;
    if (!ring) continue;
    SubTable reached = set & -set, before = 0;
    while (reached != before) {
      before = reached;
      for (std::size_t v = 0; v < graph.size(); ++v)
        if ((before >> v & 1) != 0) reached |= graph.neighbours(v) & set;
    }
    if (reached == set) return false;
  }
  return true;
}

// All codes of chordal graphs, marked.
std::vector<char> chordal_codes(std::size_t n) {
  std::vector<char> out(std::size_t{1} << pairs_of(n).size());
  for (std::size_t code = 0; code < out.size(); ++code)
    out[code] = chordal_by_cycles(graph_of(n, code)) ? 1 : 0;
  return out;
}

// A random table, some or most of its cells zero; two words a key when `wide`.
struct SmallTable {
  Layout layout;
  Cells cells;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  std::vector<std::uint32_t> at_risk;

  SmallTable(std::uint64_t seed, std::size_t n, bool wide = false)
      : layout(shape(seed, n, wide)), cells(layout.n_words()) {
    PublicRandom random(seed);
    std::size_t n_cells = 1;
    for (std::size_t v = 0; v < n; ++v) n_cells *= used(v);
    const std::size_t zeros = random.below(4), most = 2 + random.below(30);
    std::vector<std::uint64_t> key(layout.n_words(), 0);
    for (std::size_t i = 0; i < n_cells; ++i) {
      if (random.below(4) < zeros) continue;
      std::size_t rest = i;
      for (std::size_t v = 0; v < n; rest /= used(v), ++v)
        layout.put(key.data(), v, static_cast<std::uint32_t>(rest % used(v)));
      const std::uint64_t count = 1 + random.below(most) * random.below(3);
      if (count <= 3) at_risk.push_back(static_cast<std::uint32_t>(counts.size()));
      keys.insert(keys.end(), key.begin(), key.end());
      counts.push_back(static_cast<double>(count));
    }
  }

  CellsView view() const { return {keys.data(), counts.data(), counts.size()}; }
  RiskCells risk() const { return RiskCells(layout, view(), at_risk); }

 private:
  static std::vector<std::uint32_t> shape(std::uint64_t seed, std::size_t n, bool wide) {
    std::vector<std::uint32_t> out;
    for (std::size_t v = 0; v < n; ++v)
      out.push_back(wide ? 40000u : static_cast<std::uint32_t>(2 + (seed + v) % 2));
    return out;
  }
  std::size_t used(std::size_t v) const { return std::min<std::size_t>(layout.n_levels(v), 3); }
};

std::int64_t width_of(const RiskCells& cells, const DecomposableGraph& graph) {
  return decomposable_bounds(cells, graph.clique_tree()).width();
}

// The most that a safe decomposable release is worth, by trying all graphs.
double best_of_all(const RiskCells& cells, std::int64_t beta, const AdditiveUtility& utility,
                   const std::vector<SubTable>& forced, const std::vector<SubTable>& forbidden) {
  static const std::vector<char> chordal = chordal_codes(5);
  double best = -1;
  for (std::size_t code = 0; code < chordal.size(); ++code) {
    if (chordal[code] == 0) continue;
    const DecomposableGraph graph = graph_of(5, code);
    const auto has = [&](SubTable set) { return graph.complete(set); };
    if (!std::all_of(forced.begin(), forced.end(), has)) continue;
    if (std::any_of(forbidden.begin(), forbidden.end(), has)) continue;
    const CliqueTree tree = graph.clique_tree();
    const double value = utility.release(tree.cliques, tree.separators);
    if (value > best && decomposable_bounds(cells, tree).width() >= beta) best = value;
  }
  return best;
}

AdditiveUtility tables(std::size_t n) {
  return AdditiveUtility(std::vector<double>(n, 1), {}, {});
}

AdditiveUtility some_utility(std::uint64_t kind) {
  if (kind % 3 == 0) return tables(5);
  if (kind % 3 == 1) return AdditiveUtility({2, 3, 2, 3, 2}, {}, {});
  return AdditiveUtility(std::vector<double>(5, 0), {0b11, 0b10110, 0b1100, 0b11000, 0b111},
                         {3, 2.5, .75, 1, 4});
}

}  // namespace

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
    for (SubTable clique : tree.cliques) counted += 1L << __builtin_popcountll(clique);
    for (SubTable separator : tree.separators) counted -= 1L << __builtin_popcountll(separator);
    std::vector<SubTable> found = tree.cliques;
    std::sort(found.begin(), found.end());
    wrong += found != maximal || counted != complete;
    wrong += tables(6).release(tree.cliques, tree.separators) != static_cast<double>(complete - 1);
  }
  CHECK_EQ(wrong, 0);
}

TEST(an_edge_is_worth_the_difference_of_the_releases) {
  const std::vector<char> chordal = chordal_codes(5);
  const auto pairs = pairs_of(5);
  double worst = 0;
  for (std::uint64_t kind = 0; kind < 3; ++kind) {
    const AdditiveUtility utility = some_utility(kind);
    const auto worth = [&](std::size_t code) {
      const CliqueTree tree = graph_of(5, code).clique_tree();
      return utility.release(tree.cliques, tree.separators);
    };
    for (std::size_t code = 0; code < chordal.size(); ++code)
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t more = code | std::size_t{1} << i;
        if (more == code || chordal[code] == 0 || chordal[more] == 0) continue;
        const auto [u, v] = pairs[i];
        const SubTable clique =
            graph_of(5, code).common(u, v) | SubTable{1} << u | SubTable{1} << v;
        const double difference = worth(more) - worth(code);
        worst = std::max(worst, std::abs(difference - utility.with_edge(clique, u, v)));
      }
  }
  CHECK(worst < 1e-9);
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

TEST(admissible_sets_are_those_with_large_counts) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const SmallTable table(seed, 5, seed % 5 == 0);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::int64_t beta = 1 + static_cast<std::int64_t>(seed % 40);
    const std::vector<SubTable> forbidden =
        seed % 2 == 0 ? std::vector<SubTable>{0b101, 0b11000} : std::vector<SubTable>{};
    std::vector<SubTable> expected;
    for (SubTable set = 1; set < 32; ++set) {
      const std::vector<std::int64_t> count = cells.margin(set);
      if (*std::min_element(count.begin(), count.end()) < beta) continue;
      if (std::none_of(forbidden.begin(), forbidden.end(),
                       [&](SubTable f) { return (f & ~set) == 0; }))
        expected.push_back(set);
    }
    wrong += admissible_sets(cells, beta, 31, {}, forbidden) != expected;
    if (expected.size() > 2)
      CHECK_THROWS(TooLargeError, admissible_sets(cells, beta, 2, {}, forbidden));
  }
  CHECK_EQ(wrong, 0);
}

TEST(critical_widths_are_those_of_the_most_parsimonious_releases) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const SmallTable table(seed, 2 + seed % 4, seed % 7 == 0);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::vector<std::int64_t> found = critical_widths(cells);
    for (SubTable set = 1; set <= cells.all_variables(); ++set)
      wrong += found[set] != width_of(cells, DecomposableGraph(cells.n_variables(), {set}));
  }
  CHECK_EQ(wrong, 0);
}

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

// The limit is never below the best of all, and annealing of small tables finds the best.
TEST(limits_hold_and_annealing_finds_the_best) {
  int below = 0, met = 0, missed = 0, infeasible = 0, n = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    const std::int64_t beta = 1 + static_cast<std::int64_t>(seed % 7);
    if (cells.size() == 0 || width_of(cells, DecomposableGraph(5)) < beta) continue;
    const AdditiveUtility utility = some_utility(seed);
    std::vector<SubTable> forced, forbidden;
    if (seed % 4 == 1) forced = {0b11};
    if (seed % 4 == 2) forced = {0b111, 0b11000};
    if (seed % 4 >= 2) forbidden = {0b10010};
    const double best = best_of_all(cells, beta, utility, forced, forbidden);
    const double limit =
        decomposable_limit(5, admissible_sets(cells, beta, 31, {}, forbidden), utility, forced);
    ++n;
    below += limit < best - 1e-9;
    met += limit <= best + 1e-9;
    infeasible += best < 0;
    const DecomposableGraph start(5, forced);
    if (width_of(cells, start) < beta) continue;
    const auto judge = make_release_judge(cells, {beta, forbidden, 1u << 20});
    AnnealFound found;
    const AnnealPlan plan{chain_seed(seed, 1), 10000,     .15 * limit,
                          .003 * limit,        kInfinite, kInfinite};
    anneal(*judge, utility, start, forced, plan, found);
    missed += std::abs(found.value - best) > 1e-9;
    const DecomposableGraph result(5, found.best.cliques);
    CHECK(width_of(cells, result) >= beta);
    for (SubTable set : forced) CHECK(result.complete(set));
    for (SubTable set : forbidden) CHECK(!result.complete(set));
  }
  CHECK_EQ(below, 0);
  CHECK_EQ(missed, 0);
  CHECK(n > 30);
  CHECK(2 * met > n);
  CHECK(infeasible > 0);
}

TEST(forced_sets_lower_the_limit) {
  // Variables 0 to 2 may be together, and 3 with 0 or 1.
  const std::vector<SubTable> admissible = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK_EQ(decomposable_limit(4, admissible, tables(4)), 7 + 2);
  CHECK_EQ(decomposable_limit(4, admissible, AdditiveUtility({1, 1, 1, 1}, {10}, {1.5})), 7 + 3.5);
  // With 0 and 3 forced, 3 gains no more than with 0.
  CHECK_EQ(decomposable_limit(4, admissible, AdditiveUtility({1, 1, 1, 1}, {10}, {1.5}), {9}),
           7 + 2);
  CHECK_EQ(decomposable_limit(4, admissible, tables(4), {12}), -1);
  CHECK_EQ(decomposable_limit(3, {1, 2}, tables(3)), -1);
}

TEST(the_same_seed_gives_the_same_chain_and_an_end_keeps_the_best) {
  const SmallTable table(12, 5);
  const RiskCells cells = table.risk();
  const auto judge = make_release_judge(cells, {1, {}, 1u << 20});
  const AnnealPlan plan{chain_seed(7, 1), 3000, 3, .5, kInfinite, kInfinite};
  AnnealFound first, second, ended;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, first);
  anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, second);
  CHECK_EQ(first.best.cliques, second.best.cliques);
  CHECK_EQ(first.n_accepted, second.n_accepted);
  CHECK_EQ(first.n_proposals, 3000);
  CHECK(chain_seed(7, 1) != chain_seed(7, 2));

  const Tick end = [](double done) {
    if (done > .5) throw std::runtime_error("enough");
  };
  CHECK_THROWS(std::runtime_error,
               (anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, ended, end), 0));
  CHECK(ended.n_proposals > 1000 && ended.n_proposals < 3000);
  CHECK(!ended.best.cliques.empty() && ended.value == ended.log.back().value);

  AnnealPlan short_plan = plan;
  short_plan.seconds = 0;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, short_plan, ended);
  CHECK(ended.out_of_time && ended.n_proposals < 300);
  AnnealPlan modest = plan;
  modest.enough = first.value - 1;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, modest, ended);
  CHECK(ended.enough && ended.n_proposals <= first.n_proposals);
}
