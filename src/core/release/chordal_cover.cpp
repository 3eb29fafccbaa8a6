#include "release/chordal_cover.hpp"

#include <algorithm>
#include <set>

#include "base/deadline.hpp"
#include "base/random.hpp"

namespace sdclattice {

namespace {

// Pairs of neighbours of v that are not joined.
std::size_t fill_of(const std::vector<SubTable>& graph, std::size_t v) {
  std::size_t missing = 0;
  for (std::size_t u = 0; u < graph.size(); ++u)
    if (has_variable(graph[v], u)) missing += set_size(graph[v] & ~graph[u]) - 1;
  return missing / 2;
}

std::size_t next_vertex(const std::vector<SubTable>& graph, SubTable open, PublicRandom& random) {
  std::vector<std::size_t> best;
  std::size_t least = SIZE_MAX;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (!has_variable(open, v)) continue;
    const std::size_t fill = fill_of(graph, v);
    if (fill > least) continue;
    if (fill < least) best.clear();
    least = fill;
    best.push_back(v);
  }
  return best[random.below(best.size())];
}

ChordalCover eliminate(std::vector<SubTable> graph, PublicRandom& random) {
  ChordalCover out;
  SubTable open = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) open |= SubTable{1} << v;
  while (open != 0) {
    poll();
    const std::size_t v = next_vertex(graph, open, random);
    const SubTable later = graph[v];
    out.without.push_back(later);
    out.with.push_back(later | SubTable{1} << v);
    open &= ~(SubTable{1} << v);
    for (std::size_t u = 0; u < graph.size(); ++u)
      if (has_variable(later, u)) graph[u] = (graph[u] | later) & open & ~(SubTable{1} << u);
    graph[v] = 0;
  }
  return out;
}

}  // namespace

std::vector<SubTable> independence_neighbours(std::size_t n, const std::vector<SubTable>& sets) {
  std::vector<SubTable> out(n, 0);
  for (SubTable set : sets)
    for (std::size_t v = 0; v < n; ++v)
      if (has_variable(set, v)) out[v] |= set & ~(SubTable{1} << v);
  return out;
}

std::vector<ChordalCover> chordal_covers(const std::vector<SubTable>& neighbours, std::size_t tries,
                                         std::uint64_t seed) {
  std::vector<ChordalCover> out;
  std::set<std::vector<SubTable>> seen;
  PublicRandom random(seed);
  for (std::size_t t = 0; t < tries; ++t) {
    ChordalCover cover = eliminate(neighbours, random);
    if (set_size(cover.with.front()) == neighbours.size()) continue;
    std::vector<SubTable> key = cover.with;
    std::sort(key.begin(), key.end());
    if (seen.insert(key).second) out.push_back(std::move(cover));
  }
  return out;
}

ClosedForm closed_form(const ChordalCover& cover, const MarginAtCells& margin, std::int64_t total,
                       std::size_t n) {
  ClosedForm out{std::vector<std::int64_t>(n, total), std::vector<std::int64_t>(n, total)};
  for (std::size_t k = 0; k < cover.with.size(); ++k) {
    poll();
    const std::vector<std::int64_t>& with = margin(cover.with[k]);
    for (std::size_t i = 0; i < n; ++i) {
      out.upper[i] = std::min(out.upper[i], with[i]);
      out.lower[i] += with[i];
    }
    const std::vector<std::int64_t>& without = margin(cover.without[k]);
    for (std::size_t i = 0; i < n; ++i) out.lower[i] -= without[i];
  }
  for (std::int64_t& x : out.lower) x = std::max<std::int64_t>(x, 0);
  return out;
}

}  // namespace sdclattice
