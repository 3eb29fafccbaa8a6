// Bridge of the table server's judge.
#include "base/deadline.hpp"
#include "bounds/part_shuttle.hpp"
#include "bridge.h"
#include "release/release_width.hpp"

using namespace sdclattice;

// Does the release of `frontier` stay as wide as `beta` with `added`? By bounds that refute; then,
// when `certify`, by the width of the whole, as far as it is known in the time: limits$seconds that
// the process works, and `passing` seconds that pass.
// [[Rcpp::export]]
Rcpp::List cpp_judge_addition(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                              const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& at_risk,
                              const Rcpp::List& frontier, const Rcpp::IntegerVector& added,
                              double beta, bool certify, const Rcpp::List& limits, double passing,
                              SEXP progress) {
  const RiskCells risk = as_risk_cells(dim, keys, counts, at_risk);
  const Tick tick = make_tick(progress);
  const auto wanted = static_cast<std::int64_t>(beta);
  WidthLimits width = as_width_limits(limits);
  const Deadline deadline(width.seconds, passing);
  WorkClock clock(width.seconds, tick);
  std::vector<SubTable> sets = as_sub_tables(frontier);
  const SubTable more = as_sub_tables(Rcpp::List::create(added)).front();
  const auto verdict = [](const char* what, const char* how) {
    return Rcpp::List::create(Rcpp::_["verdict"] = what, Rcpp::_["how"] = how);
  };
  try {
    poll();
    if (is_refuted(risk, sets, more, wanted, RefutationLimits(), clock))
      return verdict("refuted", "margins and shuttle");
    if (!certify) return verdict("undecided", "not refuted");
    sets.push_back(more);
    width.target = wanted;
    width.seconds = clock.seconds_left();
    const ReleaseWidth found = release_width(risk, sets, width, tick);
    if (found.inner >= wanted)
      return verdict("certified", found.n_open == 0        ? "closed form"
                                  : found.n_programmes > 0 ? "whole numbers"
                                                           : "covers and moves");
    if (found.outer < wanted) return verdict("refuted", "bounds of the whole");
    return verdict("undecided", found.stopped ? deadline.why() : "no certificate");
  } catch (const WorkTimeUp&) {
    return verdict("undecided", deadline.why());
  }
}
