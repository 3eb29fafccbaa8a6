// Random records and tables, and their slow twins: maps of level vectors.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "table/tabulate.hpp"

namespace records {

using namespace sdclattice;

using Levels = std::vector<std::uint32_t>;
using Twin = std::map<Levels, std::uint64_t>;  // keyed by the levels, last variable first

// A small generator, the same on all platforms.
struct Dice {
  std::uint64_t state = 12345;
  std::uint32_t below(std::uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  }
};

inline Levels reversed(Levels x) {
  std::reverse(x.begin(), x.end());
  return x;
}

struct Stored {
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  CellsView view() const { return {keys.data(), counts.data(), counts.size()}; }
};

// What tabulating finds, with its cells in rows.
struct Tabulation {
  Cells cells;
  std::vector<std::size_t> missing;
};

inline Cells rows_of(const Stored& stored, std::size_t n_words) {
  Cells out(n_words);
  for (std::size_t i = 0; i < stored.counts.size(); ++i)
    out.add(stored.keys.data() + i * n_words, static_cast<std::uint64_t>(stored.counts[i]));
  return out;
}

inline CellSink sink_of(Stored& stored, std::size_t n_words) {
  return [&stored, n_words](std::size_t n) {
    stored.keys.resize(n * n_words);
    stored.counts.resize(n);
    return CellRoom{stored.keys.data(), stored.counts.data()};
  };
}

inline Tabulation tabulate(const Layout& layout, const std::vector<Column>& columns, std::size_t n,
                           const double* weights, std::size_t threads, const Tick& tick) {
  Stored stored;
  const auto missing = sdclattice::tabulate(layout, columns, n, weights, threads, tick,
                                            sink_of(stored, layout.n_words()));
  return {rows_of(stored, layout.n_words()), missing};
}

inline Stored store(const Cells& cells) {
  Stored out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out.keys.insert(out.keys.end(), cells.row(i), cells.row(i) + cells.stride - 1);
    out.counts.push_back(static_cast<double>(cells.count(i)));
  }
  return out;
}

// True when the cells are the twin's, in the twin's order.
inline bool agrees(const Layout& layout, const Cells& cells, const Twin& twin) {
  if (cells.size() != twin.size()) return false;
  std::size_t i = 0;
  for (const auto& [levels, count] : twin) {
    for (std::size_t v = 0; v < levels.size(); ++v)
      if (layout.level(cells.row(i), v) != levels[levels.size() - 1 - v]) return false;
    if (cells.count(i++) != count) return false;
  }
  return true;
}

struct Records {
  Levels dim;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<double> weights;
  std::size_t n;

  Records(Dice& dice, Levels d, std::size_t size) : dim(std::move(d)), n(size) {
    for (std::uint32_t levels : dim) {
      std::vector<std::int32_t> column;
      for (std::size_t i = 0; i < n; ++i)
        column.push_back(1 + static_cast<std::int32_t>(dice.below(levels)));
      codes.push_back(column);
    }
    for (std::size_t i = 0; i < n; ++i) weights.push_back(dice.below(4));
  }
  std::vector<Column> columns() const {
    std::vector<Column> out(dim.size());
    for (std::size_t v = 0; v < dim.size(); ++v) out[v].codes = codes[v].data();
    return out;
  }
  Twin twin(const std::vector<std::size_t>& keep, bool weighted) const {
    Twin out;
    for (std::size_t i = 0; i < n; ++i) {
      Levels key;
      for (std::size_t v : keep) key.push_back(static_cast<std::uint32_t>(codes[v][i] - 1));
      const auto w = weighted ? static_cast<std::uint64_t>(weights[i]) : 1;
      if (w > 0) out[reversed(key)] += w;
    }
    return out;
  }
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> out(dim.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = v;
    return out;
  }
};

inline Levels random_dim(Dice& dice, std::size_t n, std::uint32_t most) {
  Levels dim;
  for (std::size_t v = 0; v < n; ++v) dim.push_back(1 + dice.below(most));
  return dim;
}

}  // namespace records
