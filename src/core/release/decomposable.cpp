#include "release/decomposable.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/bits.hpp"

namespace sdclattice {

namespace {

std::size_t lowest(SubTable set) {
  return static_cast<std::size_t>(lowest_bit(set));
}

}  // namespace

DecomposableGraph::DecomposableGraph(std::size_t n, const std::vector<SubTable>& sets)
    : rows_(n, 0) {
  for (SubTable set : sets)
    for (SubTable left = set; left != 0; left &= left - 1)
      rows_[lowest(left)] |= set & ~(left & -left);
}

SubTable DecomposableGraph::all() const {
  return size() == 64 ? ~SubTable{0} : (SubTable{1} << size()) - 1;
}

bool DecomposableGraph::complete(SubTable set) const {
  for (SubTable left = set; left != 0; left &= left - 1)
    if ((set & ~rows_[lowest(left)]) != (left & -left)) return false;
  return true;
}

bool DecomposableGraph::may_add(std::size_t u, std::size_t v) const {
  const SubTable blocked = common(u, v), goal = SubTable{1} << v;
  SubTable reached = SubTable{1} << u, fresh = reached;
  while (fresh != 0) {
    const SubTable next = rows_[lowest(fresh)] & ~blocked & ~reached;
    if ((next & goal) != 0) return false;
    fresh = (fresh & (fresh - 1)) | next;
    reached |= next;
  }
  return true;
}

// The next variable is always one with the most neighbours among those before it. When it has no
// more of them than the one before had, a new clique begins, joined to what was there by these
// neighbours.
CliqueTree DecomposableGraph::clique_tree() const {
  CliqueTree out;
  SubTable seen = 0, clique = 0;
  for (std::size_t step = 0; step < rows_.size(); ++step) {
    std::size_t next = 0;
    int most = -1;
    for (std::size_t v = 0; v < rows_.size(); ++v) {
      const int n = (seen >> v & 1) != 0 ? -1 : count_bits(rows_[v] & seen);
      if (n > most) {
        most = n;
        next = v;
      }
    }
    const SubTable before = rows_[next] & seen;
    if (step > 0 && before != clique) {
      out.cliques.push_back(clique);
      out.separators.push_back(before);
      clique = before;
    }
    clique |= SubTable{1} << next;
    seen |= SubTable{1} << next;
  }
  if (clique != 0) out.cliques.push_back(clique);
  return out;
}

bool DecomposableGraph::chordal() const {
  SubTable left = all();
  while (left != 0) {
    SubTable simplicial = 0;
    for (SubTable rest = left; rest != 0 && simplicial == 0; rest &= rest - 1)
      if (complete(rows_[lowest(rest)] & left)) simplicial = rest & -rest;
    if (simplicial == 0) return false;
    left ^= simplicial;
  }
  return true;
}

DecomposableGraph DecomposableGraph::triangulated() const {
  DecomposableGraph out = *this;
  SubTable left = out.all();
  while (left != 0) {
    int least = std::numeric_limits<int>::max();
    std::size_t next = 0;
    for (SubTable rest = left; rest != 0; rest &= rest - 1) {
      const SubTable around = out.rows_[lowest(rest)] & left;
      int missing = 0;
      for (SubTable of = around; of != 0; of &= of - 1)
        missing += count_bits(around & ~out.rows_[lowest(of)]) - 1;
      if (missing < least) {
        least = missing;
        next = lowest(rest);
      }
    }
    const SubTable around = out.rows_[next] & left;
    for (SubTable of = around; of != 0; of &= of - 1) out.rows_[lowest(of)] |= around & ~(of & -of);
    left &= ~(SubTable{1} << next);
  }
  return out;
}

std::int64_t RiskBounds::width() const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < lower.size(); ++i) least = std::min(least, upper[i] - lower[i]);
  return least;
}

RiskBounds decomposable_bounds(const RiskCells& cells, const CliqueTree& tree) {
  assert(!tree.cliques.empty() && tree.separators.size() + 1 == tree.cliques.size());
  RiskBounds out;
  out.lower.assign(cells.size(), 0);
  out.upper.assign(cells.size(), cells.total());
  for (SubTable clique : tree.cliques) {
    const std::vector<std::int64_t> count = cells.margin(clique);
    for (std::size_t i = 0; i < count.size(); ++i) {
      out.lower[i] += count[i];
      out.upper[i] = std::min(out.upper[i], count[i]);
    }
  }
  for (SubTable separator : tree.separators) {
    const std::vector<std::int64_t> count = cells.margin(separator);
    for (std::size_t i = 0; i < count.size(); ++i) out.lower[i] -= count[i];
  }
  for (std::int64_t& lower : out.lower)
    lower = cells.may_be_empty() ? 0 : std::max<std::int64_t>(lower, 0);
  return out;
}

}  // namespace sdclattice
