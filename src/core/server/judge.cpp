#include "server/judge.hpp"

#include <algorithm>
#include <limits>

#include "base/deadline.hpp"
#include "base/work_clock.hpp"
#include "bounds/part_shuttle.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

RiskVerdict found(Verdict verdict, Ground ground) {
  RiskVerdict out;
  out.verdict = verdict;
  out.ground = ground;
  return out;
}

Ground why(const Deadline& deadline) {
  return deadline.is_time_of_work() ? Ground::time : Ground::busy;
}

RiskVerdict by_width(const ReleaseWidth& width, std::int64_t least, const Deadline& deadline) {
  RiskVerdict out;
  out.measured = true;
  out.width_least = width.inner;
  out.width_most = width.outer;
  if (width.inner >= least) {
    out.verdict = Verdict::certified;
    out.ground = width.n_open == 0        ? Ground::closed_form
                 : width.n_programmes > 0 ? Ground::whole_numbers
                                          : Ground::covers_and_moves;
  } else if (width.outer < least) {
    out.verdict = Verdict::refuted;
    out.ground = Ground::whole_bounds;
  } else {
    out.ground = width.stopped ? why(deadline) : Ground::no_certificate;
  }
  return out;
}

RiskVerdict by_own_cells(const RiskCells& risk, SubTable set, std::int64_t least) {
  const std::vector<std::int64_t> counts = risk.margin(set);
  const bool safe =
      std::all_of(counts.begin(), counts.end(), [least](std::int64_t n) { return n >= least; });
  return found(safe ? Verdict::certified : Verdict::refuted, Ground::own_cells);
}

// Candidates of which more can be known with `added`. In large tables that is known from tables
// with one variable more, so that all but one variable must be in `added`.
std::vector<SubTable> touched(const QuerySpace& space, SubTable added, bool small) {
  std::vector<SubTable> out;
  for (SubTable set : space.candidates()) {
    const std::size_t apart = set_size(set & ~added);
    if ((small ? apart > 0 : apart == 1) && !space.holds_refused(set)) out.push_back(set);
  }
  return out;
}

// Looks at candidates as long as there is time.
class ClosingSearch {
 public:
  ClosingSearch(const RiskCells& risk, const JudgeLimits& limits, double seconds, const Tick& tick)
      : risk_(risk), limits_(limits), worked_(work_seconds() + seconds), tick_(tick) {}

  bool is_refuted(SubTable set, const std::vector<SubTable>& released) const {
    JudgeLimits limits = limits_;
    limits.width.seconds = std::min(limits_.width.seconds, work_left());
    const RiskVerdict found = judge_addition(risk_, released, set, limits, limits_.small, tick_);
    return found.verdict == Verdict::refuted;
  }
  bool is_over() const { return work_left() == 0 || limits_.is_passed(); }

 private:
  double work_left() const { return std::max(0.0, worked_ - work_seconds()); }

  const RiskCells& risk_;
  const JudgeLimits& limits_;
  double worked_;
  const Tick& tick_;
};

// As far as time allows to see. Without time it counts as if.
bool closes_too_much(const RiskCells& risk, const JudgePolicy& policy, const JudgeLimits& limits,
                     const QuerySpace& space, SubTable set, const Tick& tick) {
  const NewlyClosed closed =
      newly_closed(risk, space, set, limits, policy.max_closed + 1, policy.guarded_seconds, tick);
  return closed.stopped || closed.sets.size() > policy.max_closed;
}

template <class ClosesTooMuch>
JudgeReason reason_of(Verdict verdict, const JudgePolicy& policy, ClosesTooMuch closes_too_much) {
  if (verdict == Verdict::refuted) return JudgeReason::refuted;
  if (verdict == Verdict::undecided && !policy.releases_undecided) return JudgeReason::undecided;
  if (policy.guarded && closes_too_much()) return JudgeReason::guarded;
  return JudgeReason::safe;
}

Judgement told(Answer answer, JudgeReason reason) {
  Judgement out;
  out.answer = answer;
  out.reason = reason;
  return out;
}

}  // namespace

RiskVerdict judge_addition(const RiskCells& risk, const std::vector<SubTable>& released,
                           SubTable added, const JudgeLimits& limits, bool certify,
                           const Tick& tick) {
  const Deadline deadline(limits.width.seconds, limits.is_passed);
  WorkClock clock(limits.width.seconds, tick);
  try {
    poll();
    if (is_refuted(risk, released, added, limits.least, RefutationLimits(), clock))
      return found(Verdict::refuted, Ground::margins);
    if (!certify) return found(Verdict::undecided, Ground::not_refuted);
    std::vector<SubTable> sets = released;
    sets.push_back(added);
    WidthLimits width = limits.width;
    width.target = limits.least;
    width.seconds = clock.seconds_left();
    return by_width(release_width(risk, sets, width, tick), limits.least, deadline);
  } catch (const WorkTimeUp&) {
    return found(Verdict::undecided, why(deadline));
  }
}

NewlyClosed newly_closed(const RiskCells& risk, const QuerySpace& space, SubTable added,
                         const JudgeLimits& limits, std::size_t most, double seconds,
                         const Tick& tick) {
  NewlyClosed out;
  if (limits.rule == RiskRule::least_count) return out;
  const ClosingSearch search(risk, limits, seconds, tick);
  std::vector<SubTable> after = space.state().released;
  after.push_back(added);
  after = maximal_sub_tables(after);
  for (SubTable set : touched(space, added, limits.small)) {
    if (out.sets.size() >= most) break;
    const bool closed =
        search.is_refuted(set, after) && !search.is_refuted(set, space.state().released);
    // the last answer may have been for want of time
    out.stopped = search.is_over();
    if (out.stopped) break;
    if (closed) out.sets.push_back(set);
  }
  return out;
}

RiskVerdict judge_risk(const RiskTable& table, const JudgePolicy& policy, const JudgeLimits& limits,
                       const QuerySpace& space, const JudgePlan& plan, SubTable set,
                       const Tick& tick) {
  if (limits.rule == RiskRule::least_count) return by_own_cells(table.cells(), set, limits.least);
  if (plan.in_force && is_inside_any(set, plan.sets))
    return found(Verdict::certified, Ground::plan);
  // what is released undecided ends the use of the plan anyway: there others are looked at closely
  const bool certify = !plan.in_force || policy.releases_undecided;
  return judge_addition(table.cells(), space.state().released, set, limits, certify, tick);
}

Judgement judge(const RiskTable& table, const JudgePolicy& policy, const JudgeLimits& limits,
                const QuerySpace& space, const JudgePlan& plan, const JudgeRequest& request,
                const Tick& tick) {
  const SubTable set = request.set;
  if (space.is_released(set)) return told(Answer::already, JudgeReason::anybody);
  if (space.closed(set) != Closed::no) return told(Answer::structural, JudgeReason::anybody);
  if (policy.collects_votes) return told(Answer::deferred, JudgeReason::anybody);
  if (request.n_refused >= policy.max_refused) return told(Answer::structural, JudgeReason::spent);
  if (space.holds_refused(set)) return told(Answer::refused, JudgeReason::implied);
  Judgement out;
  out.judged = true;
  out.risk = judge_risk(table, policy, limits, space, plan, set, tick);
  out.reason = reason_of(out.risk.verdict, policy, [&] {
    return closes_too_much(table.cells(), policy, limits, space, set, tick);
  });
  out.answer = out.reason == JudgeReason::safe ? Answer::released : Answer::refused;
  return out;
}

}  // namespace sdclattice
