#include "suppress/move_pattern.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>

#include "base/deadline.hpp"
#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "suppress/blind_search.hpp"
#include "suppress/demand_insertion.hpp"
#include "suppress/pattern_state.hpp"
#include "suppress/region_search.hpp"
#include "suppress/region_trials.hpp"

namespace sdclattice {

namespace {

// Small tables are searched from several orders of the demands.
constexpr std::size_t kMoveOrderCells = 12000, kMaxOrders = 40;
// Of the construction of many demands: batches grow with what is done, as early ones hide what
// later ones use.
constexpr std::size_t kLeastBatch = 16, kLargestBatch = 1024, kShareOfBatch = 16, kBlindRounds = 3;
constexpr std::size_t kRegionsOfBatch = 64;  // that are searched at once

class SearchStop {
 public:
  SearchStop(double seconds, const Tick& tick)
      : tick_(tick), begin_(work_seconds()), seconds_(std::max(seconds, 1e-6)) {}

  bool is_up() {
    if (stopped_) return true;
    poll();
    const double used = work_seconds() - begin_;
    try {
      if (++calls_ % 16 == 0) report(tick_, std::min(1.0, used / seconds_));
    } catch (const WorkInterrupted&) {
      stopped_ = true;
    }
    stopped_ = stopped_ || used >= seconds_;
    return stopped_;
  }
  bool stopped() const { return stopped_; }
  // For helpers, which must not touch the tick.
  bool is_over() const { return stopped_ || work_seconds() - begin_ >= seconds_; }

 private:
  const Tick& tick_;
  double begin_, seconds_;
  std::size_t calls_ = 0;
  std::atomic<bool> stopped_{false};
};

// One order of the demands, and the search from there.
class OrderSearch {
 public:
  OrderSearch(const StoredCells& cells, const SuppressionProblem& problem, std::uint64_t seed,
              SearchStop& stop)
      : problem_(problem),
        random_(seed),
        cells_(cells),
        stop_(stop),
        state_(problem),
        insertion_(cells, problem, state_) {}

  void begin(const std::vector<Certificate>& start);
  // Large counts first: they have the fewest choices; or any order.
  void construct(bool any_order, const MovePatternLimits& limits);
  void search(const MovePatternLimits& limits);
  // Nothing is left of the state.
  SuppressionPattern take_result();

 private:
  void retry();
  void construct_batches(const std::vector<std::uint32_t>& demands, std::size_t threads);
  bool sweep(bool unrest);
  bool sweep_batches(RegionTrials& trials, bool unrest);
  void compact();

  const SuppressionProblem& problem_;
  PublicRandom random_;
  const StoredCells& cells_;
  SearchStop& stop_;
  std::function<bool()> is_up_ = [this] { return stop_.is_up(); };
  PatternState state_;
  DemandInsertion insertion_;
};

// ---- construction ------------------------------------------------------------------------------

void OrderSearch::begin(const std::vector<Certificate>& start) {
  for (const Certificate& certificate : start) {
    ScaledChange change{certificate.cell, {}, 0, 0};
    bool is_small = true;
    for (std::size_t i = 0; i < certificate.cell.size(); ++i) {
      const std::int64_t by = certificate.change[i];
      is_small = is_small && -PatternState::kMaxRange <= by && by <= PatternState::kMaxRange &&
                 problem_.role[certificate.cell[i]] != CellRole::open;
      change.by.push_back(static_cast<std::int32_t>(by));
    }
    if (!is_small) continue;
    state_.set_range(change);
    if (change.plus > 0) state_.add(std::move(change));
  }
}

void OrderSearch::construct(bool any_order, const MovePatternLimits& limits) {
  std::vector<std::uint32_t> demands(problem_.demands.size());
  std::iota(demands.begin(), demands.end(), 0u);
  random_.shuffle(demands.begin(), demands.end());
  const auto is_larger = [this](std::uint32_t a, std::uint32_t b) {
    return problem_.value[problem_.demands[a].cell] > problem_.value[problem_.demands[b].cell];
  };
  if (!any_order) std::stable_sort(demands.begin(), demands.end(), is_larger);
  if (demands.size() >= limits.many_demands) {
    construct_batches(demands, limits.threads);
  } else {
    const InsertionEffort effort;
    for (const std::uint32_t demand : demands) {
      if (stop_.is_up()) return;
      insertion_.meet_or_give_up(demand, effort, random_, is_up_);
    }
  }
  if (!stop_.is_up()) retry();
}

// Batches and rounds are the same whatever the number of threads.
void OrderSearch::construct_batches(const std::vector<std::uint32_t>& demands,
                                    std::size_t threads) {
  const InsertionEffort effort;
  BlindSearch blind(cells_, problem_, state_, insertion_, threads, random_());
  const auto between = [this] { stop_.is_up(); };
  std::vector<std::uint32_t> open, still;
  for (std::size_t done = 0; done < demands.size();) {
    const std::size_t size = std::min(kLargestBatch, std::max(kLeastBatch, done / kShareOfBatch));
    const std::size_t end = std::min(demands.size(), done + size);
    open.assign(demands.begin() + static_cast<std::ptrdiff_t>(done),
                demands.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t round = 0; round < kBlindRounds && !open.empty(); ++round) {
      const std::vector<DemandGuess>& guesses = blind.search(open, effort.move, between);
      if (stop_.is_up()) return;
      still.clear();
      for (std::size_t i = 0; i < open.size(); ++i)
        if (!insertion_.take(open[i], guesses[i]) || insertion_.gap(open[i]).is_open)
          still.push_back(open[i]);
      open.swap(still);
    }
    for (const std::uint32_t demand : open) {
      if (stop_.is_up()) return;
      insertion_.meet_or_give_up(demand, effort, random_, is_up_);
    }
    done = end;
  }
}

// What was given up before so many cells were hidden may be met now, or by longer walks.
void OrderSearch::retry() {
  InsertionEffort effort;
  effort.walk.starts = 12;
  effort.walk.steps = 30;
  for (const std::uint32_t demand : insertion_.review(true)) {
    if (stop_.is_up()) break;
    insertion_.meet_or_give_up(demand, effort, random_, is_up_);
  }
  insertion_.review(false);
}

// ---- search ------------------------------------------------------------------------------------

void OrderSearch::search(const MovePatternLimits& limits) {
  std::unique_ptr<RegionTrials> trials;
  if (problem_.demands.size() >= limits.many_demands && limits.idle_sweeps > 0 && !stop_.stopped())
    trials = std::make_unique<RegionTrials>(cells_, problem_, state_, insertion_, limits.threads);
  for (std::size_t idle = 0, n = 0; idle < limits.idle_sweeps && state_.cost() > 0; ++n) {
    const bool unrest = n % 2 == 1;
    const bool gains = trials ? sweep_batches(*trials, unrest) : sweep(unrest);
    if (stop_.stopped()) return;
    idle = gains ? 0 : idle + 1;
  }
}

bool OrderSearch::sweep(bool unrest) {
  const std::int64_t before = state_.cost();
  state_.set_prices(unrest, random_());
  std::vector<std::uint32_t> order = state_.secondary();
  random_.shuffle(order.begin(), order.end());
  for (const std::uint32_t cell : order) {
    if (stop_.is_up()) break;
    if (state_.is_hidden(cell))
      RegionSearch(problem_, state_, insertion_).improve(cell, random_, is_up_);
    compact();
  }
  return state_.cost() < before;
}

// Batches are the same whatever the number of threads.
bool OrderSearch::sweep_batches(RegionTrials& trials, bool unrest) {
  const std::int64_t before = state_.cost();
  trials.set_prices(unrest, random_());
  std::vector<std::uint32_t> order = state_.secondary(), batch;
  random_.shuffle(order.begin(), order.end());
  while (!(order.empty() && batch.empty()) && !stop_.is_up()) {
    for (; batch.size() < kRegionsOfBatch && !order.empty(); order.pop_back())
      batch.push_back(order.back());
    batch = trials.improve(
        batch, random_(), [this] { stop_.is_up(); }, [this] { return stop_.is_over(); });
    compact();
  }
  return state_.cost() < before;
}

void OrderSearch::compact() {
  if (state_.n_numbers() > 2 * state_.n_changes() + 10000) state_.compact();
}

// ---- results -----------------------------------------------------------------------------------

SuppressionPattern OrderSearch::take_result() {
  SuppressionPattern out;
  out.hidden.reserve(problem_.n_cells());
  for (std::uint32_t cell = 0; cell < problem_.n_cells(); ++cell)
    out.hidden.push_back(problem_.role[cell] != CellRole::unseen && state_.is_hidden(cell));
  for (std::uint32_t demand = 0; demand < problem_.demands.size(); ++demand) {
    const DemandGap open = state_.gap(demand);
    if (open.is_open && open.knowers.empty())
      out.lacking.push_back({demand, OpenDemand::kNobody, false});
    for (const std::uint32_t knower : open.knowers) out.lacking.push_back({demand, knower, false});
  }
  out.cost = state_.cost();
  out.optimal = out.cost == 0 && out.lacking.empty();
  out.certificates = state_.take_certificates();
  return out;
}

bool moves_better(const SuppressionPattern& a, const SuppressionPattern& b) {
  if (a.lacking.size() != b.lacking.size()) return a.lacking.size() < b.lacking.size();
  return a.cost < b.cost;
}

// A part of the best pattern so far, to build on.
std::vector<Certificate> some_of(const std::vector<Certificate>& all, PublicRandom& random) {
  const double share = 0.3 + 0.5 * random.uniform();
  std::vector<Certificate> out;
  for (const Certificate& certificate : all)
    if (random.uniform() < share) out.push_back(certificate);
  return out;
}

}  // namespace

SuppressionPattern move_pattern(const StoredCells& cells, const SuppressionProblem& problem,
                                const std::vector<Certificate>& start,
                                const MovePatternLimits& limits, const Tick& tick) {
  SearchStop stop(limits.seconds, tick);
  const std::size_t by_size =
      limits.idle_sweeps == 0 ? 1
                              : std::min(kMaxOrders, kMoveOrderCells / (problem.n_cells() + 1) + 1);
  const std::size_t n_orders = limits.orders > 0 ? limits.orders : by_size;
  PublicRandom random(limits.seed);
  SuppressionPattern best;
  for (std::size_t order = 0; order < n_orders; ++order) {
    const bool kicks = order > 0 && order % 2 == 0;
    OrderSearch search(cells, problem, random(), stop);
    search.begin(kicks ? some_of(best.certificates, random) : start);
    search.construct(order % 2 == 1, limits);
    search.search(limits);
    SuppressionPattern found = search.take_result();
    if (order == 0 || moves_better(found, best)) best = std::move(found);
    if (stop.stopped() || best.optimal) break;
  }
  best.stopped = stop.stopped();
  return best;
}

}  // namespace sdclattice
