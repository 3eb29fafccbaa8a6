// Random tables with trees and crossings, and what is published of them, from the definition.
#pragma once

#include <map>
#include <set>

#include "round/cell_sums.hpp"
#include "table/records.hpp"

namespace published_problems {

using namespace records;

using Key = std::vector<std::uint64_t>;

struct Problem {
  Levels dim, n_nodes;
  Stored stored;
  std::vector<Crossing> crossings;
  Layout from, to;
  CellsView cells;

  // Each variable has two inner nodes over random leaves and a total; the first crossing has all
  // nodes when `whole`.
  Problem(Dice& dice, const Levels& d, std::size_t n_records, std::size_t n_crossings, bool whole)
      : dim(d), n_nodes(more(d)), from(dim), to(n_nodes) {
    const Records records(dice, dim, n_records);
    stored = store(tabulate(from, records.columns(), records.n, nullptr, 1, {}).cells);
    for (std::size_t c = 0; c < n_crossings; ++c) add_crossing(dice, whole && c == 0);
    cells = stored.view();
  }

  CellSums sums() const { return CellSums(from, cells, to, crossings, 1000000, {}); }
  Cells published(const Stored& table) const {
    return published_cells(from, table.view(), to, crossings, 1000000, {});
  }
  // The keys of the published cells above a leaf cell.
  std::set<Key> above(std::size_t cell) const {
    std::set<Key> out;
    for (const Crossing& crossing : crossings) {
      std::vector<Key> found{Key(to.n_words(), 0)};
      for (std::size_t v = 0; v < dim.size(); ++v) {
        std::vector<Key> next;
        const std::uint32_t leaf = from.level(cells.keys + cell * from.n_words(), v);
        for (const Key& key : found)
          for (std::size_t e = crossing[v].start[leaf]; e < crossing[v].start[leaf + 1]; ++e) {
            next.push_back(key);
            to.put(next.back().data(), v, crossing[v].node[e]);
          }
        found = next;
      }
      out.insert(found.begin(), found.end());
    }
    return out;
  }

 private:
  static Levels more(Levels d) {
    for (std::uint32_t& n : d) n += 3;
    return d;
  }
  void add_crossing(Dice& dice, bool whole) {
    crossings.emplace_back();
    for (std::uint32_t n : dim) {
      const bool leaves = whole || dice.below(2) == 0, inner = whole || dice.below(2) == 0;
      NodesOfLeaves nodes{{0}, {}};
      for (std::uint32_t l = 0; l < n; ++l) {
        if (leaves) nodes.node.push_back(l);
        if (inner) nodes.node.push_back(n + (2 * l < n ? 0 : 1));
        nodes.node.push_back(n + 2);
        nodes.start.push_back(nodes.node.size());
      }
      crossings.back().push_back(nodes);
    }
  }
};

inline Levels random_shape(Dice& dice) {
  Levels out(1 + dice.below(3));
  for (std::uint32_t& n : out) n = 1 + dice.below(4);
  return out;
}

}  // namespace published_problems
