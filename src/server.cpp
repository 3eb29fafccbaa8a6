// Bridge of the table server: its query space, and its judge.
#include "base/work_clock.hpp"
#include "bridge.h"
#include "server/judge.hpp"
#include "server/query_space.hpp"
#include "server/set_walk.hpp"

using namespace sdclattice;

namespace {

const char* text_of(Standing standing) {
  switch (standing) {
    case Standing::released:
      return "released";
    case Standing::open:
      return "open";
    case Standing::refused:
      return "refused";
    default:
      return "closed";
  }
}

const char* text_of(Closed closed) {
  constexpr const char* kTexts[] = {"", "dimension", "envelope", "step"};
  return kTexts[static_cast<int>(closed)];
}

const char* text_of(Verdict verdict) {
  constexpr const char* kTexts[] = {"certified", "refuted", "undecided"};
  return kTexts[static_cast<int>(verdict)];
}

const char* text_of(Ground ground) {
  constexpr const char* kTexts[] = {"its own cells",
                                    "plan",
                                    "closed form",
                                    "covers and moves",
                                    "whole numbers",
                                    "margins and shuttle",
                                    "bounds of the whole",
                                    "not refuted",
                                    "no certificate",
                                    "time",
                                    "busy"};
  return kTexts[static_cast<int>(ground)];
}

const char* text_of(Answer answer) {
  constexpr const char* kTexts[] = {"already", "structural", "deferred", "refused", "released"};
  return kTexts[static_cast<int>(answer)];
}

const char* text_of(JudgeReason reason) {
  constexpr const char* kTexts[] = {"anybody",   "spent",   "implied", "refuted",
                                    "undecided", "guarded", "safe"};
  return kTexts[static_cast<int>(reason)];
}

SubTable as_sub_table(const Rcpp::IntegerVector& set) {
  return as_sub_tables(Rcpp::List::create(set)).front();
}

// `levels`: how many each variable has.
LevelSteps as_level_steps(const Rcpp::IntegerVector& levels) {
  return LevelSteps(std::vector<std::size_t>(levels.begin(), levels.end()));
}

// What server_space() gives in R.
QuerySpace as_query_space(const Rcpp::List& space) {
  SpaceRules rules;
  rules.steps = as_level_steps(space["levels"]);
  rules.stepwise = space["stepwise"];
  rules.step = Rcpp::as<bool>(space["whole"]) ? Step::frontier : Step::any;
  rules.enclosed = !Rf_isNull(space["envelope"]);
  if (rules.enclosed) rules.envelope = as_sub_tables(space["envelope"]);
  rules.max_dimension = static_cast<std::size_t>(Rcpp::as<int>(space["max_dimension"]));
  return {rules, {as_sub_tables(space["released"]), as_sub_tables(space["refused"])}};
}

// What judge_problem() gives in R.
RiskCells as_risk_problem(const Rcpp::List& problem) {
  return as_risk_cells(problem["dim"], problem["keys"], problem["counts"], problem["at_risk"]);
}

RiskTable as_risk_table(const Rcpp::List& problem) {
  return RiskTable([&problem] { return as_risk_problem(problem); });
}

// What judge_limits() gives in R.
JudgeLimits as_judge_limits(const Rcpp::List& limits) {
  JudgeLimits out;
  out.rule = Rcpp::as<bool>(limits["alone"]) ? RiskRule::least_count : RiskRule::width;
  out.least = static_cast<std::int64_t>(Rcpp::as<double>(limits["least"]));
  out.width = as_width_limits(limits);
  const double end = steady_seconds() + Rcpp::as<double>(limits["passing"]);
  out.is_passed = [end] { return steady_seconds() >= end; };
  out.small = limits["small"];
  return out;
}

JudgePolicy as_judge_policy(const Rcpp::List& policy) {
  JudgePolicy out;
  out.collects_votes = policy["votes"];
  out.releases_undecided = policy["releases_undecided"];
  out.guarded = policy["guarded"];
  out.max_closed = static_cast<std::size_t>(Rcpp::as<double>(policy["max_closed"]));
  out.guarded_seconds = policy["guarded_seconds"];
  out.max_refused = policy["max_refused"];
  return out;
}

JudgePlan as_plan(SEXP plan) {
  JudgePlan out;
  out.in_force = !Rf_isNull(plan);
  if (out.in_force) out.sets = as_sub_tables(plan);
  return out;
}

Rcpp::CharacterVector texts(const std::vector<Standing>& standings) {
  Rcpp::CharacterVector out;
  for (Standing standing : standings) out.push_back(text_of(standing));
  return out;
}

Rcpp::List from_verdict(const RiskVerdict& found) {
  return Rcpp::List::create(
      Rcpp::_["verdict"] = text_of(found.verdict), Rcpp::_["how"] = text_of(found.ground),
      Rcpp::_["width"] = found.measured
                             ? Rcpp::NumericVector::create(static_cast<double>(found.width_least),
                                                           static_cast<double>(found.width_most))
                             : Rcpp::NumericVector());
}

Rcpp::NumericVector counts_or_na(const std::vector<double>& counts, std::size_t n) {
  if (!counts.empty()) return Rcpp::wrap(counts);
  return Rcpp::NumericVector(static_cast<R_xlen_t>(n), NA_REAL);
}

}  // namespace

// ---- the query space ----------------------------------------------------------------------------

// "released", "open", "closed", and for operators "refused".
// [[Rcpp::export]]
Rcpp::CharacterVector cpp_standings(const Rcpp::List& space, const Rcpp::List& sets,
                                    bool to_operator) {
  const QuerySpace known = as_query_space(space);
  std::vector<Standing> out;
  for (SubTable set : as_sub_tables(sets)) out.push_back(known.standing(set, to_operator));
  return texts(out);
}

// Sets near one that cannot be had, at most so many: see QuerySpace::coarser_than().
// [[Rcpp::export]]
Rcpp::List cpp_coarser_sets(const Rcpp::List& space, const Rcpp::IntegerVector& set, int most) {
  const QuerySpace known = as_query_space(space);
  return from_sub_tables(known.coarser_than(as_sub_table(set), static_cast<std::size_t>(most)));
}

// How many sets with 0, 1, ... variables lie inside of some of these. `levels`: of each variable.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_count_inside(const Rcpp::IntegerVector& levels, const Rcpp::List& sets) {
  const std::vector<double> found =
      count_inside(as_level_steps(levels), as_sub_tables(sets), 0, make_tick(R_NilValue));
  return Rcpp::wrap(found);
}

// How many hold one of these.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_count_above(const Rcpp::IntegerVector& levels, const Rcpp::List& sets) {
  const std::vector<double> found =
      count_above(as_level_steps(levels), as_sub_tables(sets), 0, make_tick(R_NilValue));
  return Rcpp::wrap(found);
}

// Why a set that is not released may not be requested; "" when it may.
// [[Rcpp::export]]
std::string cpp_closed_by(const Rcpp::List& space, const Rcpp::IntegerVector& set) {
  return text_of(as_query_space(space).closed(as_sub_table(set)));
}

// `what`: the eligible sets one step away, the maximal released parts of a set, or the steps on the
// way to it.
// [[Rcpp::export]]
Rcpp::List cpp_space_sets(const Rcpp::List& space, const std::string& what,
                          const Rcpp::IntegerVector& set) {
  const QuerySpace known = as_query_space(space);
  if (what == "candidates") return from_sub_tables(known.candidates());
  if (what == "parts") return from_sub_tables(known.released_parts(as_sub_table(set)));
  return from_sub_tables(known.steps_towards(as_sub_table(set)));
}

// A letter for each set, by its place.
// [[Rcpp::export]]
Rcpp::RawVector cpp_space_layout(const Rcpp::List& space, bool to_operator) {
  const std::vector<char> out = as_query_space(space).lay_out(to_operator);
  return Rcpp::RawVector(out.begin(), out.end());
}

// Sets that hold `held` by their number of variables; `layout`: as above, or empty.
// [[Rcpp::export]]
Rcpp::List cpp_space_levels(const Rcpp::List& space, const Rcpp::RawVector& layout,
                            const Rcpp::IntegerVector& held) {
  const QuerySpace known = as_query_space(space);
  const std::vector<char> letters(layout.begin(), layout.end());
  const std::size_t n = known.n_variables();
  const LevelCounts found = letters.empty()
                                ? count_levels(known, as_sub_table(held), make_tick(R_NilValue))
                                : count_laid_out(letters, known.steps(), as_sub_table(held));
  return Rcpp::List::create(
      Rcpp::_["total"] = count_between(known.steps(), as_sub_table(held), known.all_steps()),
      Rcpp::_["released"] = found.released, Rcpp::_["open"] = counts_or_na(found.open, n + 1),
      Rcpp::_["refused"] = found.refused);
}

// Sets that hold `held`, of one number of variables and standing, in order; behind `after`, unless
// it is NULL.
// [[Rcpp::export]]
Rcpp::List cpp_walk_space(const Rcpp::List& space, const Rcpp::IntegerVector& held, int size,
                          const std::string& status, SEXP after, int limit, bool to_operator) {
  const QuerySpace known = as_query_space(space);
  SpaceQuestion asked{as_sub_table(held), static_cast<std::size_t>(size), status == "all",
                      Standing::open, to_operator};
  for (Standing standing : {Standing::released, Standing::closed, Standing::refused})
    if (status == text_of(standing)) asked.standing = standing;
  const std::vector<SubTable> bounds = walk_bounds(known, asked);
  SetWalk walk = Rf_isNull(after)
                     ? SetWalk(known.steps(), bounds, asked.held, asked.size)
                     : SetWalk(known.steps(), bounds, asked.held, asked.size, as_sub_table(after));
  const SpacePage page = walk_space(known, asked, walk, static_cast<std::size_t>(limit));
  return Rcpp::List::create(Rcpp::_["sets"] = from_sub_tables(page.sets),
                            Rcpp::_["states"] = texts(page.standings), Rcpp::_["more"] = page.more,
                            Rcpp::_["last"] = from_sub_tables({page.last})[0]);
}

// ---- the judge ----------------------------------------------------------------------------------

// What is said to a request for `set`. `plan`: sets that are certified together with all that is
// released, or NULL.
// [[Rcpp::export]]
Rcpp::List cpp_judge(const Rcpp::List& problem, const Rcpp::List& policy, const Rcpp::List& limits,
                     const Rcpp::List& space, SEXP plan, const Rcpp::IntegerVector& set,
                     double n_refused) {
  const Judgement found = judge(as_risk_table(problem), as_judge_policy(policy),
                                as_judge_limits(limits), as_query_space(space), as_plan(plan),
                                {as_sub_table(set), n_refused}, make_tick(R_NilValue));
  return Rcpp::List::create(Rcpp::_["answer"] = text_of(found.answer),
                            Rcpp::_["reason"] = text_of(found.reason),
                            Rcpp::_["risk"] = from_verdict(found.risk));
}

// The verdict on one more sub-table, whatever may be requested.
// [[Rcpp::export]]
Rcpp::List cpp_judge_risk(const Rcpp::List& problem, const Rcpp::List& policy,
                          const Rcpp::List& limits, const Rcpp::List& space, SEXP plan,
                          const Rcpp::IntegerVector& set) {
  return from_verdict(judge_risk(as_risk_table(problem), as_judge_policy(policy),
                                 as_judge_limits(limits), as_query_space(space), as_plan(plan),
                                 as_sub_table(set), make_tick(R_NilValue)));
}

// The sub-tables that the release of `set` would make unreleasable.
// [[Rcpp::export]]
Rcpp::List cpp_newly_closed(const Rcpp::List& problem, const Rcpp::List& limits,
                            const Rcpp::List& space, const Rcpp::IntegerVector& set) {
  const NewlyClosed found =
      newly_closed(as_risk_problem(problem), as_query_space(space), as_sub_table(set),
                   as_judge_limits(limits), SIZE_MAX, R_PosInf, make_tick(R_NilValue));
  return from_sub_tables(found.sets);
}
