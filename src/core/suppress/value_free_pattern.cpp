#include "suppress/value_free_pattern.hpp"

#include <algorithm>

#include "base/work_clock.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/move_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kAnyCount = std::int64_t{1} << 40;
constexpr std::size_t kProgrammes = 5000;  // cells, for certificates by linear programmes

// Whoever might be alone in an inner cell: she would then know this cell, and every published total
// that has no other inner cell.
std::vector<std::vector<std::uint32_t>> possible_knowers(const StoredCells& cells,
                                                         const std::vector<CellRole>& role) {
  std::vector<std::uint8_t> n_below(cells.n_cells(), 0);  // 2: two or more
  const auto each_total = [&cells](std::uint32_t inner, auto visit) {
    cells.each_above(cells.key(inner), [&](std::uint64_t key) { visit(cells.find(key)); });
  };
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    if (cells.is_inner(cell))
      each_total(cell, [&](std::uint32_t total) {
        n_below[total] = static_cast<std::uint8_t>(std::min(2, n_below[total] + 1));
      });
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    const bool may_be_one = role[cell] == CellRole::primary || role[cell] == CellRole::unseen;
    if (!cells.is_inner(cell) || !may_be_one) continue;
    out.emplace_back();
    each_total(cell, [&](std::uint32_t total) {
      if (n_below[total] == 1) out.back().push_back(total);
    });
    std::sort(out.back().begin(), out.back().end());
  }
  return out;
}

// Certificates of cells that are chosen already.
SuppressionPattern certify(const StoredCells& cells, SuppressionProblem problem,
                           const std::vector<char>& hidden, double seconds, std::uint64_t seed,
                           const Tick& tick) {
  if (problem.system.n_rows() > 0 && problem.n_cells() <= kProgrammes) {
    ProgrammeLimits limits;
    limits.seconds = seconds;
    limits.seed = seed;
    return certify_pattern(problem, hidden, limits, tick).pattern;
  }
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate && !hidden[i]) problem.role[i] = CellRole::open;
  MovePatternLimits limits;
  limits.seconds = seconds;
  limits.seed = seed;
  SuppressionPattern out = move_pattern(cells, problem, {}, limits, tick);
  out.hidden = hidden;
  return out;
}

std::int64_t cost_of(const SuppressionProblem& problem, const std::vector<char>& hidden) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate && hidden[i]) out += problem.cost[i];
  return out;
}

}  // namespace

SuppressionProblem blind_problem(const StoredCells& cells, const SuppressionProblem& problem) {
  SuppressionProblem out;
  out.role = problem.role;
  out.cost = problem.cost;
  out.value.assign(problem.n_cells(), kAnyCount);
  out.system.lower.assign(problem.n_cells(), 0);
  out.system.upper.assign(problem.n_cells(), kNoLimit);
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell)
    if (problem.role[cell] == CellRole::primary) out.demands.push_back({cell, 0, 0, 1});
  out.knowers = possible_knowers(cells, problem.role);
  return out;
}

ValueFreePattern value_free_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                    const StatusLimits& status, const ValueFreeLimits& limits,
                                    const Tick& tick) {
  const double end = work_seconds() + limits.seconds;
  MovePatternLimits choice;
  choice.seconds = limits.seconds;
  choice.seed = limits.seed;
  choice.idle_sweeps = limits.idle_sweeps;
  const SuppressionPattern blind =
      move_pattern(cells, blind_problem(cells, problem), {}, choice, tick);
  const auto half = [end] { return .5 * std::max(0.0, end - work_seconds()); };
  ValueFreePattern out;
  out.pattern = certify(cells, problem, blind.hidden, half(), limits.seed, tick);
  out.pattern.cost = cost_of(problem, blind.hidden);
  out.pattern.bound = 0;
  out.pattern.optimal = false;
  out.choice_stopped = blind.stopped;
  out.pattern.stopped = out.pattern.stopped || blind.stopped;
  SuppressionProblem same = problem;
  same.system.lower = status.lower;
  same.system.upper = status.upper;
  const SuppressionPattern keeping = certify(cells, same, blind.hidden, half(), limits.seed, tick);
  // a choice that the clock cut short is no answer to readers who know the method
  if (!blind.stopped) out.keeping = keeping.certificates;
  out.uncovered = open_demands(problem, out.keeping);
  return out;
}

}  // namespace sdclattice
