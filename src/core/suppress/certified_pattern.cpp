#include "suppress/certified_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "suppress/capacity_bound.hpp"
#include "suppress/hitting_pattern.hpp"
#include "suppress/move_pattern.hpp"
#include "suppress/pattern_bound.hpp"
#include "suppress/programme_pattern.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kHittingCandidates = 150, kProgrammeCells = 5000;
constexpr double kHittingSeconds = 10;  // where it is not asked for by name
// For the programme of capacity cuts, before and after the other methods: for 1,000 cells.
constexpr double kFirstBound = 1, kLastBound = 10;
constexpr double kCoverSeconds = 2;  // to certify what that programme has chosen
// Of the time, where a pattern is given to start from: for the search without it.
constexpr double kShareOfOwn = .6;

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
  // `cells`: for product moves; none where these are left out.
  PatternSearch(const StoredCells* cells, const SuppressionProblem& problem,
                const PatternLimits& limits, const Tick& tick, const std::vector<char>& start)
      : cells_(cells),
        problem_(problem),
        limits_(limits),
        start_(start),
        begin_(work_seconds()),
        end_(begin_ + (start.empty() ? 1 : kShareOfOwn) * limits.seconds),
        tick_(noting(tick)) {}

  SuppressionPattern run() {
    const bool has_rows = problem_.system.n_rows() > 0;
    const bool hits = has_rows && (limits_.exact_only || n_candidates() <= kHittingCandidates);
    const bool programmes =
        has_rows && (cells_ == nullptr || problem_.n_cells() <= kProgrammeCells);
    // where the hitting set follows, the moves are its start alone
    if (cells_ != nullptr)
      move(hits ? 0.1 : programmes ? 0.3 : 0.9, hits ? 1 : MovePatternLimits().idle_sweeps);
    else
      begin(hits ? 0.3 : 0.8);
    if (programmes && goes_on()) bound_by_capacities(std::min(seconds(kFirstBound), share(0.2)));
    if (hits && goes_on())
      hit(limits_.exact_only ? share(0.9) : std::min(kHittingSeconds, share(0.5)));
    if (programmes && (hits || cells_ != nullptr) && goes_on()) programme(0.8);
    end_ = begin_ + limits_.seconds;
    if (has_rows && !start_.empty() && goes_on()) begin_anew(programmes);
    if (programmes && goes_on()) bound_by_capacities(std::min(seconds(kLastBound), share(0.9)));
    if (has_rows && !programmes && !best_.optimal && !interrupted_) bound_by_rows();
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
    best_ = move_pattern(*cells_, problem_, {}, move_limits(part, idle_sweeps), tick_);
  }

  MovePatternLimits move_limits(double part, std::size_t idle_sweeps) const {
    MovePatternLimits out;
    out.idle_sweeps = idle_sweeps;
    out.seconds = share(part);
    out.seed = limits_.seed;
    out.threads = limits_.threads;
    return out;
  }

  // By programmes: what begins is no neighbourhood of anything.
  void begin(double part) {
    ProgrammeLimits limits;
    limits.seconds = share(part);
    limits.seed = limits_.seed;
    best_ = programme_pattern(problem_, limits, tick_);
    best_.optimal = best_.cost == 0 && n_possible(best_) == 0;
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
    take(improve_pattern(problem_, best_, programme_limits(share(part)), tick_));
  }

  // From the pattern of somebody else.
  void begin_anew(bool programmes) {
    if (programmes) {
      SuppressionPattern start;
      start.hidden = start_;
      ProgrammeLimits limits = programme_limits(share(0.8));
      limits.rounds = 1;  // others begin from nothing
      take(improve_pattern(problem_, start, limits, tick_));
      return;
    }
    const SuppressionPattern within =
        pattern_within(problem_, start_, programme_limits(share(0.5)), tick_);
    if (!goes_on()) return;
    take(move_pattern(*cells_, problem_, within.certificates,
                      move_limits(0.9, MovePatternLimits().idle_sweeps), tick_));
  }

  ProgrammeLimits programme_limits(double seconds) const {
    ProgrammeLimits out;
    out.seconds = seconds;
    out.seed = limits_.seed;
    out.enough = best_.bound;
    return out;
  }

  void take(SuppressionPattern&& found) {
    bound_ = std::max(bound_, found.bound);
    const bool stopped = best_.stopped || found.stopped;
    if (found.optimal || !is_better(best_, found)) best_ = std::move(found);
    best_.stopped = stopped;
    judge(0);
  }

  // ---- bounds -----------------------------------------------------------------------------------

  // For a table of this size.
  double seconds(double of_thousand) const {
    return of_thousand * (0.1 + static_cast<double>(problem_.n_cells()) / 1000);
  }

  // What all capacity cuts ask for is mostly a pattern, and then the best one.
  void bound_by_capacities(double seconds) {
    if (!is_bounded()) cuts_.clear(), bounded_ = best_.lacking, capacity_ = 0;
    CapacityLimits limits;
    limits.seconds = seconds;
    limits.seed = limits_.seed;
    CapacityBound found = capacity_bound(problem_, best_, limits, tick_, std::move(cuts_));
    cuts_ = std::move(found.cuts);
    capacity_ = std::max(capacity_, found.cost);
    judge(0);
    if (!found.cover.empty() && goes_on()) certify_cover(std::move(found.cover));
  }

  void certify_cover(std::vector<char> cover) {
    SuppressionPattern start;
    start.hidden = std::move(cover);
    for (std::size_t i = 0; i < start.hidden.size(); ++i)
      if (problem_.role[i] == CellRole::primary) start.hidden[i] = 1;
    SuppressionPattern found = improve_pattern(
        problem_, start, programme_limits(std::min(kCoverSeconds, share(0.2))), tick_);
    found.stopped = false;  // its own time, not that of the user
    take(std::move(found));
  }

  // For tables that are too large for more.
  void bound_by_rows() {
    judge(pattern_bound(problem_, best_.lacking, std::max(1.0, share(0.5)), tick_).cost);
  }

  // Does the best pattern leave nothing open but what the capacity cuts leave out?
  bool is_bounded() const {
    return std::all_of(best_.lacking.begin(), best_.lacking.end(), [&](const OpenDemand& open) {
      return std::any_of(bounded_.begin(), bounded_.end(), [&](const OpenDemand& out) {
        return out.demand == open.demand &&
               (out.knower == open.knower || out.knower == OpenDemand::kNobody);
      });
    });
  }

  // What the hitting set found is for patterns that leave nothing open that can be met; `same`: a
  // bound for those that meet what this one meets.
  void judge(std::int64_t same) {
    const bool meets_all = n_possible(best_) == 0;
    best_.bound = std::max({same, meets_all ? bound_ : 0, is_bounded() ? capacity_ : 0});
    assert(best_.bound <= best_.cost);
    best_.optimal = meets_all && best_.bound == best_.cost;
    best_.stopped = best_.stopped && !best_.optimal;
  }

  const StoredCells* cells_;
  const SuppressionProblem& problem_;
  const PatternLimits& limits_;
  const std::vector<char>& start_;
  double begin_, end_;
  bool interrupted_ = false;
  Tick tick_;
  SuppressionPattern best_;
  std::int64_t bound_ = 0;
  std::vector<CapacityCut> cuts_;
  std::int64_t capacity_ = 0;        // the bound of these cuts
  std::vector<OpenDemand> bounded_;  // the demands that they leave out
};

}  // namespace

SuppressionPattern certified_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                     const PatternLimits& limits, const Tick& tick,
                                     const std::vector<char>& start) {
  return PatternSearch(&cells, problem, limits, tick, start).run();
}

SuppressionPattern certified_pattern(const SuppressionProblem& problem, const PatternLimits& limits,
                                     const Tick& tick, const std::vector<char>& start) {
  return PatternSearch(nullptr, problem, limits, tick, start).run();
}

}  // namespace sdclattice
