#include "bounds/part_shuttle.hpp"

#include <algorithm>

#include "bounds/shuttle.hpp"

namespace sdclattice {

namespace {

// A margin as the shuttle reads it.
struct LaidOutMargin {
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  ReleasedMargin margin;

  LaidOutMargin(const PartTable& table, SubTable set)
      : margin{as_set(set), Layout(levels_of(table, set)), {}} {
    const std::vector<std::int64_t> values = table.margin(set);
    const std::vector<double> dense(values.begin(), values.end());
    const Cells cells = cells_from_dense(margin.layout, dense.data(), dense.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      keys.insert(keys.end(), cells.row(i), cells.row(i) + cells.stride - 1);
      counts.push_back(static_cast<double>(cells.count(i)));
    }
  }

  ReleasedMargin released() const {
    ReleasedMargin out = margin;
    out.cells = {keys.data(), counts.data(), counts.size()};
    return out;
  }

 private:
  static std::vector<std::uint32_t> levels_of(const PartTable& table, SubTable set) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t v : as_set(set)) out.push_back(table.levels()[v]);
    return out;
  }
};

bool lies_in(SubTable set, const std::vector<SubTable>& frontier) {
  return std::any_of(frontier.begin(), frontier.end(),
                     [set](SubTable whole) { return holds(whole, set); });
}

// The sets with one variable less.
std::vector<SubTable> facets(SubTable set) {
  std::vector<SubTable> out;
  for (std::uint32_t v : as_set(set)) out.push_back(set & ~(SubTable{1} << v));
  return out;
}

bool is_narrow(const RiskCells& risk, SubTable set, std::int64_t beta,
               const RefutationLimits& limits, WorkClock& clock) {
  if (n_cells(risk, set) > static_cast<double>(limits.max_cells)) return false;
  const PartTable table(risk, set, limits.max_cells);
  std::vector<SubTable> margins;
  for (SubTable facet : facets(set)) margins.push_back(table.local(facet));
  const ShuttleBounds bounds = shuttle_part(table, margins, limits.max_super_cells, clock.tick());
  const auto& upper = bounds.upper;
  return std::any_of(upper.begin(), upper.end(), [beta](std::int64_t u) { return u < beta; });
}

}  // namespace

ShuttleBounds shuttle_part(const PartTable& table, const std::vector<SubTable>& frontier,
                           std::size_t max_super_cells, const Tick& tick) {
  ShuttleBounds out;
  if (!GeneralizedShuttle::has_room(table.levels(), max_super_cells)) return out;
  std::vector<LaidOutMargin> margins;
  for (SubTable set : frontier) margins.emplace_back(table, set);
  std::vector<ReleasedMargin> released;
  for (const LaidOutMargin& m : margins) released.push_back(m.released());
  GeneralizedShuttle shuttle(table.levels(), released, max_super_cells);
  shuttle.run(10000, tick);
  for (std::size_t cell : table.asked()) {
    std::size_t place = 0;
    for (std::size_t v = 0; v < table.n_variables(); ++v)
      place += table.level(cell, v) * shuttle.stride()[v];
    out.lower.push_back(shuttle.lower(place));
    out.upper.push_back(shuttle.upper(place));
  }
  return out;
}

bool is_refuted(const RiskCells& risk, const std::vector<SubTable>& frontier, SubTable added,
                std::int64_t beta, const RefutationLimits& limits, WorkClock& clock) {
  const std::vector<std::int64_t> counts = risk.margin(added);
  if (std::any_of(counts.begin(), counts.end(), [beta](std::int64_t n) { return n < beta; }))
    return true;
  std::vector<SubTable> out = frontier;
  out.push_back(added);
  for (std::size_t v = 0; v < risk.n_variables(); ++v) {
    const SubTable whole = added | SubTable{1} << v;
    if (lies_in(whole, out)) continue;
    const std::vector<SubTable> parts = facets(whole);
    if (!std::all_of(parts.begin(), parts.end(), [&](SubTable s) { return lies_in(s, out); }))
      continue;
    if (clock.is_up()) throw WorkTimeUp();
    if (is_narrow(risk, whole, beta, limits, clock)) return true;
  }
  return false;
}

}  // namespace sdclattice
