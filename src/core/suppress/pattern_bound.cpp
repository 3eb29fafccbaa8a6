#include "suppress/pattern_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

namespace {

// The room of a cell, and of several: kNoLimit where there is no end.
std::int64_t room(const SuppressionProblem& problem, std::size_t i, bool up) {
  const std::int64_t limit = up ? problem.system.upper[i] : problem.system.lower[i];
  if (limit >= kNoLimit || limit <= -kNoLimit) return kNoLimit;
  return up ? limit - problem.value[i] : problem.value[i] - limit;
}

// How far a relation lets a cell go, in either direction.
struct RowReach {
  std::int64_t up = 0, down = 0;

  std::int64_t& of(bool is_up) { return is_up ? up : down; }
};

class RowCuts {
 public:
  RowCuts(const SuppressionProblem& problem, const std::vector<OpenDemand>& lacking)
      : problem_(problem), rows_(problem.system), knowers_(problem.n_cells()) {
    for (const OpenDemand& open : lacking) lacking_.emplace(open.demand, open.knower);
    for (std::size_t k = 0; k < problem.knowers.size(); ++k)
      for (const std::uint32_t i : problem.knowers[k])
        knowers_[i].push_back(static_cast<std::uint32_t>(k));
  }

  std::vector<CellCut> run() {
    for (std::size_t d = 0; d < problem_.demands.size(); ++d) {
      const std::uint32_t cell = problem_.demands[d].cell;
      for (std::size_t e = rows_.at[cell]; e < rows_.at[cell + 1]; ++e)
        if (is_relation(rows_.row[e])) add_row(static_cast<std::uint32_t>(d), rows_.row[e]);
    }
    return strongest_cuts(std::move(out_));
  }

 private:
  bool is_relation(std::size_t r) const {
    return problem_.system.row_lower[r] == problem_.system.row_upper[r];
  }

  // Against the outsider, and those who know a cell of the row but not the cell itself.
  void add_row(std::uint32_t d, std::size_t r) {
    const LinearSystem& system = problem_.system;
    std::vector<std::uint32_t> readers{OpenDemand::kNobody};
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::vector<std::uint32_t>& knowers = knowers_[system.cell[e]];
      readers.insert(readers.end(), knowers.begin(), knowers.end());
    }
    std::sort(readers.begin(), readers.end());
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    for (const std::uint32_t reader : readers)
      if (is_asked(d, reader) && !is_lacking(d, reader)) add_cuts(problem_.demands[d], reader, r);
  }

  bool is_asked(std::uint32_t d, std::uint32_t reader) const {
    return reader == OpenDemand::kNobody || concerns(problem_, problem_.demands[d], reader);
  }

  // What is open to the outsider is open to every knower.
  bool is_lacking(std::uint32_t demand, std::uint32_t reader) const {
    return lacking_.count({demand, reader}) != 0 ||
           lacking_.count({demand, OpenDemand::kNobody}) != 0;
  }

  bool knows(std::uint32_t reader, std::uint32_t cell) const {
    if (reader == OpenDemand::kNobody) return false;
    const std::vector<std::uint32_t>& known = problem_.knowers[reader];
    return std::binary_search(known.begin(), known.end(), cell);
  }

  void add_cuts(const Demand& demand, std::uint32_t reader, std::size_t r) {
    CellCut cut[2];
    RowReach reach;
    for (const bool up : {false, true})
      reach.of(up) = reach_of(demand.cell, reader, r, up, cut[up ? 1 : 0]);
    if (reach.up < demand.up) keep(cut[1]);
    if (reach.down < demand.down) keep(cut[0]);
    if (reach.up + reach.down >= demand.slide) return;
    cut[0].insert(cut[0].end(), cut[1].begin(), cut[1].end());
    keep(std::move(cut[0]));
  }

  void keep(CellCut cut) {
    std::sort(cut.begin(), cut.end());
    cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
    if (!cut.empty()) out_.push_back(std::move(cut));
  }

  // How far the cell can go when no candidate is hidden; `candidates` are those that would let it
  // go further.
  std::int64_t reach_of(std::uint32_t cell, std::uint32_t reader, std::size_t r, bool up,
                        CellCut& candidates) const {
    const LinearSystem& system = problem_.system;
    const std::int64_t own = coefficient_of(cell, r);
    WideInt sum = 0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      const CellRole role = problem_.role[i];
      if (i == cell || role == CellRole::open || knows(reader, i)) continue;
      const std::int64_t times = system.coefficient[e];
      const std::int64_t has = room(problem_, i, ((times > 0) == (own > 0)) != up);
      if (has == 0) continue;
      if (role == CellRole::candidate)
        candidates.push_back(i);
      else
        sum += wide_product(magnitude(times), has);
    }
    const WideInt by_row = std::min<WideInt>(sum / magnitude(own), kNoLimit);
    return std::min(room(problem_, cell, up), static_cast<std::int64_t>(by_row));
  }

  std::int64_t coefficient_of(std::uint32_t cell, std::size_t r) const {
    std::size_t e = problem_.system.start[r];
    while (problem_.system.cell[e] != cell) ++e;
    return problem_.system.coefficient[e];
  }

  const SuppressionProblem& problem_;
  RowsByCell rows_;
  std::vector<std::vector<std::uint32_t>> knowers_;  // of each cell
  std::set<std::pair<std::uint32_t, std::uint32_t>> lacking_;
  std::vector<CellCut> out_;
};

}  // namespace

std::vector<CellCut> row_cuts(const SuppressionProblem& problem,
                              const std::vector<OpenDemand>& lacking) {
  return RowCuts(problem, lacking).run();
}

PatternBound pattern_bound(const SuppressionProblem& problem,
                           const std::vector<OpenDemand>& lacking, double seconds,
                           const Tick& tick) {
  const std::vector<CellCut> cuts = row_cuts(problem, lacking);
  const CellCover cheapest = cheapest_cover(cuts, problem.cost, seconds, tick);
  const std::vector<std::int64_t> ones(problem.n_cells(), 1);
  PatternBound out;
  out.cost = cheapest.bound;
  out.interrupted = cheapest.interrupted;
  if (out.interrupted) return out;
  const CellCover fewest = cheapest_cover(cuts, ones, seconds, tick);
  out.n_cells = fewest.bound;
  out.interrupted = fewest.interrupted;
  return out;
}

}  // namespace sdclattice
