// The best decomposable release: all graphs once, and both searches against trying all of them.
#include <map>
#include <set>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/chordal_graphs.hpp"
#include "release/chordal_search.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const Tick kQuiet = [](double) {};

// Every chordal graph whose cliques are closed: the largest value of a safe one, and how many have
// it.
struct Best {
  double value = -1;
  int n = 0;
  std::size_t n_graphs = 0;

  Best(const RiskCells& cells, std::int64_t beta, const AdditiveUtility& utility,
       std::size_t n_variables) {
    static std::map<std::size_t, std::vector<char>> known;
    std::vector<char>& chordal = known[n_variables];
    if (chordal.empty()) chordal = chordal_codes(n_variables);
    for (std::size_t code = 0; code < chordal.size(); ++code) {
      if (chordal[code] == 0) continue;
      const CliqueTree tree = graph_of(n_variables, code).clique_tree();
      const auto& cliques = tree.cliques;
      if (!std::all_of(cliques.begin(), cliques.end(),
                       [&](SubTable clique) { return utility.steps().is_closed(clique); }))
        continue;
      ++n_graphs;
      if (decomposable_bounds(cells, tree).width() < beta) continue;
      const double worth = utility.release(tree.cliques, tree.separators);
      if (worth > value) value = worth, n = 0;
      n += worth == value;
    }
  }
};

bool is_release(const RiskCells& cells, const DecomposableResult& found, std::int64_t beta,
                const AdditiveUtility& utility) {
  const DecomposableGraph graph(cells.n_variables(), found.cliques);
  const CliqueTree tree = graph.clique_tree();
  std::vector<SubTable> a = tree.cliques, b = found.cliques;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b && decomposable_bounds(cells, tree).width() >= beta &&
         utility.release(tree.cliques, tree.separators) == found.value;
}

}  // namespace

TEST(all_chordal_graphs_come_once_each_by_an_elimination) {
  const std::size_t known[] = {1, 2, 8, 61, 822};
  int wrong = 0;
  for (std::size_t n = 1; n <= 5; ++n) {
    std::set<std::vector<SubTable>> seen;
    const auto visit = [&](const ChordalCover& cover) {
      const DecomposableGraph graph(n, cover.with);
      SubTable left = (SubTable{1} << n) - 1;
      std::vector<SubTable> rows;
      for (std::size_t k = 0; k < n; ++k) {
        const SubTable one = cover.with[k] & ~cover.without[k];
        const auto v = static_cast<std::size_t>(lowest_bit(one));
        left &= ~one;
        wrong += size_of(one) != 1 || (graph.neighbours(v) & left) != cover.without[k];
        wrong += !graph.complete(cover.with[k]);
        rows.push_back(graph.neighbours(k));
      }
      wrong += left != 0 || !seen.insert(rows).second;
    };
    CHECK_EQ(for_each_chordal_graph(n, visit), known[n - 1]);
    CHECK_EQ(seen.size(), known[n - 1]);
  }
  CHECK_EQ(wrong, 0);
}

TEST(graphs_are_counted_up_to_six_variables_and_refused_beyond_seven) {
  CHECK_EQ(for_each_chordal_graph(6, [](const ChordalCover&) {}), 18154u);
  CHECK_THROWS(TooLargeError, for_each_chordal_graph(8, [](const ChordalCover&) {}));
}

TEST(enumeration_and_search_find_the_best_of_all) {
  int wrong = 0, feasible = 0, infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::int64_t beta = 1 + 3 * static_cast<std::int64_t>(seed % 14);
    const AdditiveUtility utility = some_utility(seed);
    const Best best(cells, beta, utility, 5);
    WorkClock clock(1000, kQuiet);
    const auto all = enumerate_decomposable(cells, beta, utility, clock);
    const auto searched = search_decomposable(cells, beta, utility, {}, clock);
    wrong += all.value != best.value || all.n_graphs != 822 || !all.optimal || all.stopped;
    if (best.value < 0) {
      wrong += searched.value >= 0;
      ++infeasible;
      continue;
    }
    ++feasible;
    wrong += all.n_optima != best.n || all.upper != best.value;
    wrong += searched.value != best.value || searched.upper != best.value || !searched.optimal;
    wrong += !is_release(cells, all, beta, utility) || !is_release(cells, searched, beta, utility);
    for (const auto& found : {all, searched}) {
      wrong += found.steps.empty() || found.steps.back().value != found.value;
      for (std::size_t i = 1; i < found.steps.size(); ++i)
        wrong += found.steps[i].value <= found.steps[i - 1].value;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(feasible > 15 && infeasible > 2);
}

// Factors and values of some closed sets, by their finest steps.
AdditiveUtility by_level(std::uint64_t seed, const LevelSteps& steps) {
  PublicRandom random(seed);
  std::vector<double> factors, values;
  for (std::size_t s = 0; s < steps.n_steps(); ++s)
    factors.push_back(static_cast<double>(random.below(4)));
  std::vector<SubTable> sets;
  for (int i = 0; i < 3; ++i) {
    const SubTable set = steps.closure(1 + random.below(steps.all()));
    sets.push_back(steps.last_steps(set));
    values.push_back(static_cast<double>(random.below(20)));
  }
  return {factors, sets, values, steps};
}

TEST(by_level_enumeration_and_search_find_the_best_graph_of_closed_cliques) {
  const std::vector<std::vector<std::size_t>> ladders = {{2, 1, 2}, {3, 2}, {1, 2, 1, 1}, {5}};
  int wrong = 0, feasible = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::int64_t beta = 1 + 2 * static_cast<std::int64_t>(seed % 9);
    const AdditiveUtility utility = by_level(seed, LevelSteps(ladders[seed % 4]));
    const Best best(cells, beta, utility, 5);
    WorkClock clock(1000, kQuiet);
    const auto all = enumerate_decomposable(cells, beta, utility, clock);
    const auto searched = search_decomposable(cells, beta, utility, {}, clock);
    wrong += all.value != best.value || all.n_graphs != best.n_graphs || !all.optimal;
    wrong += std::max(searched.value, -1.0) != best.value;
    if (best.value < 0) continue;
    ++feasible;
    several += all.cliques.size() > 1;
    wrong += all.n_optima != best.n || searched.upper != best.value || !searched.optimal;
    wrong += !is_release(cells, all, beta, utility) || !is_release(cells, searched, beta, utility);
    for (const auto& found : {all, searched})
      for (SubTable clique : found.cliques) wrong += !utility.steps().is_closed(clique);
  }
  CHECK_EQ(wrong, 0);
  CHECK(feasible > 20 && several > 8);
}

TEST(cells_that_may_be_empty_have_no_lower_bound) {
  int wrong = 0, more = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 4);
    RiskCells cells = table.risk(), empty = table.risk();
    empty.let_be_empty();
    if (cells.size() == 0) continue;
    const AdditiveUtility utility = tables(4);
    WorkClock clock(1000, kQuiet);
    const auto plain = enumerate_decomposable(cells, 2, utility, clock);
    const auto loose = enumerate_decomposable(empty, 2, utility, clock);
    const auto searched = search_decomposable(empty, 2, utility, {}, clock);
    wrong += loose.value < plain.value || std::max(searched.value, -1.0) != loose.value;
    more += loose.value > plain.value;
    // Without lower bounds a release is safe when all of its sub-tables have counts of 2.
    for (SubTable clique : loose.cliques)
      for (std::int64_t count : empty.margin(clique)) wrong += count < 2;
  }
  CHECK_EQ(wrong, 0);
  CHECK(more > 0);
}

TEST(searches_without_room_or_time_give_true_limits) {
  int wrong = 0, stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const AdditiveUtility utility = some_utility(seed);
    WorkClock clock(1000, kQuiet), over(0, kQuiet), over_too(0, kQuiet);
    const Best best(cells, 2, utility, 5);
    DecomposableLimits small;
    small.max_margin_bytes = 1;
    small.max_visited = 1;
    const auto forgetful = search_decomposable(cells, 2, utility, small, clock);
    wrong += std::max(forgetful.value, -1.0) != best.value;
    small.max_admissible = 2;
    if (best.value >= 0)
      CHECK_THROWS(TooLargeError, search_decomposable(cells, 2, utility, small, clock));
    for (const auto& cut : {enumerate_decomposable(cells, 2, utility, over),
                            search_decomposable(cells, 2, utility, {}, over_too)}) {
      wrong += cut.value > best.value || (cut.stopped && cut.upper < best.value);
      stopped += cut.stopped;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(stopped > 20);
}
