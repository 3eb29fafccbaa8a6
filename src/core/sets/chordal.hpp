// The structure of a release: which margins say everything, and into which parts it falls.
//
// The independence graph joins two variables when some margin holds both. A set of variables S
// splits the release when it lies inside a margin (so that its own table is known) and the graph
// without S falls apart, two of the parts touching all of S. Splitting as often as possible gives
// the prime components; when each of them is itself a margin, the release is decomposable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

using VariableSet = std::vector<std::uint32_t>;  // ascending, each variable once

VariableSet set_union_of(const VariableSet& a, const VariableSet& b);
VariableSet set_common(const VariableSet& a, const VariableSet& b);
bool set_contains(const VariableSet& whole, const VariableSet& part);

// The positions of the maximal sets; of equal ones the first.
std::vector<std::size_t> frontier_of(const std::vector<VariableSet>& sets);

class IndependenceGraph {
 public:
  IndependenceGraph(std::size_t n, const std::vector<VariableSet>& sets);
  std::size_t size() const { return n_; }
  bool edge(std::size_t a, std::size_t b) const { return edges_[a * n_ + b]; }
  void add_edge(std::size_t a, std::size_t b) { edges_[a * n_ + b] = edges_[b * n_ + a] = true; }

 private:
  std::size_t n_;
  std::vector<bool> edges_;
};

// Maximum cardinality search with fill-in (MCS-M; Berry, Blair, Heggernes and Peyton 2004). For
// each variable the neighbours that come after it in a minimal elimination order: among these sets
// are all minimal separators of a minimal triangulation, hence all separators of the graph that
// are cliques. `chordal` says that there was nothing to fill in. O(n^3 + n^2 log n).
struct EliminationOrder {
  std::vector<VariableSet> later;
  bool chordal = true;
};
EliminationOrder eliminate_graph(const IndependenceGraph& graph);

// `kind` of a component: it is a margin, a variable that no margin holds, or needs work.
enum class ComponentKind { margin, free_variable, open };

struct ReleaseStructure {
  std::vector<std::size_t> frontier;  // positions among the sets
  bool chordal = false;
  std::vector<VariableSet> components;
  std::vector<ComponentKind> kinds;     // a component each
  std::vector<VariableSet> separators;  // with multiplicity, one fewer than components
  bool decomposable() const;            // every component is a margin
};
ReleaseStructure study_release(std::size_t n_variables, const std::vector<VariableSet>& sets);

// How lower bounds build up along chains of margins. From the union U of some margins and a margin
// F follows n(U + F) >= n(U) + n(F) - n(U & F), for a cell of U + F belongs to a cell of U and one
// of F inside one cell of U & F. States are unions; state i < m is margin i itself. A step goes
// from a state by a margin to a later state and needs the table over `shared[common]`.
struct ChainPlan {
  struct Step {
    std::uint32_t from, margin, to, common;
  };
  std::size_t n_margins = 0;
  std::size_t n_states = 0;
  std::size_t last = 0;  // the state of all variables
  std::vector<VariableSet> shared;
  std::vector<Step> steps;  // ordered: all steps to a state come before those from it
  bool all_chains = false;  // else some chains only: from each margin, always the most shared next
};

// For margins none of which contains another. All chains when there are at most `max_steps` steps.
ChainPlan plan_chains(const std::vector<VariableSet>& frontier, std::size_t max_steps);

// The best lower bound of each of n cells, at least 0. `margins` and `shared` hold for each margin
// and each shared set its values at the cells.
std::vector<double> run_chains(const ChainPlan& plan, const std::vector<const double*>& margins,
                               const std::vector<const double*>& shared, std::size_t n);

}  // namespace sdclattice
