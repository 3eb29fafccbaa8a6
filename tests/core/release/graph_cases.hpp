// Chordal graphs one by one, random tables, utilities, and the best release by trying all graphs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/random.hpp"
#include "release/additive_utility.hpp"
#include "release/decomposable.hpp"
#include "table/risk_cells.hpp"

namespace cases {

using namespace sdclattice;

inline std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::size_t n) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = 0; v < u; ++v) out.emplace_back(u, v);
  return out;
}

inline DecomposableGraph graph_of(std::size_t n, std::size_t code) {
  DecomposableGraph out(n);
  const auto pairs = pairs_of(n);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if ((code >> i & 1) != 0) out.flip(pairs[i].first, pairs[i].second);
  return out;
}

// No set of four or more variables induces a cycle: each with two neighbours in it, and connected.
inline bool chordal_by_cycles(const DecomposableGraph& graph) {
  for (SubTable set = 0; set < SubTable{1} << graph.size(); ++set) {
    if (count_bits(set) < 4) continue;
    bool ring = true;
    for (std::size_t v = 0; v < graph.size() && ring; ++v)
      if ((set >> v & 1) != 0) ring = count_bits(graph.neighbours(v) & set) == 2;
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
inline std::vector<char> chordal_codes(std::size_t n) {
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

inline std::int64_t width_of(const RiskCells& cells, const DecomposableGraph& graph) {
  return decomposable_bounds(cells, graph.clique_tree()).width();
}

// The most that a safe decomposable release is worth, by trying all graphs.
inline double best_of_all(const RiskCells& cells, std::int64_t beta, const AdditiveUtility& utility,
                          const std::vector<SubTable>& forced,
                          const std::vector<SubTable>& forbidden) {
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

inline AdditiveUtility tables(std::size_t n) {
  return AdditiveUtility(std::vector<double>(n, 1), {}, {});
}

inline AdditiveUtility some_utility(std::uint64_t kind) {
  if (kind % 3 == 0) return tables(5);
  if (kind % 3 == 1) return AdditiveUtility({2, 3, 2, 3, 2}, {}, {});
  return AdditiveUtility(std::vector<double>(5, 0), {0b11, 0b10110, 0b1100, 0b11000, 0b111},
                         {3, 2.5, .75, 1, 4});
}

}  // namespace cases
