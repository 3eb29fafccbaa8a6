#include "suppress/known_parts.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

namespace {

std::uint32_t add_unseen(SuppressionProblem& problem, std::int64_t value, std::int64_t lower,
                         std::int64_t upper) {
  problem.system.lower.push_back(lower);
  problem.system.upper.push_back(upper);
  problem.value.push_back(value);
  problem.role.push_back(CellRole::unseen);
  problem.cost.push_back(1);
  return static_cast<std::uint32_t>(problem.n_cells() - 1);
}

void end_row(LinearSystem& system) {
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(0);
  system.row_upper.push_back(0);
}

void add_entry(LinearSystem& system, std::uint32_t cell, std::int64_t coefficient) {
  system.cell.push_back(cell);
  system.coefficient.push_back(coefficient);
}

}  // namespace

std::vector<SplitCell> split_cells(SuppressionProblem& problem,
                                   const std::vector<CellParts>& parts) {
  std::vector<SplitCell> out;
  for (const CellParts& part : parts) {
    if (part.cell >= problem.n_cells() || part.second < 0 || part.first < part.second ||
        part.besides < 0 || part.first > problem.value[part.cell] - part.besides)
      throw InputError("The parts of a cell must not be more than the cell.");
    LinearSystem& system = problem.system;
    add_entry(system, part.cell, -1);
    const auto add_part = [&](std::int64_t value, std::int64_t upper, std::int64_t lower = 0) {
      if (upper == 0) return SplitCell::kNone;
      const std::uint32_t cell = add_unseen(problem, value, lower, upper);
      add_entry(system, cell, 1);
      return cell;
    };
    const std::uint32_t second = add_part(part.second, part.second);
    const std::uint32_t more = add_part(part.first - part.second, part.first - part.second);
    add_part(problem.value[part.cell] - part.first, kNoLimit, part.besides);
    end_row(system);
    out.push_back({second, more});
  }
  return out;
}

std::uint32_t add_sum(SuppressionProblem& problem, std::vector<std::uint32_t> cells) {
  std::sort(cells.begin(), cells.end());
  std::int64_t value = 0, lower = 0;
  for (const std::uint32_t cell : cells) {
    add_entry(problem.system, cell, 1);
    value += problem.value[cell];
    lower += problem.system.lower[cell];
  }
  const std::uint32_t sum = add_unseen(problem, value, lower, kNoLimit);
  add_entry(problem.system, sum, -1);
  end_row(problem.system);
  return sum;
}

std::uint32_t add_excess(SuppressionProblem& problem, std::uint32_t cell,
                         const std::vector<std::uint32_t>& others, std::int64_t room) {
  std::int64_t value = problem.value[cell];
  std::vector<std::pair<std::uint32_t, std::int64_t>> entries{{cell, 1}};
  for (const std::uint32_t other : others) {
    entries.emplace_back(other, -1);
    value -= problem.value[other];
  }
  if (value < -room) throw InputError("The other cells must not exceed a cell by more than room.");
  std::sort(entries.begin(), entries.end());
  for (const auto& entry : entries) add_entry(problem.system, entry.first, entry.second);
  const std::uint32_t excess = add_unseen(problem, value, -room, kNoLimit);
  add_entry(problem.system, excess, -1);
  end_row(problem.system);
  return excess;
}

}  // namespace sdclattice
