#include "suppress/value_free_pattern.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/move_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kAnyCount = std::int64_t{1} << 40;
constexpr std::size_t kProgrammes = 5000;     // cells, for certificates by linear programmes
constexpr std::size_t kCellsOfOrders = 2000;  // orders of a search times cells
// Of tables with more the class has no room for an answer within seconds, or none suffices.
constexpr std::size_t kCellsOfLevels = 300;

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

// Of each primary cell: all others may be such that cannot change.
void add_all_others(const std::vector<Demand>& demands,
                    std::vector<std::vector<std::uint32_t>>& knowers) {
  for (const Demand& demand : demands) {
    knowers.emplace_back();
    for (const Demand& other : demands)
      if (other.cell != demand.cell) knowers.back().push_back(other.cell);
  }
}

// The levels that are tried, and what is taken where none suffices.
constexpr std::size_t kLevels = 2;
constexpr BlindAsk kAsks[kLevels + 1] = {BlindAsk::readers, BlindAsk::apart, BlindAsk::alone};

// The first level that suffices, for this table and for all that it leads to.
class LevelSearch {
 public:
  LevelSearch(const StoredCells& cells, const SuppressionProblem& problem,
              const StatusLimits& status, const ValueFreeLimits& limits, const Tick& tick,
              double end)
      : cells_(cells),
        problem_(problem),
        status_(status),
        limits_(limits),
        tick_(tick),
        clock_(end - work_seconds(), tick) {}

  // kLevels where no level below `below` suffices. WorkTimeUp when the time is over.
  std::size_t first_level(const WholeTable& table, std::size_t below = kLevels) {
    for (std::size_t level = 0; level < below; ++level) {
      const std::vector<WholeTable>& others = tables(table, level);
      if (!others.empty() && class_of(table, level).serves(others, table)) return level;
    }
    return kLevels;
  }
  const std::vector<char>& hidden(std::size_t level) {
    std::vector<char>& out = hidden_[level];
    if (!out.empty()) return out;
    MovePatternLimits choice;
    choice.seconds = clock_.seconds_left();
    choice.seed = limits_.seed;
    choice.idle_sweeps = limits_.idle_sweeps;
    if (level < kLevels) choice.orders = 1 + kCellsOfOrders / (problem_.n_cells() + 1);
    const SuppressionPattern blind =
        move_pattern(cells_, blind_problem(cells_, problem_, kAsks[level]), {}, choice, tick_);
    stopped_ = stopped_ || blind.stopped;
    return out = blind.hidden;
  }
  // That support each other, and for which no level below suffices.
  const std::vector<WholeTable>& tables(const WholeTable& table, std::size_t level) {
    WholeTable seen = table;
    const std::vector<char>& hides = hidden(level);
    if (stopped_) throw WorkTimeUp();
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (hides[i] || problem_.role[i] == CellRole::unseen) seen[i] = 0;
    const auto at = found_[level].find(seen);
    if (at != found_[level].end()) return at->second;
    return found_[level][seen] = find_tables(table, level);
  }
  bool stopped() const { return stopped_; }

 private:
  StatusClass class_of(const WholeTable& table, std::size_t level) {
    return StatusClass(cells_, problem_, status_, hidden(level), table, limits_.people);
  }

  std::vector<WholeTable> find_tables(const WholeTable& table, std::size_t level) {
    const StatusClass own = class_of(table, level);
    std::vector<WholeTable> left;
    for (WholeTable& other : own.find_tables(limits_.of_class, [this] { clock_.check(); }))
      if (first_level(other, level) == kLevels) left.push_back(std::move(other));
    return own.supporting(std::move(left));
  }

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  const StatusLimits& status_;
  const ValueFreeLimits& limits_;
  const Tick& tick_;
  WorkClock clock_;
  bool stopped_ = false;  // a choice, by the time
  std::array<std::vector<char>, kLevels + 1> hidden_;
  // Of each level, by what is published.
  std::array<std::map<WholeTable, std::vector<WholeTable>>, kLevels> found_;
};

Certificate difference(const WholeTable& from, const WholeTable& to) {
  Certificate out;
  for (std::uint32_t cell = 0; cell < from.size(); ++cell) {
    if (from[cell] == to[cell]) continue;
    out.cell.push_back(cell);
    out.change.push_back(to[cell] - from[cell]);
  }
  return out;
}

WholeTable after(const WholeTable& table, const Certificate& change) {
  WholeTable out = table;
  for (std::size_t i = 0; i < change.cell.size(); ++i) out[change.cell[i]] += change.change[i];
  return out;
}

}  // namespace

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
  if (ask == BlindAsk::apart) add_all_others(out.demands, out.knowers);
  return out;
}

namespace {

// All that is done for one table.
class ValueFreeSearch {
 public:
  ValueFreeSearch(const StoredCells& cells, const SuppressionProblem& problem,
                  const StatusLimits& status, const ValueFreeLimits& limits, const Tick& tick)
      : cells_(cells),
        problem_(problem),
        same_(problem),
        limits_(limits),
        tick_(tick),
        end_(work_seconds() + limits.seconds),
        levels_(cells, problem, status, limits, tick, end_) {
    same_.system.lower = status.lower;
    same_.system.upper = status.upper;
  }

  ValueFreePattern run() {
    if (may_have_levels()) choose_level();
    const std::vector<char>& hidden = levels_.hidden(level_);
    out_.choice_stopped = out_.choice_stopped || levels_.stopped();
    if (level_ < kLevels && !out_.choice_stopped) {
      out_.level = level_ + 1;
      take_class(hidden);
    } else {
      certify_anyhow(hidden);
    }
    out_.pattern.cost = cost_of(problem_, hidden);
    out_.pattern.bound = 0;
    out_.pattern.optimal = false;
    out_.pattern.stopped = out_.pattern.stopped || out_.choice_stopped;
    out_.uncovered = open_demands(problem_, out_.keeping);
    return std::move(out_);
  }

 private:
  // By what tables of one status share.
  bool may_have_levels() const {
    return limits_.has_levels && problem_.system.n_rows() > 0 &&
           problem_.n_cells() <= kCellsOfLevels;
  }
  void choose_level() {
    try {
      level_ = levels_.first_level(problem_.value);
      has_levels_ = true;
    } catch (const WorkTimeUp&) {
      out_.choice_stopped = true;
    } catch (const WorkInterrupted&) {
      out_.choice_stopped = true;
    } catch (const TooLargeError&) {
      // of the exact tableau: its size follows from which cells are stored
    }
  }

  void take_class(const std::vector<char>& hidden) {
    for (const WholeTable& table : levels_.tables(problem_.value, level_))
      if (table != problem_.value) out_.keeping.push_back(difference(problem_.value, table));
    out_.pattern.hidden = hidden;
    out_.pattern.certificates = out_.keeping;
    out_.pattern.lacking = open_demands(problem_, out_.keeping);
  }

  // Certificates from the table as it is. A choice that the clock cut short is no answer to readers
  // who know the method.
  void certify_anyhow(const std::vector<char>& hidden) {
    out_.pattern = certify(cells_, problem_, hidden, half(), limits_.seed, tick_);
    if (out_.choice_stopped) return;
    out_.keeping = certify(cells_, same_, hidden, half(), limits_.seed, tick_).certificates;
    if (!has_levels_) return;
    try {
      drop_others(hidden, out_.keeping);
      drop_others(hidden, out_.pattern.certificates);
      out_.pattern.lacking = open_demands(problem_, out_.pattern.certificates);
    } catch (const WorkTimeUp&) {
      give_up();
    } catch (const WorkInterrupted&) {
      give_up();
    }
  }

  // Of certificates that keep the status those stay whose tables come to the same answer.
  void drop_others(const std::vector<char>& hidden, std::vector<Certificate>& made) {
    made.erase(std::remove_if(made.begin(), made.end(),
                              [&](const Certificate& one) {
                                if (!certifies(same_, hidden, one)) return false;
                                const WholeTable other = after(problem_.value, one);
                                return levels_.first_level(other) < kLevels;
                              }),
               made.end());
  }

  void give_up() {
    out_.keeping.clear();
    out_.choice_stopped = true;
  }

  double half() const { return .5 * std::max(0.0, end_ - work_seconds()); }

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  SuppressionProblem same_;  // within limits that keep the status
  const ValueFreeLimits& limits_;
  const Tick& tick_;
  double end_;
  LevelSearch levels_;
  std::size_t level_ = kLevels;
  bool has_levels_ = false;
  ValueFreePattern out_;
};

}  // namespace

ValueFreePattern value_free_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                    const StatusLimits& status, const ValueFreeLimits& limits,
                                    const Tick& tick) {
  return ValueFreeSearch(cells, problem, status, limits, tick).run();
}

}  // namespace sdclattice
