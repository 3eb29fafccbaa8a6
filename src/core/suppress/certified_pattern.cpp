#include "suppress/certified_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "suppress/hitting_pattern.hpp"
#include "suppress/move_pattern.hpp"
#include "suppress/pattern_bound.hpp"
#include "suppress/programme_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kHittingCandidates = 150, kProgrammeCells = 5000;
constexpr double kHittingSeconds = 10;  // where it is not asked for by name

bool is_possible(const OpenDemand& open) {
  return !open.impossible;
}

std::size_t n_possible(const SuppressionPattern& pattern) {
  return static_cast<std::size_t>(
      std::count_if(pattern.lacking.begin(), pattern.lacking.end(), is_possible));
}

// Fewer demands left open come first, then the cost.
bool is_better(const SuppressionPattern& a, const SuppressionPattern& b) {
  if (n_possible(a) != n_possible(b)) return n_possible(a) < n_possible(b);
  return a.cost < b.cost;
}

// One method after the other on the best pattern so far, until it is proved, the time is over or
// the user interrupts.
class PatternSearch {
 public:
  PatternSearch(const StoredCells& cells, const SuppressionProblem& problem,
                const PatternLimits& limits, const Tick& tick)
      : cells_(cells),
        problem_(problem),
        limits_(limits),
        end_(work_seconds() + limits.seconds),
        tick_(noting(tick)) {}

  SuppressionPattern run() {
    const bool has_rows = problem_.system.n_rows() > 0;
    const bool hits = has_rows && (limits_.exact_only || n_candidates() <= kHittingCandidates);
    const bool programmes = has_rows && problem_.n_cells() <= kProgrammeCells;
    // where the hitting set follows, the moves are its start alone
    move(hits ? 0.1 : programmes ? 0.3 : 0.9, hits ? 1 : MovePatternLimits().idle_sweeps);
    if (hits && goes_on())
      hit(limits_.exact_only ? share(0.9) : std::min(kHittingSeconds, share(0.5)));
    if (programmes && goes_on()) programme(0.9);
    if (has_rows && !best_.optimal && !interrupted_) bound();
    return std::move(best_);
  }

 private:
  // The same tick, which also notes that the user has interrupted: the methods keep that to
  // themselves.
  Tick noting(const Tick& tick) {
    if (!tick) return tick;
    return [this, tick](double done) {
      try {
        tick(done);
      } catch (const WorkInterrupted&) {
        interrupted_ = true;
        throw;
      }
    };
  }

  std::size_t n_candidates() const {
    return static_cast<std::size_t>(
        std::count(problem_.role.begin(), problem_.role.end(), CellRole::candidate));
  }
  bool goes_on() const { return !best_.optimal && !interrupted_ && work_seconds() < end_; }
  double share(double of) const { return of * std::max(0.0, end_ - work_seconds()); }

  void move(double part, std::size_t idle_sweeps) {
    MovePatternLimits limits;
    limits.idle_sweeps = idle_sweeps;
    limits.seconds = share(part);
    limits.seed = limits_.seed;
    best_ = move_pattern(cells_, problem_, {}, limits, tick_);
  }

  void hit(double seconds) {
    HittingLimits limits;
    limits.seconds = seconds;
    limits.seed = limits_.seed;
    try {
      take(hitting_pattern(problem_, limits, tick_, best_.certificates));
    } catch (const TooLargeError&) {
      // of the exact tableau: the other methods go on
    }
  }

  void programme(double part) {
    ProgrammeLimits limits;
    limits.seconds = share(part);
    limits.seed = limits_.seed;
    take(improve_pattern(problem_, best_, limits, tick_));
  }

  void take(SuppressionPattern&& found) {
    bound_ = std::max(bound_, found.bound);
    const bool stopped = best_.stopped || found.stopped;
    if (found.optimal || !is_better(best_, found)) best_ = std::move(found);
    best_.stopped = !best_.optimal && stopped;
    judge(0);
  }

  void bound() {
    judge(pattern_bound(problem_, best_.lacking, std::max(1.0, share(0.5)), tick_).cost);
  }

  // What the hitting set found is for patterns that leave nothing open that can be met; `same`: a
  // bound for those that meet what this one meets.
  void judge(std::int64_t same) {
    const bool meets_all = n_possible(best_) == 0;
    best_.bound = std::max(same, meets_all ? bound_ : 0);
    assert(best_.bound <= best_.cost);
    best_.optimal = meets_all && best_.bound == best_.cost;
  }

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  const PatternLimits& limits_;
  double end_;
  bool interrupted_ = false;
  Tick tick_;
  SuppressionPattern best_;
  std::int64_t bound_ = 0;
};

}  // namespace

SuppressionPattern certified_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                     const PatternLimits& limits, const Tick& tick) {
  return PatternSearch(cells, problem, limits, tick).run();
}

}  // namespace sdclattice
