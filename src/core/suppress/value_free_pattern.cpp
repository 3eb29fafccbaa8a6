#include "suppress/value_free_pattern.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/move_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kProgrammes = 5000;  // cells, for certificates by linear programmes

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
        clock_(limits.seconds, tick),
        levels_(cells, problem, status, limits.blind, clock_) {
    same_.system.lower = status.lower;
    same_.system.upper = status.upper;
  }

  ValueFreePattern run() {
    if (may_have_levels()) choose_level();
    if (level_ != BlindLevels::kNone) {
      take_class(levels_.level(level_));
    } else {
      note_prices();
      const BlindLevel& usual = levels_.usual();
      out_.choice_stopped = out_.choice_stopped || usual.stopped;
      certify_anyhow(usual.hidden);
    }
    out_.pattern.cost = cost_of_hidden(problem_, out_.pattern.hidden);
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
           problem_.n_cells() <= BlindLevels::kMostCells;
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

  void note_prices() {
    if (!has_levels_ || levels_.dear() == nullptr) return;
    out_.dear_cost = levels_.dear()->cost;
    out_.usual_cost = levels_.usual().cost;
  }

  void take_class(const BlindLevel& level) {
    out_.level = 1 + static_cast<std::size_t>(level.ask);
    for (const WholeTable& table : levels_.tables(problem_.value, level_))
      if (table != problem_.value) out_.keeping.push_back(difference(problem_.value, table));
    out_.pattern.hidden = level.hidden;
    out_.pattern.certificates = out_.keeping;
    out_.pattern.lacking = open_demands(problem_, out_.keeping);
  }

  // Certificates from the table as it is. A choice that the clock cut short is no answer to readers
  // who know the method.
  void certify_anyhow(const std::vector<char>& hidden) {
    out_.pattern.hidden = hidden;
    if (limits_.only_levels) return;
    out_.pattern = certify(cells_, problem_, hidden, half(), limits_.blind.seed, tick_);
    if (out_.choice_stopped) return;
    out_.keeping = certify(cells_, same_, hidden, half(), limits_.blind.seed, tick_).certificates;
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
                                return levels_.first_level(other) != BlindLevels::kNone;
                              }),
               made.end());
  }

  void give_up() {
    out_.keeping.clear();
    out_.choice_stopped = true;
  }

  double half() const { return .5 * clock_.seconds_left(); }

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  SuppressionProblem same_;  // within limits that keep the status
  const ValueFreeLimits& limits_;
  const Tick& tick_;
  WorkClock clock_;
  BlindLevels levels_;
  std::size_t level_ = BlindLevels::kNone;
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
