#include "bounds/margin_bounds.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "bounds/margin_system.hpp"
#include "bounds/shuttle.hpp"

namespace sdclattice {

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

// The counts of cells in a table; nothing where it has others, which no margin of it can.
std::vector<std::int64_t> counts_of(const std::vector<std::uint64_t>& cells,
                                    const std::vector<std::uint32_t>& levels,
                                    const ReleasedMargin* table) {
  if (table == nullptr) return {};
  std::vector<std::uint64_t> stride(levels.size() + 1, 1);
  for (std::size_t v = 0; v < levels.size(); ++v) stride[v + 1] = stride[v] * levels[v];
  std::vector<std::int64_t> out(cells.size(), 0);
  for (std::size_t i = 0; i < table->cells.n; ++i) {
    const std::uint64_t* key = table->cells.keys + i * table->layout.n_words();
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < table->variables.size(); ++k)
      number += stride[table->variables[k]] * table->layout.level(key, k);
    const auto at = std::lower_bound(cells.begin(), cells.end(), number);
    if (at == cells.end() || *at != number) return {};
    out[static_cast<std::size_t>(at - cells.begin())] =
        static_cast<std::int64_t>(table->cells.counts[i]);
  }
  return out;
}

IntegerBounds shuttle_only(LinearSystem system, const Tick& tick) {
  if (!tighten(system, tick)) throw InfeasibleError(kContradiction);
  IntegerBounds out;
  out.lower = std::move(system.lower);
  out.upper = std::move(system.upper);
  out.proved_feasible = false;
  out.sharp.assign(out.lower.size(), false);
  out.least.assign(out.lower.size(), kNoLimit);
  out.most.assign(out.lower.size(), -kNoLimit);
  return out;
}

}  // namespace

MarginBounds margin_bounds(const std::vector<std::uint32_t>& levels,
                           const std::vector<ReleasedMargin>& margins, const AskedCells& asked,
                           MarginMethod method, const MarginLimits& limits, const Tick& tick,
                           const ReleasedMargin* truth) {
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
                     ? integer_bounds(margin.system, distinct_cells(at), limits.solver, tick,
                                      counts_of(margin.cells, levels, truth))
                     : shuttle_only(std::move(margin.system), tick);
  }
  out.lower = picked<double>(out.effort.lower, at, 0);
  out.upper = picked<double>(out.effort.upper, at, 0);
  out.sharp = picked<char>(out.effort.sharp, at, true);
  out.least = picked<std::int64_t>(out.effort.least, at, 0);
  out.most = picked<std::int64_t>(out.effort.most, at, 0);
  return out;
}

}  // namespace sdclattice
