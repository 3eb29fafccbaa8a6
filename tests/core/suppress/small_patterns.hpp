// Random problems of suppression on small tables, for the tests of this room.
#pragma once

#include "small_published.hpp"
#include "suppress/table_problem.hpp"

namespace small_published {

struct PatternCase {
  PublishedTable table;
  std::int64_t floor = 0;
  sdclattice::SuppressionProblem problem;
};

// Primary are published counts up to `most`; some cells stay open, some cost more, and demands may
// ask for more than to be not exact.
inline PatternCase random_pattern_case(Dice& dice, std::size_t most_inner, bool small) {
  using sdclattice::CellRole;
  PatternCase out;
  out.table = random_published(dice, most_inner, small);
  out.floor = dice.below(2);
  const sdclattice::StoredCells cells = out.table.stored();
  out.problem = sdclattice::table_problem(cells, out.floor, true);
  const int most = dice.between(1, 3), open = dice.below(3), levels = dice.below(3);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!cells.is_published(cell)) continue;
    out.problem.cost[cell] = dice.between(1, 3);
    if (cells.value(cell) <= most) {
      out.problem.role[cell] = CellRole::primary;
      sdclattice::Demand demand{cell, 0, 0, 1};
      if (levels == 1) demand.slide = dice.between(1, 3);
      if (levels == 2) demand = {cell, dice.below(3), dice.below(2), dice.between(1, 2)};
      out.problem.demands.push_back(demand);
    } else if (open == 0 && dice.below(6) == 0) {
      out.problem.role[cell] = CellRole::open;
    }
  }
  if (dice.below(2) == 0) out.problem.knowers = sdclattice::knowers_of_ones(cells);
  return out;
}

using Open = std::set<std::pair<std::uint32_t, std::uint32_t>>;
inline Open open_set(const std::vector<sdclattice::OpenDemand>& open) {
  Open out;
  for (const auto& demand : open) out.insert({demand.demand, demand.knower});
  return out;
}

}  // namespace small_published
