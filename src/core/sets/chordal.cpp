#include "sets/chordal.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "base/deadline.hpp"

namespace sdclattice {

VariableSet set_union_of(const VariableSet& a, const VariableSet& b) {
  VariableSet out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

VariableSet set_common(const VariableSet& a, const VariableSet& b) {
  VariableSet out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

bool set_contains(const VariableSet& whole, const VariableSet& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

std::vector<std::size_t> frontier_of(const std::vector<VariableSet>& sets) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    bool maximal = true;
    for (std::size_t j = 0; j < sets.size() && maximal; ++j) {
      const bool beats = sets[j].size() > sets[i].size() || (j < i && sets[j] == sets[i]);
      if (j != i && beats && set_contains(sets[j], sets[i])) maximal = false;
    }
    if (maximal) out.push_back(i);
  }
  return out;
}

IndependenceGraph::IndependenceGraph(std::size_t n, const std::vector<VariableSet>& sets)
    : n_(n), edges_(n * n, false) {
  for (const VariableSet& set : sets)
    for (std::uint32_t a : set)
      for (std::uint32_t b : set)
        if (a != b) edges_[a * n_ + b] = true;
}

namespace {

// For each open variable y the least, over the paths from z to y through open variables, of the
// largest weight inside the path; -1 for neighbours. Dijkstra's search without a heap.
std::vector<int> least_passes(const IndependenceGraph& graph, std::size_t z,
                              const std::vector<int>& weight, const std::vector<bool>& open) {
  const int far = std::numeric_limits<int>::max();
  std::vector<int> pass(graph.size(), far);
  std::vector<bool> done(graph.size(), false);
  for (std::size_t y = 0; y < graph.size(); ++y)
    if (open[y] && y != z && graph.edge(z, y)) pass[y] = -1;
  for (;;) {
    std::size_t best = graph.size();
    for (std::size_t y = 0; y < graph.size(); ++y)
      if (!done[y] && pass[y] != far && (best == graph.size() || pass[y] < pass[best])) best = y;
    if (best == graph.size()) return pass;
    done[best] = true;
    for (std::size_t y = 0; y < graph.size(); ++y)
      if (open[y] && y != z && graph.edge(best, y))
        pass[y] = std::min(pass[y], std::max(pass[best], weight[best]));
  }
}

// The part of the graph on `inside` without `cut` that holds `from`.
VariableSet part_of(const IndependenceGraph& graph, const VariableSet& inside,
                    const VariableSet& cut, std::uint32_t from) {
  std::vector<bool> may(graph.size(), false);
  for (std::uint32_t v : inside) may[v] = true;
  for (std::uint32_t v : cut) may[v] = false;
  may[from] = false;
  VariableSet out{from};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::uint32_t v : inside)
      if (may[v] && graph.edge(out[i], v)) {
        may[v] = false;
        out.push_back(v);
      }
  std::sort(out.begin(), out.end());
  return out;
}

bool touches_all(const IndependenceGraph& graph, const VariableSet& part, const VariableSet& cut) {
  return std::all_of(cut.begin(), cut.end(), [&](std::uint32_t s) {
    return std::any_of(part.begin(), part.end(), [&](std::uint32_t v) { return graph.edge(v, s); });
  });
}

class Splitter {
 public:
  Splitter(const IndependenceGraph& graph, std::vector<VariableSet> cuts, ReleaseStructure& out)
      : graph_(graph), cuts_(std::move(cuts)), out_(out) {}

  void split(const VariableSet& inside) {
    for (const VariableSet& cut : cuts_) {
      VariableSet part;
      if (!set_contains(inside, cut) || !cuts(inside, cut, part)) continue;
      VariableSet rest;
      std::set_difference(inside.begin(), inside.end(), part.begin(), part.end(),
                          std::back_inserter(rest));
      out_.separators.push_back(cut);
      split(rest);
      split(set_union_of(part, cut));
      return;
    }
    out_.components.push_back(inside);
  }

 private:
  // Two parts that touch all of the cut; `part` becomes the last of them.
  bool cuts(const VariableSet& inside, const VariableSet& cut, VariableSet& part) const {
    std::vector<bool> seen(graph_.size(), false);
    for (std::uint32_t v : cut) seen[v] = true;
    std::size_t full = 0;
    for (std::uint32_t v : inside) {
      if (seen[v]) continue;
      VariableSet found = part_of(graph_, inside, cut, v);
      for (std::uint32_t u : found) seen[u] = true;
      if (!touches_all(graph_, found, cut)) continue;
      ++full;
      part = std::move(found);
    }
    return full >= 2;
  }

  const IndependenceGraph& graph_;
  std::vector<VariableSet> cuts_;
  ReleaseStructure& out_;
};

bool lies_in_one(const std::vector<VariableSet>& sets, const VariableSet& set) {
  return std::any_of(sets.begin(), sets.end(),
                     [&](const VariableSet& s) { return set_contains(s, set); });
}

}  // namespace

EliminationOrder eliminate_graph(const IndependenceGraph& graph) {
  const std::size_t n = graph.size();
  IndependenceGraph filled = graph;
  EliminationOrder out;
  std::vector<int> weight(n, 0);
  std::vector<bool> open(n, true);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t z = n;
    for (std::size_t v = 0; v < n; ++v)
      if (open[v] && (z == n || weight[v] > weight[z])) z = v;
    const std::vector<int> pass = least_passes(graph, z, weight, open);
    VariableSet later;
    for (std::size_t v = 0; v < n; ++v)
      if (!open[v] && filled.edge(z, v)) later.push_back(static_cast<std::uint32_t>(v));
    out.later.push_back(later);
    for (std::size_t y = 0; y < n; ++y) {
      if (!open[y] || y == z || pass[y] >= weight[y]) continue;
      out.chordal = out.chordal && graph.edge(z, y);
      filled.add_edge(z, y);
    }
    for (std::size_t y = 0; y < n; ++y)
      if (open[y] && y != z && pass[y] < weight[y]) ++weight[y];
    open[z] = false;
  }
  return out;
}

bool ReleaseStructure::decomposable() const {
  return std::all_of(kinds.begin(), kinds.end(),
                     [](ComponentKind kind) { return kind == ComponentKind::margin; });
}

ReleaseStructure study_release(std::size_t n_variables, const std::vector<VariableSet>& sets) {
  ReleaseStructure out;
  out.frontier = frontier_of(sets);
  std::vector<VariableSet> margins;
  for (std::size_t f : out.frontier) margins.push_back(sets[f]);
  const IndependenceGraph graph(n_variables, margins);
  const EliminationOrder order = eliminate_graph(graph);
  out.chordal = order.chordal;
  std::vector<VariableSet> cuts;
  for (const VariableSet& later : order.later)
    if (lies_in_one(margins, later)) cuts.push_back(later);
  VariableSet all(n_variables);
  std::iota(all.begin(), all.end(), 0u);
  Splitter(graph, cuts, out).split(all);
  for (const VariableSet& part : out.components) {
    const bool known = lies_in_one(margins, part);
    out.kinds.push_back(known              ? ComponentKind::margin
                        : part.size() == 1 ? ComponentKind::free_variable
                                           : ComponentKind::open);
  }
  return out;
}

// ---- chains ------------------------------------------------------------------------------------

namespace {

class ChainPlanner {
 public:
  explicit ChainPlanner(const std::vector<VariableSet>& frontier) : frontier_(frontier) {
    plan_.n_margins = frontier.size();
    for (const VariableSet& margin : frontier) state(margin);
  }

  // Every margin added to every union, smaller unions first. False when that is too much.
  bool plan_all(std::size_t max_steps) {
    std::map<std::size_t, std::vector<std::uint32_t>> by_size;
    for (std::uint32_t s = 0; s < unions_.size(); ++s) by_size[unions_[s].size()].push_back(s);
    for (auto now = by_size.begin(); now != by_size.end(); ++now)
      for (std::size_t k = 0; k < now->second.size(); ++k) {
        const std::uint32_t from = now->second[k];
        for (std::uint32_t f = 0; f < frontier_.size(); ++f) {
          if (set_contains(unions_[from], frontier_[f])) continue;
          const std::size_t known = unions_.size();
          const std::uint32_t to = add_step(from, f);
          if (unions_.size() > known) by_size[unions_[to].size()].push_back(to);
          if (plan_.steps.size() > max_steps) return false;
        }
      }
    plan_.all_chains = true;
    return true;
  }

  void plan_some() {
    for (std::uint32_t first = 0; first < frontier_.size(); ++first) {
      std::uint32_t at = first;
      for (std::uint32_t next; (next = most_shared(unions_[at])) < frontier_.size();)
        at = add_step(at, next);
    }
    std::stable_sort(plan_.steps.begin(), plan_.steps.end(), [&](const auto& a, const auto& b) {
      return unions_[a.from].size() < unions_[b.from].size();
    });
  }

  ChainPlan take() {
    plan_.n_states = unions_.size();
    for (std::size_t s = 0; s < unions_.size(); ++s)
      if (unions_[s].size() > unions_[plan_.last].size()) plan_.last = s;
    return std::move(plan_);
  }

 private:
  std::uint32_t state(const VariableSet& set) {
    const auto [at, is_new] = number_.emplace(set, static_cast<std::uint32_t>(unions_.size()));
    if (is_new) unions_.push_back(set);
    return at->second;
  }
  std::uint32_t shared(const VariableSet& set) {
    const auto [at, is_new] = common_.emplace(set, static_cast<std::uint32_t>(plan_.shared.size()));
    if (is_new) plan_.shared.push_back(set);
    return at->second;
  }
  std::uint32_t add_step(std::uint32_t from, std::uint32_t margin) {
    const std::uint32_t to = state(set_union_of(unions_[from], frontier_[margin]));
    plan_.steps.push_back({from, margin, to, shared(set_common(unions_[from], frontier_[margin]))});
    return to;
  }
  std::uint32_t most_shared(const VariableSet& set) const {
    auto best = static_cast<std::uint32_t>(frontier_.size());
    std::size_t most = 0;
    for (std::uint32_t f = 0; f < frontier_.size(); ++f) {
      if (set_contains(set, frontier_[f])) continue;
      const std::size_t size = set_common(set, frontier_[f]).size();
      if (best < frontier_.size() && size <= most) continue;
      best = f;
      most = size;
    }
    return best;
  }

  const std::vector<VariableSet>& frontier_;
  ChainPlan plan_;
  std::vector<VariableSet> unions_;
  std::map<VariableSet, std::uint32_t> number_, common_;
};

}  // namespace

ChainPlan plan_chains(const std::vector<VariableSet>& frontier, std::size_t max_steps) {
  ChainPlanner all(frontier);
  if (all.plan_all(max_steps)) return all.take();
  ChainPlanner some(frontier);
  some.plan_some();
  return some.take();
}

std::vector<double> run_chains(const ChainPlan& plan, const std::vector<const double*>& margins,
                               const std::vector<const double*>& shared, std::size_t n) {
  std::vector<double> out(n), best(plan.n_states);
  for (std::size_t i = 0; i < n; ++i) {
    poll();
    std::fill(best.begin(), best.end(), 0.0);
    for (std::size_t f = 0; f < plan.n_margins; ++f) best[f] = margins[f][i];
    for (const ChainPlan::Step& step : plan.steps)
      best[step.to] = std::max(best[step.to],
                               best[step.from] + margins[step.margin][i] - shared[step.common][i]);
    out[i] = best[plan.last];
  }
  return out;
}

}  // namespace sdclattice
