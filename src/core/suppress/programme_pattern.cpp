#include "suppress/programme_pattern.hpp"

#include <algorithm>
#include <functional>

#include "base/work_clock.hpp"
#include "suppress/demand_proof.hpp"
#include "suppress/vertex_pool.hpp"
#include "suppress/vertex_search.hpp"

namespace sdclattice {

namespace {

constexpr double kProgrammeShare = .9;  // of the time; the rest is for proofs
constexpr double kShareOfStart = .1;    // of the same: a start that took longer stands alone
constexpr double kShareOfRounds = .5;   // of the time of the search: then no other round
constexpr double kShareOfStarts = .2;   // of the time of the search: then no other start

// Of two pools the one that leaves less open, then the cheaper one.
bool pool_better(const VertexPool& a, const VertexPool& b) {
  const std::size_t open_a = a.n_open(), open_b = b.n_open();
  return open_a != open_b ? open_a < open_b : a.cost() < b.cost();
}

void drop_and_improve(VertexSearch& search, VertexPool& pool, const ProgrammeLimits& limits) {
  for (std::size_t n = 0; n < limits.barren && pool.cost() > limits.enough;) {
    const bool gained = search.improve(pool);
    const bool dropped = search.drop(pool);
    n = gained || dropped ? 0 : n + 1;
  }
}

// Runs the work until the time ends it; true when it did.
bool is_ended(const std::function<void()>& work) {
  try {
    work();
  } catch (const WorkTimeUp&) {
    return true;
  } catch (const WorkInterrupted&) {
    return true;
  }
  return false;
}

// The best of some starts. One that is cut short still counts when it is the first. Others follow
// where there is time for them and for what comes after.
void start_anew(VertexSearch& search, VertexPool& best, WorkClock& clock, std::size_t starts) {
  const VertexPool empty = best;
  const double left = clock.seconds_left();
  for (std::size_t k = 0; k < starts; ++k) {
    VertexPool pool = empty;
    VertexPool& own = k == 0 ? best : pool;
    search.construct(own, search.whole(), k == 0);
    search.drop(own);
    if (k > 0 && pool_better(own, best)) best = std::move(pool);
    if (left - clock.seconds_left() > kShareOfStarts * left) return;
  }
}

// More rounds of starts and neighbourhoods, from nothing, for a round ends where no small change
// helps. The best counts.
void search_anew(VertexSearch& search, VertexPool& best, const VertexPool& empty, WorkClock& clock,
                 const ProgrammeLimits& limits) {
  const double left = clock.seconds_left();
  for (std::size_t k = 1; k < limits.rounds && best.cost() > limits.enough; ++k) {
    VertexPool pool = empty;
    start_anew(search, pool, clock, limits.starts);
    drop_and_improve(search, pool, limits);
    if (pool_better(pool, best)) best = std::move(pool);
    if (left - clock.seconds_left() > kShareOfRounds * left) return;
  }
}

// The first round, and more of them while there is time.
void search_in_rounds(VertexSearch& search, VertexPool& best, WorkClock& clock,
                      const ProgrammeLimits& limits) {
  const VertexPool empty = best;
  start_anew(search, best, clock, limits.starts);
  drop_and_improve(search, best, limits);
  search_anew(search, best, empty, clock, limits);
}

SuppressionPattern finish(VertexSearch& search, VertexPool& pool, double end, bool stopped,
                          const Tick& tick) {
  pool.thin_out();
  SuppressionPattern out = pool.pattern();
  out.stopped = stopped;
  const auto known = [&](std::uint32_t d, std::uint32_t who) { return search.is_proved(d, who); };
  const std::vector<char> all(pool.problem().n_cells(), 1);
  const std::vector<char> proved =
      unattainable(pool.problem(), usable_cells(pool.problem(), all), out.lacking, known,
                   std::max(0.0, end - work_seconds()), tick);
  for (std::size_t k = 0; k < proved.size(); ++k) out.lacking[k].impossible = proved[k] != 0;
  return out;
}

// The certificates of a pattern that are some.
void add_certificates(const SuppressionPattern& start, VertexPool& pool) {
  const RowsByCell rows(pool.problem().system);
  for (const Certificate& c : start.certificates)
    if (certifies(pool.problem(), rows, start.hidden, c)) pool.add(c);
}

// One search in its time: `work`, then proofs.
template <class Work>
SuppressionPattern run(const SuppressionProblem& problem, const std::vector<char>& kept,
                       const ProgrammeLimits& limits, const Tick& tick, const Work& work) {
  const double end = work_seconds() + limits.seconds;
  WorkClock clock(kProgrammeShare * limits.seconds, tick);
  const DemandIndex index(problem);
  VertexSearch search(index, limits.seed, clock);
  VertexPool pool(index, kept);
  const bool stopped = is_ended([&] { work(search, pool, clock); });
  return finish(search, pool, end, stopped, tick);
}

}  // namespace

SuppressionPattern programme_pattern(const SuppressionProblem& problem,
                                     const ProgrammeLimits& limits, const Tick& tick) {
  return run(problem, {}, limits, tick,
             [&](VertexSearch& search, VertexPool& pool, WorkClock& clock) {
               search_in_rounds(search, pool, clock, limits);
             });
}

SuppressionPattern improve_pattern(const SuppressionProblem& problem,
                                   const SuppressionPattern& start, const ProgrammeLimits& limits,
                                   const Tick& tick) {
  return run(problem, {}, limits, tick,
             [&](VertexSearch& search, VertexPool& pool, WorkClock& clock) {
               const VertexPool empty = pool;
               add_certificates(start, pool);
               search.construct_among(pool, start.hidden);
               search.construct(pool, search.whole(), true);
               search.drop(pool);
               drop_and_improve(search, pool, limits);
               if (clock.seconds_left() > (1 - kShareOfStart) * kProgrammeShare * limits.seconds)
                 search_anew(search, pool, empty, clock, limits);
             });
}

SuppressionPattern pattern_within(const SuppressionProblem& problem,
                                  const std::vector<char>& hidden, const ProgrammeLimits& limits,
                                  const Tick& tick) {
  return run(problem, {}, limits, tick, [&](VertexSearch& search, VertexPool& pool, WorkClock&) {
    search.construct_among(pool, hidden);
  });
}

SuppressionPattern repair_pattern(const SuppressionProblem& problem,
                                  const std::vector<char>& hidden, const ProgrammeLimits& limits,
                                  const Tick& tick) {
  return run(problem, hidden, limits, tick,
             [&](VertexSearch& search, VertexPool& pool, WorkClock& clock) {
               search.construct_among(pool, hidden);
               search_in_rounds(search, pool, clock, limits);
             });
}

}  // namespace sdclattice
