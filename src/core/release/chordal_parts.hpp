// What the search for chordal graphs and their enumeration share.
#pragma once

#include <cstddef>
#include <vector>

#include "base/counts.hpp"
#include "release/additive_utility.hpp"
#include "release/chordal_cover.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

inline SubTable bit(std::size_t v) {
  return SubTable{1} << v;
}

// Sums of doubles that stand for the same value may differ in their last digits, unless all are
// whole.
class Comparison {
 public:
  explicit Comparison(const AdditiveUtility& utility) : slack_(utility.whole() ? 0 : 1e-12) {}
  bool operator()(double value, double target) const { return value >= target - slack_ * target; }

 private:
  double slack_;
};

// The maximal sets among those of an elimination.
inline std::vector<SubTable> cliques_of(const std::vector<SubTable>& with) {
  std::vector<SubTable> out;
  for (std::size_t i = 0; i < with.size(); ++i) {
    bool maximal = true;
    for (std::size_t j = 0; j < with.size() && maximal; ++j)
      maximal = j == i || !holds(with[j], with[i]) || (with[i] == with[j] && i < j);
    if (maximal) out.push_back(with[i]);
  }
  return out;
}

// Is every two of the set joined? `graph` holds the neighbours of each vertex.
inline bool is_clique(const SubTable* graph, SubTable set) {
  for (SubTable rest = set, v = 0; rest != 0; ++v, rest >>= 1)
    if ((rest & 1) != 0 && !holds(graph[v] | bit(v), set)) return false;
  return true;
}

}  // namespace sdclattice
