// Bridge of the suppression of cells with certificates.
#include "base/error.hpp"
#include "bridge.h"
#include "suppress/certified_pattern.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/implied_sums.hpp"
#include "suppress/programme_pattern.hpp"
#include "suppress/tied_pattern.hpp"
#include "suppress/value_free_pattern.hpp"
#include "suppress_question.h"

using namespace sdclattice;

namespace {

// Limits within which primary cells have counts up to `most`, and all other published ones more.
StatusLimits status_limits(const SuppressionProblem& problem, std::int64_t most) {
  StatusLimits out = {problem.system.lower, problem.system.upper};
  for (std::size_t cell = 0; cell < problem.n_cells(); ++cell) {
    const CellRole role = problem.role[cell];
    // a user may call larger counts primary, too
    if (role == CellRole::primary && problem.value[cell] <= most) out.upper[cell] = most;
    if (role == CellRole::primary && problem.value[cell] > most) out.lower[cell] = most + 1;
    if (role == CellRole::candidate || role == CellRole::open) out.lower[cell] = most + 1;
  }
  return out;
}

}  // namespace

// Which cells of a table to hide. `table`: families, leaves and counts of the inner cells, the
// nodes of each crossing, `size`, how many labels each variable has, and `zeros`: are zeros
// primary, too? `rows`: the published cells, without zeros unless these are primary: `codes`, their
// nodes; `role`: 0 a candidate, 1 stays published, 2 primary, 3 a candidate that a given pattern
// hides, 4 hidden whatever it costs; and their `cost`. `ask`: width, contributors, pairs, together
// (how many people act together, of tables with rows of people), seconds, seed, exact, repair,
// threads; `starts`: does a search begin from the given pattern, too?
// [[Rcpp::export]]
Rcpp::List cpp_certified_pattern(const Rcpp::List& table, const Rcpp::List& rows,
                                 const Rcpp::List& ask, SEXP progress) {
  const PatternQuestion question(table, rows, ask);
  PatternLimits limits;
  limits.seconds = Rcpp::as<double>(ask["seconds"]);
  limits.seed = as_seed(ask);
  limits.exact_only = Rcpp::as<bool>(ask["exact"]);
  limits.threads = static_cast<std::size_t>(Rcpp::as<int>(ask["threads"]));
  const bool starts = Rcpp::as<bool>(ask["starts"]);
  if (starts && question.cells.n_cells() > kCellsWithRows)
    throw TooLargeError("A table whose search starts from a pattern may have some 500,000 cells.");
  const std::vector<char> start = starts ? question.given() : std::vector<char>();
  const Tick tick = make_keeping_tick(progress);
  const bool has_ties = question.problem.n_cells() > question.cells.n_cells();
  const SuppressionPattern found =
      has_ties ? tied_pattern(question.cells, question.problem, limits, tick, start)
               : certified_pattern(question.cells, question.problem, limits, tick, start);
  return question.answer(found, std::vector<char>(found.lacking.size(), 0));
}

// Certificates for a given pattern, with further cells where `repair` asks for them.
// [[Rcpp::export]]
Rcpp::List cpp_certify_pattern(const Rcpp::List& table, const Rcpp::List& rows,
                               const Rcpp::List& ask, SEXP progress) {
  const PatternQuestion question(table, rows, ask);
  if (question.cells.n_cells() > kCellsWithRows)
    throw TooLargeError("A table whose pattern is certified may have some 500,000 cells.");
  ProgrammeLimits limits;
  limits.seconds = Rcpp::as<double>(ask["seconds"]);
  limits.seed = as_seed(ask);
  const std::vector<char> hidden = question.given();
  const Tick tick = make_keeping_tick(progress);
  if (Rcpp::as<bool>(ask["repair"])) {
    const SuppressionPattern found = repair_pattern(question.problem, hidden, limits, tick);
    return question.answer(found, std::vector<char>(found.lacking.size(), 0));
  }
  const CertifiedPattern found = certify_pattern(question.problem, hidden, limits, tick);
  return question.answer(found.pattern, found.exposed);
}

// Cells that are chosen without a look at counts: `ask` has `most` besides, the largest count that
// is primary. `value_free`: did the choice end before the limit of time? `level`: the one that
// suffices, or 0. `only_levels`: no certificates where none does. `most_price`: of a level, as a
// share of the usual choice, or 0.
// [[Rcpp::export]]
Rcpp::List cpp_value_free_pattern(const Rcpp::List& table, const Rcpp::List& rows,
                                  const Rcpp::List& ask, SEXP progress) {
  const PatternQuestion question(table, rows, ask);
  const auto most = static_cast<std::int64_t>(Rcpp::as<double>(ask["most"]));
  ValueFreeLimits limits;
  limits.seconds = Rcpp::as<double>(ask["seconds"]);
  limits.only_levels = Rcpp::as<bool>(ask["only_levels"]);
  limits.blind.seed = as_seed(ask);
  limits.blind.people = Rcpp::as<bool>(ask["contributors"]);
  limits.blind.most_price = Rcpp::as<double>(ask["most_price"]);
  limits.blind.few = static_cast<std::int64_t>(Rcpp::as<double>(ask["few"]) / question.cost.unit);
  // where zeros are hidden people know less, and all zeros are unknowns
  limits.has_levels = !Rcpp::as<bool>(table["zeros"]);
  ValueFreePattern found =
      value_free_pattern(question.cells, question.problem, status_limits(question.problem, most),
                         limits, make_keeping_tick(progress));
  add_certificates(found.pattern.certificates, found.keeping);
  Rcpp::List out =
      question.answer(found.pattern, std::vector<char>(found.pattern.lacking.size(), 0));
  out["value_free"] = !found.choice_stopped;
  out["level"] = static_cast<double>(found.level);
  out["dear_cost"] = static_cast<double>(found.dear_cost) * question.cost.unit;
  out["usual_cost"] = static_cast<double>(found.usual_cost) * question.cost.unit;
  return out;
}

// Sums of leaves with counts from `least` to `most` that follow from published cells. `start` and
// `shown`: the published cells of each leaf, from 1. Each sum has `leaves`, `term` and `times`.
// [[Rcpp::export]]
Rcpp::List cpp_implied_sums(const Rcpp::IntegerVector& start, const Rcpp::IntegerVector& shown,
                            const Rcpp::NumericVector& count, int n_shown, double least,
                            double most, double max_steps) {
  ShownSums published;
  published.start.assign(start.begin(), start.end());
  published.shown = nodes_from_one(shown);
  published.count = Rcpp::as<std::vector<std::int64_t>>(count);
  published.n_shown = static_cast<std::uint32_t>(n_shown);
  const ImpliedSums found =
      implied_sums(published, static_cast<std::int64_t>(least), static_cast<std::int64_t>(most),
                   static_cast<std::uint64_t>(max_steps));
  Rcpp::List sums(static_cast<R_xlen_t>(found.sums.size()));
  for (std::size_t i = 0; i < found.sums.size(); ++i)
    sums[static_cast<R_xlen_t>(i)] =
        Rcpp::List::create(Rcpp::_["leaves"] = one_based(found.sums[i].leaves),
                           Rcpp::_["term"] = one_based(found.sums[i].term),
                           Rcpp::_["times"] = std::vector<double>(found.sums[i].times.begin(),
                                                                  found.sums[i].times.end()));
  return Rcpp::List::create(Rcpp::_["sums"] = sums, Rcpp::_["complete"] = found.complete);
}
