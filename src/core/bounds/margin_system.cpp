#include "bounds/margin_system.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "bounds/dense_table.hpp"

namespace sdclattice {

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
  assert(out.system.start.back() == out.system.cell.size());
  return out;
}

}  // namespace sdclattice
