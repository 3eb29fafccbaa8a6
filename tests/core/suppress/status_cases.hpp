// Tables with a rule that says which counts are primary, and the value-free choice on them, for the
// tests of this room.
#pragma once

#include "small_patterns.hpp"
#include "suppress/value_free_pattern.hpp"

namespace small_published {

struct StatusCase {
  PatternCase pattern;
  std::int64_t most = 0;  // primary are counts up to it
  sdclattice::StatusLimits status;
};

// Primary are published counts from 1 to `most`, and all other cells cost 1.
inline PatternCase with_rule(const PublishedTable& table, std::int64_t most) {
  PatternCase out;
  out.table = table;
  out.floor = 1;
  const sdclattice::StoredCells cells = table.stored();
  out.problem = sdclattice::table_problem(cells, 1, true);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!cells.is_published(cell) || cells.value(cell) > most) continue;
    out.problem.role[cell] = sdclattice::CellRole::primary;
    out.problem.demands.push_back({cell, 0, 0, 1});
  }
  out.problem.knowers = sdclattice::knowers_of_ones(cells);
  return out;
}

inline StatusCase status_case(const PublishedTable& table, std::int64_t most) {
  StatusCase out;
  out.most = most;
  out.pattern = with_rule(table, most);
  const sdclattice::SuppressionProblem& problem = out.pattern.problem;
  out.status = {problem.system.lower, problem.system.upper};
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    if (problem.role[i] == sdclattice::CellRole::primary) out.status.upper[i] = most;
    if (problem.role[i] == sdclattice::CellRole::candidate) out.status.lower[i] = most + 1;
  }
  return out;
}

inline StatusCase random_status_case(Dice& dice, std::size_t most_inner, bool linked) {
  PublishedTable table;
  do {
    table = random_published(dice, most_inner, true);
  } while (table.crossings.empty() == linked);
  return status_case(table, dice.between(1, 3));
}

inline std::set<Nodes> hidden_cells(const sdclattice::StoredCells& cells,
                                    const std::vector<char>& hidden) {
  std::set<Nodes> out;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!hidden[cell]) continue;
    Nodes nodes;
    for (std::size_t v = 0; v < cells.n_variables(); ++v)
      nodes.push_back(cells.node(cells.key(cell), v));
    out.insert(nodes);
  }
  return out;
}

inline sdclattice::ValueFreePattern choose(const StatusCase& c,
                                           const sdclattice::StoredCells& cells, bool has_levels) {
  sdclattice::ValueFreeLimits limits;
  limits.blind.idle_sweeps = 2;
  limits.has_levels = has_levels;
  return sdclattice::value_free_pattern(cells, c.pattern.problem, c.status, limits, nullptr);
}

// The same method on another table of inner counts: its level, and the hidden cells.
using Answer = std::pair<std::size_t, std::set<Nodes>>;
inline Answer answer(const StatusCase& c, bool has_levels) {
  const sdclattice::StoredCells cells = c.pattern.table.stored();
  const sdclattice::ValueFreePattern found = choose(c, cells, has_levels);
  return {found.level, hidden_cells(cells, found.pattern.hidden)};
}
inline Answer rerun(const StatusCase& c, const std::vector<std::int64_t>& counts, bool has_levels) {
  PublishedTable other = c.pattern.table;
  other.counts = counts;
  return answer(status_case(other, c.most), has_levels);
}

}  // namespace small_published
