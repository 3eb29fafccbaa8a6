#include "bounds/margin_bounds.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "bounds/shuttle.hpp"

namespace sdclattice {

namespace {

// A table as an array, first variable fastest.
struct DenseTable {
  std::vector<double> count;
  std::vector<std::size_t> stride;

  DenseTable(const Layout& layout, const CellsView& cells) {
    std::size_t n = 1;
    for (std::uint32_t k : layout.levels()) {
      stride.push_back(n);
      n *= k;
    }
    count.resize(n);
    write_dense(layout, cells, count.data());
  }
};

// Open addressing over the keys of a table, at most half full.
class KeyIndex {
 public:
  KeyIndex(std::size_t words, const CellsView& cells) : words_(words), cells_(cells) {
    std::size_t size = 16;
    while (size < 2 * cells.n) size *= 2;
    slots_.assign(size, cells.n);
    for (std::size_t i = 0; i < cells.n; ++i) *find_slot(cells.keys + i * words) = i;
  }
  double at(const std::uint64_t* key) const {
    const std::size_t i = *find_slot(key);
    return i < cells_.n ? cells_.counts[i] : 0;
  }

 private:
  std::size_t* find_slot(const std::uint64_t* key) const {
    std::uint64_t mixed = 0;
    for (std::size_t w = 0; w < words_; ++w)
      mixed = ((mixed ^ key[w]) + (mixed >> 29)) * 0x9E3779B97F4A7C15u;
    std::size_t s = (mixed ^ (mixed >> 32)) & (slots_.size() - 1);
    while (slots_[s] < cells_.n && !std::equal(key, key + words_, cells_.keys + slots_[s] * words_))
      s = (s + 1) & (slots_.size() - 1);
    return &slots_[s];
  }
  std::size_t words_;
  CellsView cells_;
  mutable std::vector<std::size_t> slots_;
};

std::vector<double> dense_values(const Layout& layout, const CellsView& cells,
                                 const AskedCells& asked) {
  const DenseTable table(layout, cells);
  std::vector<std::size_t> place(asked.n, 0);
  for (std::size_t v = 0; v < layout.n_variables(); ++v)
    for (std::size_t i = 0; i < asked.n; ++i)
      place[i] += static_cast<std::size_t>(asked.levels[v][i] - 1) * table.stride[v];
  std::vector<double> out(asked.n);
  for (std::size_t i = 0; i < asked.n; ++i) out[i] = table.count[place[i]];
  return out;
}

std::vector<double> hashed_values(const Layout& layout, const CellsView& cells,
                                  const AskedCells& asked) {
  const KeyIndex index(layout.n_words(), cells);
  std::vector<double> out(asked.n);
  std::vector<std::uint64_t> key(layout.n_words());
  for (std::size_t i = 0; i < asked.n; ++i) {
    std::fill(key.begin(), key.end(), 0);
    for (std::size_t v = 0; v < layout.n_variables(); ++v)
      layout.put(key.data(), v, static_cast<std::uint32_t>(asked.levels[v][i] - 1));
    out[i] = index.at(key.data());
  }
  return out;
}

// Keys as numbers: the last word is the most significant.
int compare_keys(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t w = words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

}  // namespace

std::vector<double> values_at(const Layout& layout, const CellsView& cells,
                              const AskedCells& asked) {
  const double room = 4.0 * static_cast<double>(cells.n + asked.n) + 65536;
  return layout.n_cells() <= room ? dense_values(layout, cells, asked)
                                  : hashed_values(layout, cells, asked);
}

std::vector<Disagreement> compare_tables(const Cells& a, const Cells& b, std::size_t max_found) {
  std::vector<Disagreement> out;
  const std::size_t words = a.stride - 1;
  const auto note = [&](const std::uint64_t* key, std::uint64_t first, std::uint64_t second) {
    out.push_back({{key, key + words}, first, second});
  };
  std::size_t i = 0, j = 0;
  while (out.size() < max_found && (i < a.size() || j < b.size())) {
    const int order = i == a.size()   ? 1
                      : j == b.size() ? -1
                                      : compare_keys(a.row(i), b.row(j), words);
    if (order == 0 && a.count(i) != b.count(j)) note(a.row(i), a.count(i), b.count(j));
    if (order < 0) note(a.row(i), a.count(i), 0);
    if (order > 0) note(b.row(j), 0, b.count(j));
    i += order <= 0;
    j += order >= 0;
  }
  return out;
}

// ---- the system of the margins -----------------------------------------------------------------

namespace {

// Goes through all cells of a table and knows at each the place in every margin.
class CellWalk {
 public:
  CellWalk(const std::vector<std::uint32_t>& levels, const std::vector<ReleasedMargin>& margins)
      : levels_(levels), at_(levels.size(), 0), place(margins.size(), 0) {
    for (const ReleasedMargin& margin : margins) {
      tables.emplace_back(margin.layout, margin.cells);
      std::vector<std::size_t> step(levels.size(), 0);
      for (std::size_t k = 0; k < margin.variables.size(); ++k)
        step[margin.variables[k]] = tables.back().stride[k];
      step_.push_back(std::move(step));
    }
  }
  bool positive() const {
    for (std::size_t m = 0; m < tables.size(); ++m)
      if (tables[m].count[place[m]] == 0) return false;
    return true;
  }
  void next() {
    for (std::size_t v = 0; v < levels_.size(); ++v) {
      const bool wraps = ++at_[v] == levels_[v];
      for (std::size_t m = 0; m < place.size(); ++m)
        place[m] =
            wraps ? place[m] - (levels_[v] - std::size_t{1}) * step_[m][v] : place[m] + step_[m][v];
      if (!wraps) return;
      at_[v] = 0;
    }
  }

 private:
  const std::vector<std::uint32_t>& levels_;
  std::vector<std::uint32_t> at_;
  std::vector<std::vector<std::size_t>> step_;

 public:
  std::vector<DenseTable> tables;
  std::vector<std::size_t> place;  // in each margin
};

std::size_t checked_cells(const std::vector<std::uint32_t>& levels, std::size_t max_cells) {
  double n = 1;
  for (std::uint32_t k : levels) n *= k;
  if (n > static_cast<double>(max_cells))
    throw TooLargeError("The table that the margins belong to has too many cells.");
  return static_cast<std::size_t>(n);
}

// The rows of one margin, from the place of each cell in it.
void add_margin_rows(const DenseTable& table, const std::vector<std::uint32_t>& places,
                     LinearSystem& system) {
  std::vector<std::size_t> size(table.count.size() + 1, 0);
  for (std::uint32_t p : places) ++size[p + 1];
  std::vector<std::size_t> next(table.count.size());
  std::size_t end = system.cell.size();
  for (std::size_t p = 0; p < table.count.size(); ++p) {
    if (table.count[p] == 0) continue;
    if (size[p + 1] == 0)
      throw InfeasibleError("A positive cell of one margin has only zero cells of the others.");
    next[p] = end;
    end += size[p + 1];
    system.start.push_back(end);
    system.row_lower.push_back(static_cast<std::int64_t>(table.count[p]));
    system.row_upper.push_back(system.row_lower.back());
  }
  system.cell.resize(end);
  system.coefficient.resize(end, 1);
  for (std::uint32_t i = 0; i < places.size(); ++i) system.cell[next[places[i]]++] = i;
}

}  // namespace

MarginSystem margin_system(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, std::size_t max_cells,
                           const Tick& tick) {
  const std::size_t n = checked_cells(levels, max_cells);
  MarginSystem out;
  CellWalk walk(levels, margins);
  std::vector<std::vector<std::uint32_t>> places(margins.size());
  for (std::size_t i = 0; i < n; ++i, walk.next()) {
    if (i % 1048576 == 0) report(tick, 0);
    if (!walk.positive()) continue;
    out.cells.push_back(i);
    double upper = static_cast<double>(kMaxCount);
    for (std::size_t m = 0; m < margins.size(); ++m) {
      places[m].push_back(static_cast<std::uint32_t>(walk.place[m]));
      upper = std::min(upper, walk.tables[m].count[walk.place[m]]);
    }
    out.system.lower.push_back(0);
    out.system.upper.push_back(static_cast<std::int64_t>(upper));
  }
  for (std::size_t m = 0; m < margins.size(); ++m)
    add_margin_rows(walk.tables[m], places[m], out.system);
  return out;
}

// ---- bounds ------------------------------------------------------------------------------------

namespace {

const char* const kContradiction =
    "The margins agree on their common margins, but no table has them all.";

// The limits of the generalized shuttle for the cells of the system; false when there is no room.
bool apply_shuttle(const std::vector<std::uint32_t>& levels,
                   const std::vector<ReleasedMargin>& margins, std::size_t max_super_cells,
                   const Tick& tick, MarginSystem& margin) {
  if (!GeneralizedShuttle::has_room(levels, max_super_cells)) return false;
  GeneralizedShuttle shuttle(levels, margins, max_super_cells);
  if (!shuttle.run(10000, tick)) throw InfeasibleError(kContradiction);
  for (std::size_t k = 0; k < margin.cells.size(); ++k) {
    std::size_t rest = margin.cells[k], place = 0;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      place += rest % levels[v] * shuttle.stride()[v];
      rest /= levels[v];
    }
    margin.system.lower[k] = std::max(margin.system.lower[k], shuttle.lower(place));
    margin.system.upper[k] = std::min(margin.system.upper[k], shuttle.upper(place));
  }
  return true;
}

constexpr std::uint32_t kZeroCell = UINT32_MAX;

// The position of each asked cell in the system; kZeroCell for cells known to be zero.
std::vector<std::uint32_t> find_asked(const std::vector<std::uint32_t>& levels,
                                      const std::vector<std::uint64_t>& cells,
                                      const AskedCells& asked) {
  std::vector<std::uint32_t> out(asked.n, kZeroCell);
  for (std::size_t i = 0; i < asked.n; ++i) {
    std::uint64_t number = 0, stride = 1;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      number += static_cast<std::uint64_t>(asked.levels[v][i] - 1) * stride;
      stride *= levels[v];
    }
    const auto at = std::lower_bound(cells.begin(), cells.end(), number);
    if (at != cells.end() && *at == number) out[i] = static_cast<std::uint32_t>(at - cells.begin());
  }
  return out;
}

std::vector<std::uint32_t> distinct_cells(std::vector<std::uint32_t> found) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (!found.empty() && found.back() == kZeroCell) found.pop_back();
  return found;
}

template <class To, class From>
std::vector<To> picked(const std::vector<From>& values, const std::vector<std::uint32_t>& at,
                       To zero) {
  std::vector<To> out(at.size(), zero);
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] != kZeroCell) out[i] = static_cast<To>(values[at[i]]);
  return out;
}

IntegerBounds shuttle_only(LinearSystem system, const Tick& tick) {
  if (!tighten(system, tick)) throw InfeasibleError(kContradiction);
  IntegerBounds out;
  out.lower = std::move(system.lower);
  out.upper = std::move(system.upper);
  out.proved_feasible = false;
  out.sharp.assign(out.lower.size(), false);
  return out;
}

}  // namespace

MarginBounds margin_bounds(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, const AskedCells& asked,
                           MarginMethod method, const MarginLimits& limits, const Tick& tick) {
  MarginSystem margin = margin_system(levels, margins, limits.max_cells, tick);
  const std::vector<std::uint32_t> at = find_asked(levels, margin.cells, asked);
  MarginBounds out;
  if (method == MarginMethod::lp) {
    RelaxedBounds found = relaxed_bounds(margin.system, distinct_cells(at), limits.solver, tick);
    out.real_lower = picked<double>(found.real_lower, at, 0);
    out.real_upper = picked<double>(found.real_upper, at, 0);
    out.effort = std::move(found.whole);
  } else {
    out.generalized = apply_shuttle(levels, margins, limits.max_super_cells, tick, margin);
    out.effort = method == MarginMethod::ip
                     ? integer_bounds(margin.system, distinct_cells(at), limits.solver, tick)
                     : shuttle_only(std::move(margin.system), tick);
  }
  out.lower = picked<double>(out.effort.lower, at, 0);
  out.upper = picked<double>(out.effort.upper, at, 0);
  out.sharp = picked<char>(out.effort.sharp, at, true);
  return out;
}

}  // namespace sdclattice
