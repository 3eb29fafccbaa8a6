#include "core/linkage.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace sdclattice {
namespace {

constexpr std::int32_t none = -1;

class Forest {  // union-find with path halving
 public:
  explicit Forest(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t root(std::int32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::int32_t i, std::int32_t j) {
    const std::int32_t a = root(i), b = root(j);
    if (a != b) parent_[a] = b;
  }

 private:
  std::vector<std::int32_t> parent_;
};

// The cycle that raises and the cycle that lowers each cell; cycles with any other cell are
// `irregular`.
struct Signatures {
  std::vector<std::int32_t> plus, minus;
  std::vector<char> irregular;
  Forest forest;

  explicit Signatures(const CycleSet& set)
      : plus(set.n_cells, none), minus(set.n_cells, none), irregular(set.size(), 0),
        forest(set.size()) {
    for (std::size_t c = 0; c < set.size(); ++c)
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i)
        enter(static_cast<std::int32_t>(c), set.cell[i], set.coef[i]);
  }

 private:
  void enter(std::int32_t cycle, std::int32_t cell, int coef) {
    std::int32_t& same = coef > 0 ? plus[cell] : minus[cell];
    if (std::abs(coef) != 1) irregular[cycle] = 1;
    if (same == none) {
      same = cycle;
      return;
    }
    irregular[same] = irregular[cycle] = 1;
    forest.join(same, cycle);
  }
};

// The number of the link between two cycles, new or known; few links share a cycle.
class LinkBook {
 public:
  explicit LinkBook(std::size_t n_cycles) : of_(n_cycles) {}
  std::int32_t find(std::int32_t a, std::int32_t b, Linkage& out) {
    const std::int32_t low = std::min(a, b), high = std::max(a, b);
    for (const auto& [other, link] : of_[low])
      if (other == high) return link;
    const auto link = static_cast<std::int32_t>(out.links.size());
    of_[low].emplace_back(high, link);
    out.links.push_back({low, high});
    return link;
  }

 private:
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> of_;
};

using Neighbours = std::vector<std::vector<std::int32_t>>;

// Walks along cycles with at most two neighbours each, from an end if there is one.
std::vector<std::int32_t> walk(const std::vector<std::int32_t>& cycles, const Neighbours& next) {
  std::int32_t at = cycles[0];
  for (std::int32_t c : cycles)
    if (next[c].size() == 1) {
      at = c;
      break;
    }
  std::vector<std::int32_t> order{at};
  std::int32_t before = none;
  while (order.size() < cycles.size()) {
    const std::int32_t to = next[at][0] != before ? next[at][0] : next[at][1];
    before = at;
    order.push_back(at = to);
  }
  return order;
}

// Where every cycle has at most two neighbours the walk along them gives window 1; otherwise the
// order of numbering is taken for the ring.
void order_ring(Component& part, const Neighbours& next, const std::vector<Link>& links,
                std::vector<std::int32_t>& place) {
  const auto simple = [&](std::int32_t c) { return next[c].size() <= 2; };
  if (std::all_of(part.cycles.begin(), part.cycles.end(), simple))
    part.cycles = walk(part.cycles, next);
  const auto n = static_cast<int>(part.cycles.size());
  for (int i = 0; i < n; ++i) place[part.cycles[i]] = i;
  int window = 1, longest = 0;
  for (std::int32_t l : part.links) {
    const int apart = std::abs(place[links[l].first] - place[links[l].second]);
    longest = std::max(longest, apart);
    window = std::max(window, std::min(apart, n - apart));
  }
  part.window = window;
  part.closed = longest > window;
}

// Cycles that share a cell belong together; a cell on one cycle only makes it irregular.
void join_at_cells(Signatures& at) {
  for (std::size_t i = 0; i < at.plus.size(); ++i) {
    const std::int32_t up = at.plus[i], down = at.minus[i];
    if (up == none && down == none) continue;
    if (up == none || down == none) {
      at.irregular[up == none ? down : up] = 1;
    } else {
      at.forest.join(up, down);
    }
  }
}

// One irregular cycle makes its whole component irregular.
void spread_irregular(Signatures& at) {
  const auto n = static_cast<std::int32_t>(at.irregular.size());
  for (std::int32_t c = 0; c < n; ++c)
    if (at.irregular[c]) at.irregular[at.forest.root(c)] = 1;
  for (std::int32_t c = 0; c < n; ++c) at.irregular[c] = at.irregular[at.forest.root(c)];
}

void add_components(Signatures& at, const CycleSet& set, Linkage& out) {
  const std::size_t n = set.size();
  std::vector<std::int32_t> number(n, none);
  for (std::size_t c = 0; c < n; ++c) {
    const std::int32_t root = at.forest.root(static_cast<std::int32_t>(c));
    if (number[root] == none) {
      number[root] = static_cast<std::int32_t>(out.components.size());
      out.components.emplace_back();
    }
    Component& part = out.components[number[root]];
    part.cycles.push_back(static_cast<std::int32_t>(c));
    if (at.irregular[c]) part.ring = false;
    number[c] = number[root];
  }
  Neighbours next(n);
  for (std::size_t l = 0; l < out.links.size(); ++l) {
    const Link& link = out.links[l];
    next[link.first].push_back(link.second);
    next[link.second].push_back(link.first);
    out.components[number[link.first]].links.push_back(static_cast<std::int32_t>(l));
  }
  std::vector<std::int32_t> place(n);
  for (Component& part : out.components)
    if (part.ring) order_ring(part, next, out.links, place);
  for (std::size_t i = 0; i < set.n_cells; ++i) {
    const std::int32_t cycle = at.plus[i] != none ? at.plus[i] : at.minus[i];
    if (cycle == none) continue;
    Component& part = out.components[number[cycle]];
    if (part.ring) continue;
    part.cells.push_back(static_cast<std::int32_t>(i));
    part.laws.push_back(static_cast<std::int32_t>(out.n_laws++));
    out.law_of_cell[i] = part.laws.back() + 1;
  }
}

}  // namespace

Linkage find_linkage(const CycleSet& set, bool single_cells) {
  Signatures at(set);
  if (single_cells) std::fill(at.irregular.begin(), at.irregular.end(), 1);
  join_at_cells(at);
  spread_irregular(at);
  Linkage out;
  out.law_of_cell.assign(set.n_cells, 0);
  LinkBook book(set.size());
  for (std::size_t i = 0; i < set.n_cells; ++i) {
    const std::int32_t up = at.plus[i], down = at.minus[i];
    if (up == none || down == none || at.irregular[up]) continue;
    const std::int32_t link = book.find(up, down, out);
    out.law_of_cell[i] = up > down ? link + 1 : -(link + 1);
  }
  out.n_laws = out.links.size();
  add_components(at, set, out);
  return out;
}

}  // namespace sdclattice
