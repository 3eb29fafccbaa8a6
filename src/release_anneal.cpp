// Bridge of critical widths and of annealing over decomposable releases.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "bridge.h"
#include "release/admissible.hpp"
#include "release/admissible_cover.hpp"
#include "release/admissible_levels.hpp"
#include "release/anneal.hpp"
#include "release/critical_widths.hpp"
#include "release/decomposable_limit.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;

namespace {

// What all chains of a search share.
struct Annealer {
  HeldProblem problem;
  AdditiveUtility utility;
  std::vector<SubTable> forced;
  LevelSteps steps;
  std::unique_ptr<ReleaseJudge> judge;
  double n_admissible = NA_REAL, limit = R_PosInf;
  std::vector<SubTable> admissible, cover;  // all of them, or sets that cover them

  Annealer(const Rcpp::List& given, const Rcpp::List& parts,
           const std::vector<SubTable>& forced_sets, const JudgeRules& rules)
      : problem(given),
        utility(as_additive_utility(parts)),
        forced(forced_sets),
        steps(Rcpp::as<std::vector<std::size_t>>(parts["levels"])),
        judge(make_release_judge(problem.cells, rules)) {}
};

// A tick that gives up when time is over.
Tick make_timed_tick(double seconds) {
  const double end = work_seconds() + seconds;
  return [end](double) {
    Rcpp::checkUserInterrupt();
    if (work_seconds() > end) throw TooLargeError("The time limit was reached.");
  };
}

constexpr double kCoverLooks = 2e9, kLevelLooks = 1e9;  // some seconds each

// The limit from sets that cover what may be in a release.
void learn_cover(Annealer& annealer, const JudgeRules& rules, const Tick& tick) {
  if (!annealer.steps.are_variables()) return;  // covers tell nothing of closed sets
  try {
    const RiskCells& cells = annealer.problem.cells;
    annealer.cover = cover_admissible(cells, rules.beta, rules.forbidden, kCoverLooks, tick).sets;
    annealer.limit = covered_limit(cells.n_variables(), annealer.cover, annealer.utility);
  } catch (const TooLargeError&) {  // no time is left
  }
}

AdmissibleLevels count_listed(const std::vector<SubTable>& sets, const LevelSteps& steps) {
  AdmissibleLevels out;
  out.least.assign(steps.n_variables(), 0);
  for (SubTable set : sets) ++out.least[steps.n_variables_in(set) - 1];
  out.most = out.least;
  return out;
}

// Lists what may be in a release, when there is not too much of it, and what follows from that.
void learn_admissible(Annealer& annealer, const JudgeRules& rules, std::size_t most,
                      const Tick& tick) {
  std::vector<SubTable> found;
  try {
    found = admissible_sets(annealer.problem.cells, rules.beta, most, tick, rules.forbidden);
  } catch (const TooLargeError&) {
    learn_cover(annealer, rules, tick);
    return;
  }
  const auto is_open = [&](SubTable set) { return !annealer.steps.is_closed(set); };
  found.erase(std::remove_if(found.begin(), found.end(), is_open), found.end());
  annealer.judge->know(found);
  annealer.n_admissible = static_cast<double>(found.size());
  annealer.limit = decomposable_limit(annealer.steps, found, annealer.utility, annealer.forced);
  annealer.admissible = std::move(found);
}

// The least double that is not below a count.
double rounded_up(std::uint64_t count) {
  const auto near = static_cast<double>(count);
  if (near >= 0x1p64 || static_cast<std::uint64_t>(near) >= count) return near;
  return std::nextafter(near, R_PosInf);
}

// What exceeds or meets `limit` as far as sums of doubles can tell.
double reached_at(double limit, bool whole) {
  return whole && limit <= static_cast<double>(kMaxCount) ? limit
                                                          : limit - 1e-12 * std::fabs(limit);
}

Rcpp::List anneal_list(const AnnealFound& found, bool interrupted) {
  Rcpp::NumericVector proposal, value, time;
  for (const AnnealStep& step : found.log) {
    proposal.push_back(static_cast<double>(step.proposal));
    value.push_back(step.value);
    time.push_back(step.seconds);
  }
  return Rcpp::List::create(
      Rcpp::_["sets"] = from_sub_tables(found.best.cliques), Rcpp::_["value"] = found.value,
      Rcpp::_["log"] = Rcpp::DataFrame::create(Rcpp::_["proposal"] = proposal,
                                               Rcpp::_["value"] = value, Rcpp::_["time_s"] = time),
      Rcpp::_["proposals"] = static_cast<double>(found.n_proposals),
      Rcpp::_["judged"] = static_cast<double>(found.n_judged),
      Rcpp::_["accepted"] = static_cast<double>(found.n_accepted),
      Rcpp::_["time_s"] = found.seconds, Rcpp::_["enough"] = found.enough,
      Rcpp::_["out_of_time"] = found.out_of_time, Rcpp::_["interrupted"] = interrupted);
}

// `progress` is NULL or an R function of the share done that returns TRUE to end the work.
Tick make_ending_tick(SEXP progress) {
  if (Rf_isNull(progress)) return make_tick(progress);
  Rcpp::Function show(progress);
  return [show](double done) {
    Rcpp::checkUserInterrupt();
    if (Rcpp::as<bool>(show(done))) throw Rcpp::internal::InterruptedException();
  };
}

}  // namespace

// The widths of most parsimonious releases. An interrupt leaves those that are known, once all
// one-way tables are among them.
// [[Rcpp::export]]
Rcpp::List cpp_critical_widths(const Rcpp::List& problem, const std::vector<std::size_t>& levels,
                               double max_dimension, double seconds, const Rcpp::List& part,
                               SEXP progress) {
  CriticalWidths found;
  bool interrupted = false;
  try {
    const CriticalLimits limits{as_size(max_dimension), seconds,
                                Rcpp::as<std::size_t>(part["split"]),
                                static_cast<SubTable>(Rcpp::as<double>(part["left"])), levels};
    critical_widths(HeldProblem(problem).cells, limits, found, make_ending_tick(progress));
  } catch (const Rcpp::internal::InterruptedException&) {
    if (found.complete == 0) throw;
    interrupted = true;
  }
  return Rcpp::List::create(
      Rcpp::_["mask"] = Rcpp::NumericVector(found.set.begin(), found.set.end()),
      Rcpp::_["width"] = Rcpp::NumericVector(found.width.begin(), found.width.end()),
      Rcpp::_["complete"] = static_cast<double>(found.complete), Rcpp::_["late"] = found.late,
      Rcpp::_["interrupted"] = interrupted);
}

// [[Rcpp::export]]
double cpp_critical_steps(const std::vector<std::size_t>& levels, double dimension) {
  return critical_steps(LevelSteps(levels), static_cast<std::size_t>(dimension));
}

// The cliques of a chordal graph that joins the variables of each set, and few others.
// [[Rcpp::export]]
Rcpp::List cpp_triangulate(int n, const Rcpp::List& sets) {
  const DecomposableGraph graph(static_cast<std::size_t>(n), as_sub_tables(sets));
  return from_sub_tables(graph.triangulated().clique_tree().cliques);
}

// The width of the decomposable release with these cliques; NA when it is not decomposable.
// [[Rcpp::export]]
double cpp_decomposable_width(const Rcpp::List& problem, const Rcpp::List& cliques) {
  const HeldProblem held(problem);
  const DecomposableGraph graph(held.cells.n_variables(), as_sub_tables(cliques));
  if (!graph.chordal()) return NA_REAL;
  return static_cast<double>(decomposable_bounds(held.cells, graph.clique_tree()).width());
}

// `most`, `seconds`: so many admissible sub-tables are listed, in that time; else there is no
// limit.
// [[Rcpp::export]]
SEXP cpp_make_annealer(const Rcpp::List& problem, const Rcpp::List& parts, const Rcpp::List& forced,
                       const Rcpp::List& forbidden, double max_bytes, double most, double seconds) {
  const JudgeRules rules{as_beta(problem), as_sub_tables(forbidden), as_size(max_bytes)};
  Rcpp::XPtr<Annealer> out(new Annealer(problem, parts, as_sub_tables(forced), rules));
  learn_admissible(*out, rules, as_size(most), make_timed_tick(seconds));
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_annealer_facts(SEXP annealer) {
  const Rcpp::XPtr<Annealer> given(annealer);
  return Rcpp::List::create(Rcpp::_["n_admissible"] = given->n_admissible,
                            Rcpp::_["limit"] = std::isinf(given->limit) ? NA_REAL : given->limit);
}

// How many sub-tables of each dimension may be released: `least` and `most`, which are equal where
// they were counted; NULL when the time is over before that.
// [[Rcpp::export]]
SEXP cpp_annealer_levels(SEXP annealer, const Rcpp::List& problem, const Rcpp::List& forbidden,
                         double seconds) {
  const Rcpp::XPtr<Annealer> given(annealer);
  const RiskCells& cells = given->problem.cells;
  AdmissibleLevels found;
  if (!ISNA(given->n_admissible)) {
    found = count_listed(given->admissible, given->steps);
  } else if (!given->steps.are_variables()) {
    return R_NilValue;
  } else {
    try {
      found = count_admissible(cells, as_beta(problem), as_sub_tables(forbidden), given->cover,
                               kLevelLooks, make_timed_tick(seconds));
    } catch (const TooLargeError&) {
      return R_NilValue;
    }
  }
  Rcpp::NumericVector least(found.least.begin(), found.least.end());
  Rcpp::NumericVector most(found.most.size());
  std::transform(found.most.begin(), found.most.end(), most.begin(), rounded_up);
  return Rcpp::List::create(Rcpp::_["least"] = least, Rcpp::_["most"] = most);
}

// An interrupt ends the chain; what it has found so far is returned.
// [[Rcpp::export]]
Rcpp::List cpp_anneal(SEXP annealer, const Rcpp::List& start, const Rcpp::List& plan,
                      SEXP progress) {
  const Rcpp::XPtr<Annealer> given(annealer);
  AnnealPlan todo;
  todo.seed = chain_seed(
      static_cast<std::uint64_t>(static_cast<std::int64_t>(Rcpp::as<double>(plan["seed"]))),
      static_cast<std::uint64_t>(Rcpp::as<double>(plan["chain"])));
  todo.proposals = as_size(Rcpp::as<double>(plan["proposals"]));
  todo.hot = Rcpp::as<double>(plan["hot"]);
  todo.cold = Rcpp::as<double>(plan["cold"]);
  todo.seconds = Rcpp::as<double>(plan["seconds"]);
  for (std::size_t v = 0; v < given->steps.n_variables(); ++v)
    todo.levels.push_back(given->steps.n_levels(v));
  todo.enough = reached_at(given->limit, given->utility.whole());
  const DecomposableGraph graph(given->problem.cells.n_variables(), as_sub_tables(start));
  AnnealFound found;
  bool interrupted = false;
  try {
    anneal(*given->judge, given->utility, graph, given->forced, todo, found,
           make_ending_tick(progress));
  } catch (const Rcpp::internal::InterruptedException&) {
    interrupted = true;
  }
  return anneal_list(found, interrupted);
}
