// Structures of releases: against definitions tried out on all small graphs and families.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/bits.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "sets/chordal.hpp"

using namespace sdclattice;
using cases::in;
using cases::inside;
using cases::Mask;

namespace {

VariableSet members(Mask mask) {
  VariableSet out;
  for (std::uint32_t v = 0; v < 64; ++v)
    if (in(mask, v)) out.push_back(v);
  return out;
}

Mask bits(const VariableSet& set) {
  Mask out = 0;
  for (std::uint32_t v : set) out |= Mask{1} << v;
  return out;
}

std::vector<VariableSet> all_members(const std::vector<Mask>& sets) {
  std::vector<VariableSet> out;
  for (Mask set : sets) out.push_back(members(set));
  return out;
}

// A graph by the neighbours of each vertex.
struct Graph {
  std::vector<Mask> next;

  explicit Graph(std::size_t n) : next(n, 0) {}
  std::size_t size() const { return next.size(); }
  void join(std::size_t a, std::size_t b) {
    next[a] |= Mask{1} << b;
    next[b] |= Mask{1} << a;
  }
  bool complete(Mask set) const {
    for (std::size_t v = 0; v < size(); ++v)
      if (in(set, v) && !inside(set & ~(Mask{1} << v), next[v])) return false;
    return true;
  }
  // What can be reached inside `set`.
  Mask part(Mask set, std::size_t from) const {
    Mask out = Mask{1} << from, before = 0;
    while (out != before) {
      before = out;
      for (std::size_t v = 0; v < size(); ++v)
        if (in(before, v)) out |= next[v] & set;
    }
    return out;
  }
  Mask around(Mask set) const {
    Mask out = 0;
    for (std::size_t v = 0; v < size(); ++v)
      if (in(set, v)) out |= next[v];
    return out & ~set;
  }
  // Does `cut` leave two parts of `set` that both touch all of it?
  bool cuts(Mask set, Mask cut) const {
    int full = 0;
    Mask left = set & ~cut;
    while (left != 0) {
      const Mask found = part(set & ~cut, static_cast<std::size_t>(lowest_bit(left)));
      full += inside(cut, around(found));
      left &= ~found;
    }
    return full >= 2;
  }
  std::size_t n_edges() const {
    std::size_t out = 0;
    for (Mask m : next) out += cases::size_of(m);
    return out / 2;
  }
};

Graph graph_of(std::size_t n, std::size_t code) {
  Graph out(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < a; ++b, code >>= 1)
      if ((code & 1) != 0) out.join(a, b);
  return out;
}

IndependenceGraph as_core(const Graph& graph) {
  IndependenceGraph out(graph.size(), {});
  for (std::size_t a = 0; a < graph.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (in(graph.next[a], b)) out.add_edge(a, b);
  return out;
}

// By taking away vertices whose neighbours are complete, until none is left (Dirac 1961).
bool chordal_by_simplicial(const Graph& graph) {
  Mask left = (Mask{1} << graph.size()) - 1;
  for (bool found = true; found && left != 0;) {
    found = false;
    for (std::size_t v = 0; v < graph.size() && !found; ++v)
      if (in(left, v) && graph.complete(graph.next[v] & left)) {
        left &= ~(Mask{1} << v);
        found = true;
      }
  }
  return left == 0;
}

// By Graham's reduction: variables in one set only go, and sets inside others.
bool acyclic_by_reduction(std::vector<Mask> sets) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t v = 0; v < 8; ++v) {
      std::size_t n = 0, where = 0;
      for (std::size_t i = 0; i < sets.size(); ++i)
        if (in(sets[i], v)) ++n, where = i;
      if (n == 1) sets[where] &= ~(Mask{1} << v), changed = true;
    }
    for (std::size_t i = 0; i < sets.size(); ++i)
      for (std::size_t j = 0; j < sets.size(); ++j)
        if (i != j && i < sets.size() && j < sets.size() && inside(sets[i], sets[j])) {
          sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
          j = sets.size();
        }
  }
  return sets.size() <= 1;
}

Graph graph_of_sets(std::size_t n, const std::vector<Mask>& sets) {
  Graph out(n);
  for (Mask set : sets)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (in(set, a) && in(set, b)) out.join(a, b);
  return out;
}

bool in_some(const std::vector<Mask>& sets, Mask set) {
  return std::any_of(sets.begin(), sets.end(), [&](Mask s) { return inside(set, s); });
}

// All that is asked of the structure of a release, by its definition.
int faults(std::size_t n, const std::vector<Mask>& sets) {
  const ReleaseStructure found = study_release(n, all_members(sets));
  const Graph graph = graph_of_sets(n, sets);
  int wrong = found.chordal != chordal_by_simplicial(graph);
  wrong += found.components.size() != found.separators.size() + 1;
  wrong += found.components.size() != found.kinds.size();
  long complete = 0, counted = 0;
  for (Mask set = 0; set < Mask{1} << n; ++set) {
    if (!graph.complete(set)) continue;
    ++complete;
    for (const VariableSet& c : found.components) counted += inside(set, bits(c));
    for (const VariableSet& s : found.separators) counted -= inside(set, bits(s));
  }
  wrong += complete != counted;
  Mask covered = 0;
  bool all_margins = true;
  for (std::size_t i = 0; i < found.components.size(); ++i) {
    const Mask part = bits(found.components[i]);
    covered |= part;
    // Nothing known splits it further.
    for (Mask cut = 0; cut < Mask{1} << n; ++cut)
      if (inside(cut, part) && in_some(sets, cut)) wrong += graph.cuts(part, cut);
    const bool known = in_some(sets, part);
    all_margins = all_margins && known;
    wrong += (found.kinds[i] == ComponentKind::margin) != known;
    wrong +=
        (found.kinds[i] == ComponentKind::free_variable) != (!known && cases::size_of(part) == 1);
  }
  for (const VariableSet& s : found.separators) wrong += !in_some(sets, bits(s));
  wrong += covered != (Mask{1} << n) - 1;
  wrong += found.decomposable() != all_margins;
  Mask held = 0;
  for (Mask set : sets) held |= set;
  if (held == covered) wrong += found.decomposable() != acyclic_by_reduction(sets);
  return wrong;
}

}  // namespace

TEST(sets_are_joined_cut_and_compared) {
  int wrong = 0;
  for (Mask a = 0; a < 64; ++a)
    for (Mask b = 0; b < 64; ++b) {
      wrong += set_union_of(members(a), members(b)) != members(a | b);
      wrong += set_common(members(a), members(b)) != members(a & b);
      wrong += set_contains(members(a), members(b)) != inside(b, a);
    }
  CHECK_EQ(wrong, 0);
}

TEST(frontiers_hold_each_maximal_set_at_its_first_place) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Mask> sets(random.below(7));
    for (Mask& set : sets) set = random.below(16);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      bool keep = true;
      for (std::size_t j = 0; j < sets.size(); ++j)
        if (inside(sets[i], sets[j]) && (sets[i] != sets[j] || j < i)) keep = false;
      if (keep) expected.push_back(i);
    }
    wrong += frontier_of(all_members(sets)) != expected;
  }
  CHECK_EQ(wrong, 0);
}

TEST(graphs_join_what_some_set_holds) {
  const IndependenceGraph graph(5, {{0, 2, 3}, {1}, {3, 4}});
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b < 5; ++b) {
      const Mask pair = Mask{1} << a | Mask{1} << b;
      CHECK_EQ(graph.edge(a, b), a != b && (inside(pair, 0b1101) || inside(pair, 0b11000)));
    }
  CHECK_EQ(graph.size(), 5u);
}

// The orders of all graphs: chordal ones need no fill, the others some; and all complete minimal
// separators are among the neighbours that come later.
TEST(elimination_orders_of_all_graphs) {
  int wrong = 0;
  for (std::size_t n = 1; n <= 5; ++n)
    for (std::size_t code = 0; code < std::size_t{1} << (n * (n - 1) / 2); ++code) {
      const Graph graph = graph_of(n, code);
      const EliminationOrder found = eliminate_graph(as_core(graph));
      wrong += found.chordal != chordal_by_simplicial(graph);
      wrong += found.later.size() != n;
      std::size_t n_pairs = 0;
      std::set<Mask> later;
      for (const VariableSet& set : found.later) {
        n_pairs += set.size();
        later.insert(bits(set));
        wrong += found.chordal && !graph.complete(bits(set));
      }
      wrong += found.chordal ? n_pairs != graph.n_edges() : n_pairs <= graph.n_edges();
      const Mask all = (Mask{1} << n) - 1;
      for (Mask cut = 1; cut <= all; ++cut)
        if (graph.complete(cut) && graph.cuts(all, cut)) wrong += later.count(cut) == 0;
    }
  CHECK_EQ(wrong, 0);
}

TEST(releases_of_all_small_families) {
  int wrong = 0;
  // All families over three variables, then over four all of up to three sub-tables.
  for (std::size_t family = 0; family < 128; ++family) {
    std::vector<Mask> sets;
    for (Mask set = 1; set < 8; ++set)
      if (in(family, set - 1)) sets.push_back(set);
    wrong += faults(3, sets);
  }
  for (Mask a = 1; a < 16; ++a)
    for (Mask b = a; b < 16; ++b)
      for (Mask c = b; c < 16; ++c) wrong += faults(4, {a, b, c});
  CHECK_EQ(wrong, 0);
}

TEST(releases_of_random_families) {
  PublicRandom random(2);
  int wrong = 0, split = 0, open = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t n = 5 + random.below(3);
    std::vector<Mask> sets(1 + random.below(8));
    for (Mask& set : sets) {
      set = random.below(std::size_t{1} << n);
      if (random.below(2) == 0) set &= random();
      if (set == 0) set = 1;
    }
    wrong += faults(n, sets);
    const ReleaseStructure found = study_release(n, all_members(sets));
    split += found.components.size() > 2;
    open += std::count(found.kinds.begin(), found.kinds.end(), ComponentKind::open) > 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK(split > 300 && open > 300);
}

// Not even the total is known then, so that nothing can be told apart; with the total everything.
TEST(nothing_released_and_the_total_alone) {
  const ReleaseStructure nothing = study_release(4, {}), total = study_release(4, {{}});
  CHECK_EQ(nothing.components.size(), 1u);
  CHECK(nothing.kinds[0] == ComponentKind::open && nothing.frontier.empty());
  CHECK_EQ(total.components.size(), 4u);
  for (ComponentKind kind : total.kinds) CHECK(kind == ComponentKind::free_variable);
  for (const VariableSet& s : total.separators) CHECK(s.empty());
  CHECK(!nothing.decomposable() && !total.decomposable());
}

namespace {

// The best bound over all orders of the margins, each union bounded by 0 below.
double best_over_orders(const std::vector<Mask>& sets, const cases::Dense& x, std::size_t cell) {
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto at = [&](Mask set) { return static_cast<double>(x.margin(set)[x.at(cell, set)]); };
  double best = 0;
  do {
    Mask reached = sets[order[0]];
    double bound = at(reached);
    for (std::size_t i = 1; i < order.size(); ++i) {
      const Mask set = sets[order[i]];
      if (inside(set, reached)) continue;
      bound = std::max(0.0, bound + at(set) - at(set & reached));
      reached |= set;
    }
    best = std::max(best, bound);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::vector<std::vector<double>> values(const cases::Dense& x,
                                        const std::vector<VariableSet>& sets) {
  std::vector<std::vector<double>> out;
  for (const VariableSet& set : sets) {
    auto margin = x.margin(bits(set));
    out.emplace_back();
    for (std::size_t c = 0; c < x.counts.size(); ++c)
      out.back().push_back(static_cast<double>(margin[x.at(c, bits(set))]));
  }
  return out;
}

std::vector<double> bounds_by_chains(const cases::Dense& x, const ChainPlan& plan,
                                     const std::vector<VariableSet>& sets) {
  const auto margins = values(x, sets), shared = values(x, plan.shared);
  std::vector<const double*> at_margins, at_shared;
  for (const auto& m : margins) at_margins.push_back(m.data());
  for (const auto& s : shared) at_shared.push_back(s.data());
  return run_chains(plan, at_margins, at_shared, x.counts.size());
}

}  // namespace

TEST(chains_give_the_best_bound_over_all_orders) {
  PublicRandom random(3);
  int wrong = 0, positive = 0, some = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = 3 + random.below(2);
    const cases::Dense x = cases::random_dense(random, cases::Levels(n, 2), 9, random.below(2));
    const std::vector<Mask> masks = cases::random_frontier(random, n, 4);
    const std::vector<VariableSet> sets = all_members(masks);
    const ChainPlan all = plan_chains(sets, 100000), few = plan_chains(sets, 1);
    wrong += !all.all_chains || all.n_margins != sets.size();
    some += !few.all_chains;
    const auto best = bounds_by_chains(x, all, sets), less = bounds_by_chains(x, few, sets);
    Mask whole = 0;
    for (Mask m : masks) whole |= m;
    auto truth = x.margin(whole);
    for (std::size_t c = 0; c < x.counts.size(); ++c) {
      wrong += best[c] != best_over_orders(masks, x, c);
      wrong += less[c] > best[c] || less[c] < 0;
      wrong += best[c] > static_cast<double>(truth[x.at(c, whole)]);
      positive += best[c] > 0;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(positive > 100 && some > 50);
}

TEST(steps_to_a_state_come_before_those_from_it) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    const auto sets = all_members(cases::random_frontier(random, 7, 6));
    for (std::size_t most : {std::size_t{3}, std::size_t{100000}}) {
      const ChainPlan plan = plan_chains(sets, most);
      std::vector<char> left(plan.n_states, 0);
      for (const ChainPlan::Step& step : plan.steps) {
        wrong += left[step.to];
        left[step.from] = 1;
        wrong += step.margin >= sets.size() || step.common >= plan.shared.size();
      }
      wrong += left[plan.last];
    }
  }
  CHECK_EQ(wrong, 0);
}
