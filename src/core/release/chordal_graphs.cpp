#include "release/chordal_graphs.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "release/chordal_parts.hpp"

namespace sdclattice {

namespace {

// Do coarser steps have all neighbours of finer ones, and these themselves?
bool is_by_level(const LevelSteps& steps, const SubTable* graph) {
  for (std::size_t s = 1; s < steps.n_steps(); ++s) {
    const SubTable needed = (graph[s] & ~bit(s - 1)) | bit(s);
    if (!has_variable(steps.first_steps(), s) && !holds(graph[s - 1], needed)) return false;
  }
  return true;
}

// Takes away vertices whose neighbours form a clique, of the steps of a variable the finest first;
// false when none is left to take.
bool eliminate_simplicial(std::size_t n, SubTable* graph, ChordalCover& out) {
  SubTable open = bit(n) - 1;
  std::size_t done = 0;
  while (open != 0) {
    std::size_t v = n;
    while (v-- > 0 && !(has_variable(open, v) && is_clique(graph, graph[v]))) {
    }
    if (v >= n) return false;
    out.without[done] = graph[v];
    out.with[done++] = graph[v] | bit(v);
    open &= ~bit(v);
    for (std::size_t u = 0; u < n; ++u) graph[u] &= ~bit(v);
    graph[v] = 0;
  }
  return true;
}

}  // namespace

std::size_t for_each_chordal_graph(const LevelSteps& steps,
                                   const std::function<void(const ChordalCover&)>& visit) {
  const std::size_t n = steps.n_steps();
  if (n > kEnumeratedGraphVariables)
    throw TooLargeError("Exhaustive enumeration of chordal graphs supports at most 7 variables.");
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t b = 1; b < n; ++b)
    for (std::size_t a = 0; a < b; ++a) pairs.emplace_back(a, b);
  ChordalCover cover{std::vector<SubTable>(n), std::vector<SubTable>(n)};
  std::size_t found = 0;
  for (std::uint64_t edges = 0; edges < std::uint64_t{1} << pairs.size(); ++edges) {
    SubTable graph[kEnumeratedGraphVariables] = {};
    for (std::size_t e = 0; e < pairs.size(); ++e) {
      if ((edges >> e & 1) == 0) continue;
      graph[pairs[e].first] |= bit(pairs[e].second);
      graph[pairs[e].second] |= bit(pairs[e].first);
    }
    if (!is_by_level(steps, graph)) continue;
    if (!eliminate_simplicial(n, graph, cover)) continue;
    ++found;
    visit(cover);
  }
  return found;
}

DecomposableResult enumerate_decomposable(const RiskCells& risk, std::int64_t beta,
                                          const AdditiveUtility& utility, WorkClock& clock) {
  const std::size_t n = risk.n_variables();
  const std::size_t n_sets = std::size_t{1} << n;
  std::vector<Counts> margin;
  for (SubTable set = 0; set < n_sets; ++set) margin.push_back(risk.margin(set));
  std::vector<double> gain(n * n_sets, 0);
  for (std::size_t v = 0; v < n; ++v)
    for (SubTable set = 0; set < n_sets; ++set)
      if (!has_variable(set, v)) gain[v * n_sets + set] = utility.gain(v, set);
  const auto value_of = [&](const ChordalCover& cover) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t v = 0;
      while (cover.with[k] != (cover.without[k] | bit(v))) ++v;
      while (has_variable(cover.without[k], v)) ++v;
      sum += gain[v * n_sets + cover.without[k]];
    }
    return sum;
  };
  const auto is_safe = [&](const ChordalCover& cover) {
    for (std::size_t i = 0; i < risk.size(); ++i) {
      std::int64_t upper = risk.total(), lower = risk.may_be_empty() ? 0 : risk.total();
      for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t with = margin[cover.with[k]][i];
        upper = std::min(upper, with);
        lower += with - margin[cover.without[k]][i];
      }
      if (upper - std::max<std::int64_t>(lower, 0) < beta) return false;
    }
    return true;
  };
  DecomposableResult out;
  const Comparison reaches(utility);
  const double start = clock.seconds_left();
  const auto visit = [&](const ChordalCover& cover) {
    clock.check();
    assert(cover.with.size() == n && cover.without.size() == n);
    const double value = value_of(cover);
    ++out.n_graphs;
    if (out.value >= 0 && !reaches(value, out.value)) return;
    if (!is_safe(cover)) return;
    const bool ties = out.value >= 0 && reaches(out.value, value);
    out.n_optima = ties ? out.n_optima + 1 : 1;
    if (ties) return;
    out.value = value;
    out.cliques = cliques_of(cover.with);
    out.steps.push_back({value, start - clock.seconds_left(), out.n_graphs});
  };
  try {
    for_each_chordal_graph(utility.steps(), visit);
    out.optimal = true;
    out.upper = out.value;
  } catch (const WorkTimeUp&) {
    out.stopped = true;
    out.n_optima = 0;
    out.upper = utility.below(risk.all_variables());
  }
  return out;
}

}  // namespace sdclattice
