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

// The cycles that raise and lower a cell. Side by side, since cells are met in no order of memory.
struct Sides {
  std::int32_t plus = none, minus = none;
};

// The sides of each cell; cycles with a cell that has more or other than one +1 and one -1 are
// `irregular`, and so becomes their whole component.
struct Signatures {
  std::vector<Sides> of;
  std::vector<char> irregular;
  Forest forest;

  Signatures(const CycleSet& set, bool all_irregular)
      : of(set.n_cells), irregular(set.size(), all_irregular), forest(set.size()) {
    for_each_entry(set, [this](std::int32_t c, std::int32_t cell, int coef) { enter(c, cell, coef); });
    for_each_entry(set, [this](std::int32_t c, std::int32_t cell, int coef) { join(c, cell, coef); });
    spread();
  }
  bool any_irregular() const {
    return std::any_of(irregular.begin(), irregular.end(), [](char c) { return c != 0; });
  }

 private:
  template <typename Do>
  static void for_each_entry(const CycleSet& set, Do&& act) {
    for (std::size_t c = 0; c < set.size(); ++c)
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i)
        act(static_cast<std::int32_t>(c), set.cell[i], set.coef[i]);
  }
  void enter(std::int32_t cycle, std::int32_t cell, int coef) {
    std::int32_t& same = coef > 0 ? of[cell].plus : of[cell].minus;
    if (std::abs(coef) != 1) irregular[cycle] = 1;
    if (same == none) {
      same = cycle;
      return;
    }
    irregular[same] = irregular[cycle] = 1;
    forest.join(same, cycle);
  }
  void join(std::int32_t cycle, std::int32_t cell, int coef) {
    const std::int32_t other = coef > 0 ? of[cell].minus : of[cell].plus;
    if (other == none) {
      irregular[cycle] = 1;
    } else if (coef > 0) {
      forest.join(cycle, other);
    }
  }
  void spread() {
    const auto n = static_cast<std::int32_t>(irregular.size());
    for (std::int32_t c = 0; c < n; ++c)
      if (irregular[c]) irregular[forest.root(c)] = 1;
    for (std::int32_t c = 0; c < n; ++c) irregular[c] = irregular[forest.root(c)];
  }
};

// The number of the link between two cycles, new or known. Links of one lower cycle are chained.
class LinkBook {
 public:
  LinkBook(std::size_t n_cycles, std::vector<Link>& links) : head_(n_cycles, none), links_(links) {
    links_.reserve(n_cycles);
    next_.reserve(n_cycles);
  }
  std::int32_t find(std::int32_t a, std::int32_t b) {
    const std::int32_t low = std::min(a, b), high = std::max(a, b);
    for (std::int32_t l = head_[low]; l != none; l = next_[l])
      if (links_[l].second == high) return l;
    links_.push_back({low, high});
    next_.push_back(head_[low]);
    return head_[low] = static_cast<std::int32_t>(links_.size() - 1);
  }

 private:
  std::vector<std::int32_t> head_, next_;
  std::vector<Link>& links_;
};

// The cycles that each cycle shares a link with.
class Neighbours {
 public:
  Neighbours(std::size_t n_cycles, const std::vector<Link>& links)
      : start_(n_cycles + 1, 0), all_(2 * links.size()) {
    for (const Link& l : links) ++start_[l.first + 1], ++start_[l.second + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<std::int32_t> at(start_.begin(), start_.end() - 1);
    for (const Link& l : links) {
      all_[at[l.first]++] = l.second;
      all_[at[l.second]++] = l.first;
    }
  }
  std::int32_t count(std::int32_t cycle) const { return start_[cycle + 1] - start_[cycle]; }
  std::int32_t get(std::int32_t cycle, std::int32_t k) const { return all_[start_[cycle] + k]; }

 private:
  std::vector<std::int32_t> start_, all_;
};

// Walks along cycles with at most two neighbours each, from an end if there is one.
std::vector<std::int32_t> walk(const std::vector<std::int32_t>& cycles, const Neighbours& next) {
  std::int32_t at = cycles[0];
  for (std::int32_t c : cycles)
    if (next.count(c) == 1) {
      at = c;
      break;
    }
  std::vector<std::int32_t> order{at};
  std::int32_t before = none;
  while (order.size() < cycles.size()) {
    const std::int32_t to = next.get(at, 0) != before ? next.get(at, 0) : next.get(at, 1);
    before = at;
    order.push_back(at = to);
  }
  return order;
}

// Where every cycle has at most two neighbours the walk along them gives window 1; otherwise the
// order of numbering is taken for the ring.
void order_ring(Component& part, const Neighbours& next, const std::vector<Link>& links,
                std::vector<std::int32_t>& place) {
  const auto simple = [&](std::int32_t c) { return next.count(c) <= 2; };
  if (std::all_of(part.cycles.begin(), part.cycles.end(), simple))
    part.cycles = walk(part.cycles, next);
  const auto n = static_cast<int>(part.cycles.size());
  for (int i = 0; i < n; ++i) place[part.cycles[i]] = i;
  int window = 1, longest = 0;
  for (std::int32_t l = part.first_link; l < part.first_link + part.n_links; ++l) {
    const int apart = std::abs(place[links[l].first] - place[links[l].second]);
    longest = std::max(longest, apart);
    window = std::max(window, std::min(apart, n - apart));
  }
  part.window = window;
  part.closed = longest > window;
}

// Makes the components with their cycles in the order of numbers.
void add_components(Signatures& at, std::size_t n, Linkage& out) {
  std::vector<std::int32_t> number(n, none), size;
  for (std::size_t c = 0; c < n; ++c) {
    std::int32_t& of_root = number[at.forest.root(static_cast<std::int32_t>(c))];
    if (of_root == none) {
      of_root = static_cast<std::int32_t>(size.size());
      size.push_back(0);
    }
    ++size[number[c] = of_root];
  }
  out.components.resize(size.size());
  for (std::size_t k = 0; k < size.size(); ++k) out.components[k].cycles.reserve(size[k]);
  for (std::size_t c = 0; c < n; ++c) {
    Component& part = out.components[number[c]];
    part.cycles.push_back(static_cast<std::int32_t>(c));
    if (at.irregular[c]) part.ring = false;
  }
}

// Links of the cycles of a ring. Each cell is met once, from the cycle that raises it.
void add_links(const Signatures& at, const CycleSet& set, LinkBook& book, Component& part,
               Linkage& out) {
  part.first_link = static_cast<std::int32_t>(out.links.size());
  for (std::int32_t up : part.cycles) {
    for (std::size_t i = set.start[up]; i < set.start[up + 1]; ++i) {
      if (set.coef[i] < 0) continue;
      const std::int32_t down = at.of[set.cell[i]].minus;
      const std::int32_t link = book.find(up, down);
      out.law_of_cell[set.cell[i]] = up > down ? link + 1 : -(link + 1);
    }
  }
  part.n_links = static_cast<std::int32_t>(out.links.size()) - part.first_link;
}

void add_all_links(const Signatures& at, const CycleSet& set, Linkage& out) {
  LinkBook book(set.size(), out.links);
  for (Component& part : out.components)
    if (part.ring) add_links(at, set, book, part, out);
  out.links.shrink_to_fit();
  out.n_laws = out.links.size();
}

void order_rings(std::size_t n_cycles, Linkage& out) {
  const Neighbours next(n_cycles, out.links);
  std::vector<std::int32_t> place(n_cycles);
  for (Component& part : out.components)
    if (part.ring) order_ring(part, next, out.links, place);
}

// The cells of all components that are no rings get laws of their own.
void add_cells(const Signatures& at, Linkage& out) {
  std::vector<std::int32_t> number(at.irregular.size(), none);
  for (std::size_t k = 0; k < out.components.size(); ++k)
    if (!out.components[k].ring)
      for (std::int32_t c : out.components[k].cycles) number[c] = static_cast<std::int32_t>(k);
  for (std::size_t i = 0; i < at.of.size(); ++i) {
    const std::int32_t cycle = std::max(at.of[i].plus, at.of[i].minus);
    if (cycle == none || number[cycle] == none) continue;
    Component& part = out.components[number[cycle]];
    part.cells.push_back(static_cast<std::int32_t>(i));
    part.laws.push_back(static_cast<std::int32_t>(out.n_laws++));
    out.law_of_cell[i] = part.laws.back() + 1;
  }
}

}  // namespace

Linkage find_linkage(const CycleSet& set, bool single_cells, std::int32_t* law_of_cell) {
  Signatures at(set, single_cells);
  Linkage out;
  out.law_of_cell = law_of_cell;
  out.n_cells = set.n_cells;
  std::fill(law_of_cell, law_of_cell + set.n_cells, 0);
  add_components(at, set.size(), out);
  add_all_links(at, set, out);
  if (at.any_irregular()) add_cells(at, out);
  std::vector<Sides>().swap(at.of);
  order_rings(set.size(), out);
  return out;
}

}  // namespace sdclattice
