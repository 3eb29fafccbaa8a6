#include "release/release_fit.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "table/part_table.hpp"

namespace sdclattice {

namespace {

// A junction tree: a spanning tree of largest intersections, cliques in the order in which Prim's
// algorithm takes them, each with its parent.
struct JunctionTree {
  std::vector<SubTable> clique, separator;
  std::vector<std::size_t> parent;
};

JunctionTree junction_tree(std::vector<SubTable> left) {
  JunctionTree tree;
  while (!left.empty()) {
    std::size_t best = 0, parent = 0;
    int most = -1;
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; j < tree.clique.size(); ++j)
        if (const int n = static_cast<int>(set_size(left[i] & tree.clique[j])); n > most) {
          most = n;
          best = i;
          parent = j;
        }
    tree.separator.push_back(tree.clique.empty() ? 0 : left[best] & tree.clique[parent]);
    tree.parent.push_back(parent);
    tree.clique.push_back(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return tree;
}

using Key = std::vector<std::uint32_t>;

Key levels_of(const RiskCells& cells, std::size_t i, SubTable set) {
  Key key;
  for (std::size_t v = 0; v < cells.n_variables(); ++v)
    if ((set >> v & 1) != 0) key.push_back(cells.level(i, v));
  return key;
}

// For each cell of the margin over `set` a stored cell that lies in it.
std::vector<std::size_t> one_of_each(const RiskCells& cells, SubTable set) {
  std::map<Key, std::size_t> first;
  for (std::size_t i = 0; i < cells.size(); ++i) first.emplace(levels_of(cells, i, set), i);
  std::vector<std::size_t> out;
  for (const auto& entry : first) out.push_back(entry.second);
  return out;
}

// Sum over all cells of m^2, by messages from the leaves to the root.
double sum_of_squared_fit(const RiskCells& cells, const JunctionTree& tree, const Tick& tick) {
  const std::size_t n = cells.size(), m = tree.clique.size();
  // product of the messages to a clique, at each stored cell: they depend on separators inside it
  std::vector<std::vector<double>> received(m, std::vector<double>(n, 1));
  for (std::size_t c = m; c-- > 0;) {
    report(tick, 0);
    const auto count = cells.margin(tree.clique[c]), shared = cells.margin(tree.separator[c]);
    std::map<Key, double> message;
    for (std::size_t i : one_of_each(cells, tree.clique[c])) {
      const double value = static_cast<double>(count[i]);
      message[levels_of(cells, i, tree.separator[c])] += value * value * received[c][i];
    }
    if (c == 0) return message.begin()->second;
    for (std::size_t i = 0; i < n; ++i) {
      const double under = static_cast<double>(shared[i]);
      received[tree.parent[c]][i] *=
          message[levels_of(cells, i, tree.separator[c])] / (under * under);
    }
  }
  return static_cast<double>(cells.total()) * static_cast<double>(cells.total());
}

// The fit at the stored cells, but for the variables without a clique.
std::vector<double> fit_at_cells(const RiskCells& cells, const JunctionTree& tree) {
  std::vector<double> fit(cells.size(), static_cast<double>(cells.total()));
  for (std::size_t c = 0; c < tree.clique.size(); ++c) {
    const auto count = cells.margin(tree.clique[c]), shared = cells.margin(tree.separator[c]);
    for (std::size_t i = 0; i < fit.size(); ++i)
      fit[i] *= static_cast<double>(count[i]) / static_cast<double>(shared[i]);
  }
  return fit;
}

}  // namespace

double decomposable_fit_error(const RiskCells& cells, const std::vector<SubTable>& cliques,
                              const Tick& tick) {
  if (cells.size() == 0) return 0;
  const JunctionTree tree = junction_tree(cliques);
  SubTable held = 0;
  for (SubTable clique : cliques) held |= clique;
  double levels = 1;  // of the variables that no clique holds
  for (std::size_t v = 0; v < cells.n_variables(); ++v)
    if ((held >> v & 1) == 0) levels *= cells.layout().n_levels(v);
  const std::vector<double> fit = fit_at_cells(cells, tree);
  double error = sum_of_squared_fit(cells, tree, tick) / levels;
  for (std::size_t i = 0; i < fit.size(); ++i) {
    const double count = static_cast<double>(cells.count(i));
    error += count * (count - 2 * fit[i] / levels);
  }
  return error;
}

}  // namespace sdclattice
