#include "cycle/linkage.hpp"

#include <algorithm>

#include "base/disjoint_sets.hpp"
#include "cycle/by_cell.hpp"

namespace sdclattice {
namespace {

constexpr std::int32_t kUnnumbered = -1;

std::vector<Component> find_components(const CycleSet& set, const ByCell& cells) {
  DisjointSets sets(set.size());
  for (std::size_t i = 0; i < set.n_cells; ++i)
    for (std::size_t e = cells.start[i] + 1; e < cells.start[i + 1]; ++e)
      sets.join(cells.cycle[e - 1], cells.cycle[e]);
  std::vector<std::int32_t> number(set.size(), kUnnumbered), of(set.size()), size;
  for (std::size_t c = 0; c < set.size(); ++c) {
    std::int32_t& of_root = number[sets.root(c)];
    if (of_root == kUnnumbered) {
      of_root = static_cast<std::int32_t>(size.size());
      size.push_back(0);
    }
    ++size[of[c] = of_root];
  }
  std::vector<Component> out(size.size());
  for (std::size_t k = 0; k < size.size(); ++k) out[k].cycles.reserve(size[k]);
  for (std::size_t c = 0; c < set.size(); ++c)
    out[of[c]].cycles.push_back(static_cast<std::int32_t>(c));
  return out;
}

// Finds the law of each cell among those whose lowest cycle is the same.
class LawBook {
 public:
  LawBook(const ByCell& cells, bool single_cells, Linkage& out)
      : cells_(cells), single_(single_cells), out_(out) {}

  void new_cycle() { first_ = out_.n_laws(); }
  void enter(std::int32_t cell) {
    const int sign = single_ || cells_.coef[cells_.start[cell]] > 0 ? 1 : -1;
    std::size_t law = single_ ? out_.n_laws() : first_;
    while (law < out_.n_laws() && !same(law, cell, sign)) ++law;
    if (law == out_.n_laws()) add(cell, sign);
    out_.law_of_cell[cell] = sign * static_cast<std::int32_t>(law + 1);
  }

 private:
  bool same(std::size_t law, std::int32_t cell, int sign) const {
    const std::size_t from = out_.law_start[law], n = out_.law_start[law + 1] - from;
    if (n != cells_.count(cell)) return false;
    for (std::size_t k = 0, at = cells_.start[cell]; k < n; ++k, ++at)
      if (out_.law_cycle[from + k] != cells_.cycle[at] ||
          out_.law_coef[from + k] != sign * cells_.coef[at])
        return false;
    return true;
  }
  void add(std::int32_t cell, int sign) {
    for (std::size_t e = cells_.start[cell]; e < cells_.start[cell + 1]; ++e) {
      out_.law_cycle.push_back(cells_.cycle[e]);
      out_.law_coef.push_back(static_cast<std::int8_t>(sign * cells_.coef[e]));
    }
    out_.law_start.push_back(out_.law_cycle.size());
  }

  const ByCell& cells_;
  bool single_;
  Linkage& out_;
  std::size_t first_ = 0;
};

}  // namespace

bool Linkage::same_form(const Component& a, const Component& b) const {
  if (a.cycles.size() != b.cycles.size() || a.n_laws != b.n_laws) return false;
  if (a.cycles.empty()) return true;
  const std::int32_t by = b.cycles[0] - a.cycles[0];
  for (std::size_t v = 0; v < a.cycles.size(); ++v)
    if (a.cycles[v] + by != b.cycles[v]) return false;
  for (std::int32_t l = 0; l < a.n_laws; ++l) {
    const std::size_t i = law_start[a.first_law + l], j = law_start[b.first_law + l];
    const std::size_t n = law_start[a.first_law + l + 1] - i;
    if (law_start[b.first_law + l + 1] - j != n) return false;
    for (std::size_t k = 0; k < n; ++k)
      if (law_cycle[i + k] + by != law_cycle[j + k] || law_coef[i + k] != law_coef[j + k])
        return false;
  }
  return true;
}

Linkage find_linkage(const CycleSet& set, bool single_cells, std::int32_t* law_of_cell) {
  Linkage out;
  out.law_of_cell = law_of_cell;
  out.n_cells = set.n_cells;
  out.n_cycles = set.size();
  std::fill(law_of_cell, law_of_cell + set.n_cells, 0);
  const ByCell cells(set);
  out.components = find_components(set, cells);
  LawBook book(cells, single_cells, out);
  for (Component& part : out.components) {
    part.first_law = static_cast<std::int32_t>(out.n_laws());
    for (std::int32_t c : part.cycles) {
      book.new_cycle();
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i)
        if (cells.cycle[cells.start[set.cell[i]]] == c) book.enter(set.cell[i]);
    }
    part.n_laws = static_cast<std::int32_t>(out.n_laws()) - part.first_law;
  }
  out.law_start.shrink_to_fit();
  out.law_cycle.shrink_to_fit();
  out.law_coef.shrink_to_fit();
  return out;
}

}  // namespace sdclattice
