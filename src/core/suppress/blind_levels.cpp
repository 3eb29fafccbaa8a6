#include "suppress/blind_levels.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "suppress/move_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kAnyCount = std::int64_t{1} << 40;
constexpr std::size_t kCellsOfOrders = 2000;  // orders of a search times cells
constexpr BlindAsk kAsks[] = {BlindAsk::readers,      BlindAsk::alone,  BlindAsk::halved,
                              BlindAsk::halved_twice, BlindAsk::halves, BlindAsk::apart};

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

// Of each primary cell: all others may be such that cannot change.
void add_all_others(const std::vector<Demand>& demands,
                    std::vector<std::vector<std::uint32_t>>& knowers) {
  for (const Demand& demand : demands) {
    knowers.emplace_back();
    for (const Demand& other : demands)
      if (other.cell != demand.cell) knowers.back().push_back(other.cell);
  }
}

// Halves of the primary cells by digits of their numbers: any two of them are apart in one of all.
void add_halves(const std::vector<Demand>& demands, std::size_t n_digits,
                std::vector<std::vector<std::uint32_t>>& knowers) {
  std::size_t step = 1;
  for (std::size_t digit = 0; digit < n_digits && step < demands.size(); ++digit, step *= 2)
    for (std::size_t half = 0; half < 2; ++half) {
      knowers.emplace_back();
      for (std::size_t d = 0; d < demands.size(); ++d)
        if (d / step % 2 == half) knowers.back().push_back(demands[d].cell);
    }
}

}  // namespace

std::int64_t cost_of_hidden(const SuppressionProblem& problem, const std::vector<char>& hidden) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate && hidden[i]) out += problem.cost[i];
  return out;
}

SuppressionProblem blind_problem(const StoredCells& cells, const SuppressionProblem& problem,
                                 BlindAsk ask) {
  SuppressionProblem out;
  out.role = problem.role;
  out.cost = problem.cost;
  out.value.assign(problem.n_cells(), kAnyCount);
  out.system.lower.assign(problem.n_cells(), 0);
  out.system.upper.assign(problem.n_cells(), kNoLimit);
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell)
    if (problem.role[cell] == CellRole::primary) out.demands.push_back({cell, 0, 0, 1});
  if (ask != BlindAsk::readers) out.knowers = possible_knowers(cells, problem.role);
  if (ask == BlindAsk::halved) add_halves(out.demands, 1, out.knowers);
  if (ask == BlindAsk::halved_twice) add_halves(out.demands, 2, out.knowers);
  if (ask == BlindAsk::halves) add_halves(out.demands, SIZE_MAX, out.knowers);
  if (ask == BlindAsk::apart) add_all_others(out.demands, out.knowers);
  return out;
}

BlindLevels::BlindLevels(const StoredCells& cells, const SuppressionProblem& problem,
                         const StatusLimits& status, const BlindLimits& limits, WorkClock& clock)
    : cells_(cells), problem_(problem), status_(status), limits_(limits), clock_(clock) {}

// ---- the choice
// ----------------------------------------------------------------------------------

const BlindLevel& BlindLevels::choose(BlindAsk ask) {
  const auto at = chosen_.find(ask);
  if (at != chosen_.end()) return at->second;
  MovePatternLimits choice;
  choice.seconds = clock_.seconds_left();
  choice.seed = limits_.seed;
  choice.idle_sweeps = limits_.idle_sweeps;
  if (problem_.n_cells() <= kMostCells)
    choice.orders = 1 + kCellsOfOrders / (problem_.n_cells() + 1);
  SuppressionPattern blind =
      move_pattern(cells_, blind_problem(cells_, problem_, ask), {}, choice, clock_.tick());
  const std::int64_t cost = cost_of_hidden(problem_, blind.hidden);
  return chosen_[ask] = {ask, std::move(blind.hidden), cost, blind.stopped};
}

bool BlindLevels::is_dear(const BlindLevel& level) {
  if (limits_.most_price <= 0 || level.ask <= BlindAsk::alone) return false;
  const std::int64_t cost = usual().cost;
  return level.cost > cost + limits_.few &&
         static_cast<double>(level.cost) > limits_.most_price * static_cast<double>(cost);
}

bool BlindLevels::has_level(std::size_t level) {
  while (level >= levels_.size() && next_ < std::size(kAsks)) {
    const BlindLevel& one = choose(kAsks[next_]);
    if (one.stopped) throw WorkTimeUp();
    ++next_;
    if (is_dear(one)) {
      dear_ = &one;
      next_ = std::size(kAsks);
      break;
    }
    const auto same = [&](const BlindLevel& other) { return other.hidden == one.hidden; };
    if (std::none_of(levels_.begin(), levels_.end(), same)) levels_.push_back(one);
  }
  found_.resize(levels_.size());
  return level < levels_.size();
}

// ---- which level suffices
// ------------------------------------------------------------------------

StatusClass BlindLevels::class_of(const WholeTable& table, std::size_t level) {
  return StatusClass(cells_, problem_, status_, levels_[level].hidden, table, limits_.people);
}

std::size_t BlindLevels::first_level(const WholeTable& table, std::size_t below) {
  double work = 0;
  return first_level(table, below, work);
}

std::size_t BlindLevels::first_level(const WholeTable& table, std::size_t below, double& work) {
  for (std::size_t level = 0; level < below && has_level(level); ++level) {
    const Found& others = find(table, level);
    // as if it had been found for this table
    work += others.work;
    if (!others.tables.empty() && class_of(table, level).serves(others.tables, table)) return level;
  }
  return kNone;
}

const std::vector<WholeTable>& BlindLevels::tables(const WholeTable& table, std::size_t level) {
  return find(table, level).tables;
}

const BlindLevels::Found& BlindLevels::find(const WholeTable& table, std::size_t level) {
  clock_.check();
  WholeTable seen = table;
  const std::vector<char>& hides = levels_[level].hidden;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (hides[i] || problem_.role[i] == CellRole::unseen) seen[i] = 0;
  const auto at = found_[level].find(seen);
  if (at != found_[level].end()) return at->second;
  return found_[level][seen] = find_anew(table, level);
}

BlindLevels::Found BlindLevels::find_anew(const WholeTable& table, std::size_t level) {
  const StatusClass own = class_of(table, level);
  Found out;
  std::vector<WholeTable> left;
  for (WholeTable& other : own.find_tables(
           limits_.of_class, [this] { clock_.check(); }, out.work)) {
    if (out.work > limits_.of_class.max_work) break;
    if (first_level(other, level, out.work) == kNone) left.push_back(std::move(other));
  }
  if (out.work <= limits_.of_class.max_work) out.tables = own.supporting(std::move(left));
  return out;
}

}  // namespace sdclattice
