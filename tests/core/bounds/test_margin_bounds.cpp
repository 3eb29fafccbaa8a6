// Structure of releases, chains, the shuttle and the bounds from margins, on thousands of random
// tables.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "bounds/margin_bounds.hpp"
#include "bounds/margin_cases.hpp"
#include "bounds/shuttle.hpp"
#include "check.hpp"
#include "sets/chordal.hpp"

using namespace sdclattice;
using namespace margin_cases;

namespace {

bool inside(const std::vector<double>& lower, const std::vector<double>& upper,
            const std::vector<double>& outer_lower, const std::vector<double>& outer_upper) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (lower[i] < outer_lower[i] || upper[i] > outer_upper[i]) return false;
  return true;
}

struct Closed {
  std::vector<double> lower, upper;
};

Closed closed_form(const Table& table, const ReleaseStructure& structure) {
  Closed out{std::vector<double>(table.count.size(), 0),
             std::vector<double>(table.count.size(), 1e300)};
  const double total = std::accumulate(table.count.begin(), table.count.end(), 0.0);
  for (std::size_t c = 0; c < structure.components.size(); ++c) {
    const VariableSet& set = structure.components[c];
    const bool is_free = structure.kinds[c] == ComponentKind::free_variable;
    const std::vector<double> value = table.values(is_free ? VariableSet{} : set);
    for (std::size_t i = 0; i < value.size(); ++i) {
      out.upper[i] = std::min(out.upper[i], value[i]);
      out.lower[i] += is_free ? (table.levels[set[0]] == 1 ? total : 0) : value[i];
    }
  }
  for (const VariableSet& set : structure.separators) {
    const std::vector<double> value = table.values(set);
    for (std::size_t i = 0; i < value.size(); ++i) out.lower[i] -= value[i];
  }
  for (double& x : out.lower) x = std::max(x, 0.0);
  return out;
}

Closed chains(const Table& table, const std::vector<VariableSet>& frontier, std::size_t max_steps) {
  const ChainPlan plan = plan_chains(frontier, max_steps);
  std::vector<std::vector<double>> margins, shared;
  std::vector<const double*> at_margins, at_shared;
  Closed out{{}, std::vector<double>(table.count.size(), 1e300)};
  for (const VariableSet& set : frontier) {
    margins.push_back(table.values(set));
    for (std::size_t i = 0; i < out.upper.size(); ++i)
      out.upper[i] = std::min(out.upper[i], margins.back()[i]);
  }
  for (const VariableSet& set : plan.shared) shared.push_back(table.values(set));
  for (const auto& x : margins) at_margins.push_back(x.data());
  for (const auto& x : shared) at_shared.push_back(x.data());
  out.lower = run_chains(plan, at_margins, at_shared, table.count.size());
  return out;
}

// All orders of the margins, each a chain.
std::vector<double> best_of_all_orders(const Table& table,
                                       const std::vector<VariableSet>& frontier) {
  std::vector<double> best(table.count.size(), 0);
  std::vector<std::size_t> order(frontier.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    VariableSet covered = frontier[order[0]];
    std::vector<double> bound = table.values(covered);
    for (std::size_t k = 1; k < order.size(); ++k) {
      const VariableSet& next = frontier[order[k]];
      if (set_contains(covered, next)) continue;
      const std::vector<double> add = table.values(next);
      const std::vector<double> less = table.values(set_common(covered, next));
      for (std::size_t i = 0; i < bound.size(); ++i)
        bound[i] = std::max(0.0, bound[i] + add[i] - less[i]);
      covered = set_union_of(covered, next);
    }
    for (std::size_t i = 0; i < bound.size(); ++i) best[i] = std::max(best[i], bound[i]);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::vector<VariableSet> all_pairs(std::size_t k) {
  std::vector<VariableSet> out;
  for (std::uint32_t a = 0; a < k; ++a)
    for (std::uint32_t b = a + 1; b < k; ++b) out.push_back({a, b});
  return out;
}

std::vector<VariableSet> sets_at(const std::vector<VariableSet>& sets,
                                 const std::vector<std::size_t>& at) {
  std::vector<VariableSet> out;
  for (std::size_t i : at) out.push_back(sets[i]);
  return out;
}

// Chordal by definition: variables can be taken away one by one, the neighbours of each joined.
bool chordal_by_removal(const IndependenceGraph& graph) {
  std::vector<bool> left(graph.size(), true);
  for (std::size_t step = 0; step < graph.size(); ++step) {
    bool removed = false;
    for (std::size_t v = 0; v < graph.size() && !removed; ++v) {
      if (!left[v]) continue;
      bool simplicial = true;
      for (std::size_t a = 0; a < graph.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          if (left[a] && left[b] && a != v && b != v && graph.edge(v, a) && graph.edge(v, b) &&
              !graph.edge(a, b))
            simplicial = false;
      if (!simplicial) continue;
      left[v] = false;
      removed = true;
    }
    if (!removed) return false;
  }
  return true;
}

}  // namespace

TEST(frontier_and_components) {
  const ReleaseStructure chain = study_release(4, {{0, 1}, {1, 2}, {1}, {2, 3}, {0, 1}});
  CHECK_EQ(chain.frontier, (std::vector<std::size_t>{0, 1, 3}));
  CHECK(chain.decomposable() && chain.chordal);
  CHECK_EQ(chain.components.size(), 3u);
  CHECK_EQ(chain.separators.size(), 2u);
  const ReleaseStructure ring = study_release(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  CHECK(!ring.decomposable() && !ring.chordal && ring.components.size() == 1);
  const ReleaseStructure triangle = study_release(3, {{0, 1}, {1, 2}, {0, 2}});
  CHECK(!triangle.decomposable() && triangle.chordal && triangle.components.size() == 1);
  // Two triangles that share an edge: it is a margin, so it separates.
  const ReleaseStructure two = study_release(4, {{0, 1}, {1, 2}, {0, 2}, {1, 3}, {2, 3}});
  CHECK_EQ(two.components.size(), 2u);
  CHECK_EQ(two.separators[0], (VariableSet{1, 2}));
  // Sharing a triangle of which only the edges are released: no separator.
  const ReleaseStructure open =
      study_release(5, {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {0, 4}, {1, 4}, {2, 4}});
  CHECK(open.chordal && open.components.size() == 1);
  const ReleaseStructure spread = study_release(3, {{0}, {2}});
  CHECK_EQ(spread.components.size(), 3u);
  CHECK(std::count(spread.kinds.begin(), spread.kinds.end(), ComponentKind::free_variable) == 1);
  const ReleaseStructure total = study_release(0, {{}});
  CHECK(total.decomposable() && total.components.size() == 1);
}

TEST(components_keep_their_promises) {
  PublicRandom random(11);
  for (int k = 0; k < 3000; ++k) {
    const std::size_t n = 1 + random.below(8);
    std::vector<VariableSet> sets;
    for (std::size_t i = 0; i < 1 + random.below(8); ++i) {
      VariableSet set;
      for (std::uint32_t v = 0; v < n; ++v)
        if (random.below(3) == 0) set.push_back(v);
      sets.push_back(set);
    }
    const ReleaseStructure found = study_release(n, sets);
    const std::vector<VariableSet> frontier = sets_at(sets, found.frontier);
    const IndependenceGraph graph(n, frontier);
    CHECK_EQ(found.chordal, chordal_by_removal(graph));
    CHECK_EQ(found.separators.size() + 1, found.components.size());
    std::size_t covered = 0, shared = 0;
    for (const VariableSet& set : found.components) covered += set.size();
    for (const VariableSet& set : found.separators) shared += set.size();
    CHECK_EQ(covered - shared, n);
    for (const VariableSet& set : frontier)
      CHECK(std::any_of(found.components.begin(), found.components.end(),
                        [&](const VariableSet& c) { return set_contains(c, set); }));
    for (const VariableSet& set : found.separators)
      CHECK(std::any_of(frontier.begin(), frontier.end(),
                        [&](const VariableSet& f) { return set_contains(f, set); }));
    if (found.decomposable()) CHECK(found.chordal && found.components.size() == frontier.size());
  }
}

TEST(chains_try_all_orders) {
  PublicRandom random(12);
  for (int k = 0; k < 300; ++k) {
    const Table table = random_table(random, 2 + random.below(4), 3, 4);
    std::vector<VariableSet> sets = random_sets(random, table.levels.size());
    VariableSet rest(table.levels.size());
    std::iota(rest.begin(), rest.end(), 0u);
    for (const VariableSet& set : sets) {
      VariableSet left;
      std::set_difference(rest.begin(), rest.end(), set.begin(), set.end(),
                          std::back_inserter(left));
      rest = left;
    }
    for (std::uint32_t v : rest) sets.push_back({v});
    const std::vector<VariableSet> frontier = sets_at(sets, frontier_of(sets));
    if (frontier.size() > 6) continue;
    const std::vector<double> best = best_of_all_orders(table, frontier);
    CHECK_EQ(chains(table, frontier, 100000).lower, best);
    const std::vector<double> some = chains(table, frontier, 0).lower;
    CHECK(std::equal(some.begin(), some.end(), best.begin(), std::less_equal<double>()));
  }
}

// On two thousand random tables in two to six dimensions: the true count is inside everything, ip
// inside lp and inside the shuttle, these inside the least margin; closed form equal to ip.
TEST(bounds_are_nested) {
  PublicRandom random(13);
  int decomposable = 0, wider = 0;
  const int n = check::cases(700, 2000);
  for (int k = 0; k < n; ++k) {
    const Table table =
        random_table(random, 2 + random.below(5), k % 2 ? 2 : 3, 1 + random.below(6));
    if (table.count.size() > 100) continue;
    const std::vector<VariableSet> sets =
        k % 5 == 0 ? all_pairs(table.levels.size()) : random_sets(random, table.levels.size());
    const ReleaseStructure structure = study_release(table.levels.size(), sets);
    const std::vector<VariableSet> frontier = sets_at(sets, structure.frontier);
    std::vector<Owned> owned;
    std::vector<ReleasedMargin> margins;
    for (const VariableSet& set : frontier) owned.push_back(table.released(set));
    for (const Owned& margin : owned) margins.push_back(margin.view());
    const Asked asked(table);
    const auto bounds = [&](MarginMethod method) {
      return margin_bounds(table.levels, margins, asked.cells, method, {}, {});
    };
    const MarginBounds ip = bounds(MarginMethod::ip), lp = bounds(MarginMethod::lp),
                       shuttle = bounds(MarginMethod::shuttle);
    std::vector<double> least(table.count.size(), 1e300), none(table.count.size(), 0);
    for (const VariableSet& set : frontier) {
      const std::vector<double> value = table.values(set);
      for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], value[i]);
    }
    CHECK(std::all_of(ip.sharp.begin(), ip.sharp.end(), [](char s) { return s; }));
    CHECK(inside(table.count, table.count, ip.lower, ip.upper));
    CHECK(inside(ip.lower, ip.upper, lp.lower, lp.upper));
    CHECK(inside(ip.lower, ip.upper, shuttle.lower, shuttle.upper));
    CHECK(inside(lp.lower, lp.upper, none, least));
    CHECK(inside(shuttle.lower, shuttle.upper, none, least));
    wider += shuttle.lower != ip.lower || shuttle.upper != ip.upper;
    if (std::count(structure.kinds.begin(), structure.kinds.end(), ComponentKind::open) == 0) {
      ++decomposable;
      const Closed closed = closed_form(table, structure);
      CHECK_EQ(closed.lower, ip.lower);
      CHECK_EQ(closed.upper, ip.upper);
    }
  }
  CHECK(20 * decomposable > 3 * n);
  CHECK(wider > 0);
}

// Who knows the table finds the same bounds, and so does who takes another one for it.
TEST(the_table_changes_no_bound) {
  PublicRandom random(17);
  MarginLimits limits;
  limits.solver.engine = BoundsEngine::sparse;
  for (int k = 0; k < 150; ++k) {
    Table table = random_table(random, 3 + random.below(2), 3, 1 + random.below(6));
    VariableSet all(table.levels.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<Owned> owned;
    std::vector<ReleasedMargin> margins;
    for (const VariableSet& set : all_pairs(table.levels.size()))
      owned.push_back(table.released(set));
    for (const Owned& margin : owned) margins.push_back(margin.view());
    const Asked asked(table);
    const auto bounds = [&](const ReleasedMargin* truth) {
      return margin_bounds(table.levels, margins, asked.cells, MarginMethod::ip, limits, {}, truth);
    };
    const MarginBounds none = bounds(nullptr);
    const Owned own = table.released(all);
    std::reverse(table.count.begin(), table.count.end());
    const Owned other = table.released(all);
    for (const Owned& whole : {own, other}) {
      const ReleasedMargin truth = whole.view();
      const MarginBounds found = bounds(&truth);
      CHECK_EQ(found.lower, none.lower);
      CHECK_EQ(found.upper, none.upper);
      CHECK_EQ(found.sharp, none.sharp);
      CHECK_EQ(found.least, none.least);
    }
  }
}

TEST(limits_are_kept) {
  PublicRandom random(16);
  const Table table = random_table(random, 3, 3, 4);
  const Owned margin = table.released({0, 1});
  const std::vector<ReleasedMargin> margins{margin.view()};
  const Asked asked(table);
  MarginLimits limits;
  limits.max_cells = 1;
  CHECK_THROWS(TooLargeError,
               margin_bounds({3, 3, 3}, margins, asked.cells, MarginMethod::ip, limits, {}));
  CHECK_THROWS(TooLargeError, GeneralizedShuttle({3, 3, 3}, margins, 63));
  limits = {};
  limits.max_super_cells = 1;
  CHECK(!margin_bounds(table.levels, margins, asked.cells, MarginMethod::shuttle, limits, {})
             .generalized);
}

// Two margins that agree on what they share; with the third there is no table.
TEST(margins_without_a_table) {
  Table odd{{2, 2, 2}, {1, 0, 0, 1, 0, 0, 0, 0}};
  const Owned ab = odd.released({0, 1});
  odd.count = {1, 0, 0, 0, 0, 0, 1, 0};
  Owned bc = odd.released({1, 2});
  odd.count = {0, 1, 0, 0, 1, 0, 0, 0};
  Owned ac = odd.released({0, 2});
  const std::vector<ReleasedMargin> margins{ab.view(), bc.view(), ac.view()};
  const Asked asked(odd);
  for (const MarginMethod method : {MarginMethod::shuttle, MarginMethod::lp, MarginMethod::ip})
    CHECK_THROWS(InfeasibleError, margin_bounds(odd.levels, margins, asked.cells, method, {}, {}));
}
