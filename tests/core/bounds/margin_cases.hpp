// Small tables and their margins, by maps of level vectors.
#pragma once

#include <map>
#include <vector>

#include "base/random.hpp"
#include "bounds/cell_values.hpp"
#include "bounds/released_margin.hpp"
#include "sets/chordal.hpp"

namespace margin_cases {

using namespace sdclattice;

// A margin that owns its cells.
struct Owned {
  VariableSet set;
  Layout layout;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;

  ReleasedMargin view() const { return {set, layout, {keys.data(), counts.data(), counts.size()}}; }
};

struct Table {
  std::vector<std::uint32_t> levels;
  std::vector<double> count;  // first variable fastest

  std::vector<std::uint32_t> at(std::size_t cell) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t k : levels) {
      out.push_back(static_cast<std::uint32_t>(cell % k));
      cell /= k;
    }
    return out;
  }
  std::map<std::vector<std::uint32_t>, double> margin(const VariableSet& set) const {
    std::map<std::vector<std::uint32_t>, double> out;
    for (std::size_t i = 0; i < count.size(); ++i) {
      std::vector<std::uint32_t> key;
      const auto full = at(i);
      for (auto v = set.rbegin(); v != set.rend(); ++v) key.push_back(full[*v]);
      out[key] += count[i];
    }
    return out;
  }
  Owned released(const VariableSet& set) const {
    std::vector<std::uint32_t> size;
    for (std::uint32_t v : set) size.push_back(levels[v]);
    Owned out{set, Layout(size), {}, {}};
    for (const auto& [key, n] : margin(set)) {
      if (n == 0) continue;
      std::vector<std::uint64_t> word(out.layout.n_words(), 0);
      for (std::size_t k = 0; k < set.size(); ++k)
        out.layout.put(word.data(), k, key[set.size() - 1 - k]);
      out.keys.insert(out.keys.end(), word.begin(), word.end());
      out.counts.push_back(n);
    }
    return out;
  }
  // The values of a margin at every cell.
  std::vector<double> values(const VariableSet& set) const {
    const auto table = margin(set);
    std::vector<double> out;
    for (std::size_t i = 0; i < count.size(); ++i) {
      std::vector<std::uint32_t> key;
      const auto full = at(i);
      for (auto v = set.rbegin(); v != set.rend(); ++v) key.push_back(full[*v]);
      out.push_back(table.at(key));
    }
    return out;
  }
};

inline Table random_table(PublicRandom& random, std::size_t k, std::size_t most_levels,
                          std::size_t most_count) {
  Table out;
  std::size_t n = 1;
  for (std::size_t v = 0; v < k; ++v) {
    out.levels.push_back(1 + static_cast<std::uint32_t>(random.below(most_levels)));
    n *= out.levels.back();
  }
  for (std::size_t i = 0; i < n; ++i)
    out.count.push_back(random.below(3) == 0 ? 0
                                             : static_cast<double>(random.below(most_count + 1)));
  return out;
}

inline std::vector<VariableSet> random_sets(PublicRandom& random, std::size_t k) {
  std::vector<VariableSet> out;
  const std::size_t m = 1 + random.below(4);
  for (std::size_t i = 0; i < m; ++i) {
    VariableSet set;
    for (std::uint32_t v = 0; v < k; ++v)
      if (random.below(2) == 0) set.push_back(v);
    out.push_back(set);
  }
  return out;
}

struct Asked {
  std::vector<std::vector<std::int32_t>> levels;
  AskedCells cells;

  explicit Asked(const Table& table) : levels(table.levels.size()) {
    for (std::size_t i = 0; i < table.count.size(); ++i) {
      const auto at = table.at(i);
      for (std::size_t v = 0; v < at.size(); ++v)
        levels[v].push_back(static_cast<std::int32_t>(at[v]) + 1);
    }
    for (const auto& column : levels) cells.levels.push_back(column.data());
    cells.n = table.count.size();
  }
};

}  // namespace margin_cases
