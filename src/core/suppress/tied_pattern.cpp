#include "suppress/tied_pattern.hpp"

#include <algorithm>

#include "base/deadline.hpp"
#include "suppress/move_pattern.hpp"
#include "suppress/programme_pattern.hpp"

namespace sdclattice {

namespace {

constexpr double kShareOfTable = .5;  // of the time, for the search without the added cells

// The problem of the table's own cells.
SuppressionProblem without_ties(const StoredCells& cells, const SuppressionProblem& problem) {
  SuppressionProblem out = problem;
  const std::size_t n = cells.n_cells();
  LinearSystem& system = out.system;
  const std::size_t n_rows = system.n_rows() - (problem.n_cells() - n);
  for (std::vector<std::int64_t>* v : {&out.value, &out.cost, &system.lower, &system.upper})
    v->resize(n);
  out.role.resize(n);
  system.row_lower.resize(n_rows);
  system.row_upper.resize(n_rows);
  system.start.resize(n_rows + 1);
  system.cell.resize(system.start.back());
  system.coefficient.resize(system.start.back());
  return out;
}

// What the added cells change by, each of which ends its row with the coefficient -1.
void complete(const LinearSystem& system, std::size_t first_row, Certificate& certificate) {
  const std::size_t n_own = certificate.cell.size();
  for (std::size_t row = first_row; row < system.n_rows(); ++row) {
    std::int64_t change = 0;
    const std::size_t last = system.start[row + 1] - 1;
    for (std::size_t e = system.start[row]; e < last; ++e) {
      const auto end = certificate.cell.begin() + static_cast<std::ptrdiff_t>(n_own);
      const auto at = std::lower_bound(certificate.cell.begin(), end, system.cell[e]);
      if (at != end && *at == system.cell[e])
        change += system.coefficient[e] *
                  certificate.change[static_cast<std::size_t>(at - certificate.cell.begin())];
    }
    if (change == 0) continue;
    certificate.cell.push_back(system.cell[last]);
    certificate.change.push_back(change);
  }
}

}  // namespace

SuppressionPattern tied_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                const PatternLimits& limits, const Tick& tick,
                                const std::vector<char>& start, std::size_t system_cells) {
  if (cells.n_cells() <= system_cells || limits.exact_only || !start.empty())
    return certified_pattern(problem, limits, tick, start);
  const double end = work_seconds() + limits.seconds;
  MovePatternLimits own;
  own.seconds = kShareOfTable * limits.seconds;
  own.seed = limits.seed;
  own.threads = limits.threads;
  const SuppressionProblem table = without_ties(cells, problem);
  SuppressionPattern found = move_pattern(cells, table, {}, own, tick);
  found.hidden.resize(problem.n_cells(), 0);
  for (Certificate& one : found.certificates) complete(problem.system, table.system.n_rows(), one);
  ProgrammeLimits rest;
  rest.seconds = std::max(0.0, end - work_seconds());
  rest.seed = limits.seed;
  return improve_pattern(problem, found, rest, tick);
}

}  // namespace sdclattice
