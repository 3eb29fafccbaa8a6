// The judge of the table server: what is said to a request, and why.
//
// A judgement is a function of its arguments: the table, the policy, what was decided so far, a
// plan of sub-tables that are certified together, and the sub-table that is asked for. It changes
// nothing. Only a limit of time can make two judgements of one request differ, and then one of them
// is undecided: certified and refuted are proved.
//
// In this order, the first that applies:
//   released already; not eligible, as anybody can work out; collected as a vote; so many
//   sub-tables refused for risk that nothing is judged any more; holds a refused sub-table; too
//   narrow, which is proved; undecided, unless the policy releases that; closes too many others;
//   released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/tick.hpp"
#include "release/release_width.hpp"
#include "server/query_space.hpp"
#include "table/risk_cells.hpp"

namespace sdclattice {

enum class Verdict { certified, refuted, undecided };

// By what it was found, or why it was not.
enum class Ground {
  own_cells,         // the counts of the sub-table, by the rule that looks at them alone
  plan,              // certified beforehand, together with all that is released
  closed_form,       // the release is decomposable
  covers_and_moves,  // tables that agree with the release, made from it
  whole_numbers,     // tables found by integer programming
  margins,           // bounds from the sub-table's counts, and the shuttle around it
  whole_bounds,      // bounds of all of the release
  not_refuted,       // nobody looked for a certificate
  no_certificate,    // looked for and not found
  time,              // the limit of work was reached
  busy               // the moment by which it had to be said, before that
};

struct RiskVerdict {
  Verdict verdict = Verdict::undecided;
  Ground ground = Ground::not_refuted;
  // The certificate: the width of the release with the sub-table lies between, where it was found.
  bool measured = false;
  std::int64_t width_least = 0, width_most = 0;
};

// The table with its cells at risk, made when somebody looks at it: what is planned, or can be
// worked out by anybody, needs none. `cells` must live as long.
class RiskTable {
 public:
  RiskTable(const RiskCells& cells) : cells_(&cells) {}
  explicit RiskTable(std::function<RiskCells()> make) : make_(std::move(make)) {}

  const RiskCells& cells() const {
    if (cells_ == nullptr) cells_ = &made_.emplace(make_());
    return *cells_;
  }
  bool is_made() const { return cells_ != nullptr; }

 private:
  std::function<RiskCells()> make_;
  mutable std::optional<RiskCells> made_;
  mutable const RiskCells* cells_ = nullptr;
};

// When is a release too risky?
enum class RiskRule {
  width,       // a cell at risk lies in an interval narrower than `least`
  least_count  // a stored cell of the sub-table counts fewer than `least`
};

struct JudgeLimits {
  RiskRule rule = RiskRule::width;
  std::int64_t least = 1;
  // Of one judgement: time of work, and, for all of it, whether the moment has passed by which it
  // must be said. The judge has no clock for that: whoever asks looks at one.
  WidthLimits width;
  std::function<bool()> is_passed = [] { return false; };
  bool small = true;  // bounds of all of the table are computed exactly
};

// What the policy says beside risk and eligibility.
struct JudgePolicy {
  bool collects_votes = false;
  bool releases_undecided = false;
  bool guarded = false;  // refuse what closes more than `max_closed` others
  std::size_t max_closed = 0;
  double guarded_seconds = 0;  // of work, to see what it closes
  double max_refused = 1e18;   // sub-tables refused for risk, before nothing is judged any more
};

// Sub-tables that are certified together with all that is released.
struct JudgePlan {
  bool in_force = false;
  std::vector<SubTable> sets;
};

// Is the release still safe with one more sub-table? By bounds that refute; then, when `certify`,
// by the width of the whole, as far as it is known in time.
RiskVerdict judge_addition(const RiskCells& risk, const std::vector<SubTable>& released,
                           SubTable added, const JudgeLimits& limits, bool certify,
                           const Tick& tick);

// The same by the rule in force, for what may be certain from a plan.
RiskVerdict judge_risk(const RiskTable& table, const JudgePolicy& policy, const JudgeLimits& limits,
                       const QuerySpace& space, const JudgePlan& plan, SubTable set,
                       const Tick& tick);

// The eligible sub-tables that a release would make certainly unreleasable and that are not so now:
// up to `most` of them, as far as they are found in `seconds` of work. `stopped`: for want of time.
struct NewlyClosed {
  std::vector<SubTable> sets;
  bool stopped = false;
};
NewlyClosed newly_closed(const RiskCells& risk, const QuerySpace& space, SubTable added,
                         const JudgeLimits& limits, std::size_t most, double seconds,
                         const Tick& tick);

enum class Answer { already, structural, deferred, refused, released };
// Why a sub-table is refused, or what let it out.
enum class JudgeReason { anybody, spent, implied, refuted, undecided, guarded, safe };

struct Judgement {
  Answer answer = Answer::refused;
  JudgeReason reason = JudgeReason::anybody;
  bool judged = false;  // a verdict on its risk was asked for
  RiskVerdict risk;
};

struct JudgeRequest {
  SubTable set = 0;
  double n_refused = 0;  // sub-tables refused for risk so far
};

Judgement judge(const RiskTable& table, const JudgePolicy& policy, const JudgeLimits& limits,
                const QuerySpace& space, const JudgePlan& plan, const JudgeRequest& request,
                const Tick& tick);

}  // namespace sdclattice
