// Bridge of the server's self-consistent announcements.
#include "bridge.h"
#include "server/announce.hpp"

using namespace sdclattice;

namespace {

Envelope as_named_envelope(const LevelSteps& steps, SEXP sets) {
  Envelope out;
  for (const SubTable set : maximal_masks(as_sub_tables(sets)))
    if (steps.n_variables_in(set) > 1) out.sets.push_back(set);
  out.n_sub_tables = out.sets.size();
  return out;
}

// Those given, or all.
std::vector<Envelope> as_envelopes(SEXP envelopes, const LevelSteps& steps,
                                   std::size_t max_dimension) {
  if (Rf_isNull(envelopes)) return all_envelopes(steps, max_dimension);
  std::vector<Envelope> out;
  const Rcpp::List given(envelopes);
  for (R_xlen_t e = 0; e < given.size(); ++e) {
    out.push_back(as_named_envelope(steps, given[e]));
    if (out.back().sets.empty()) out.pop_back();
  }
  return out;
}

}  // namespace

// `tables`: one in each column; `levels`: of each variable; at risk are cells with the `counts`, or
// else the `cells` (from 1). `envelopes`: lists of sets, or NULL for all with sets of up to
// `max_dimension` variables. NULL when the time was over; else the envelope and the block of each
// table, from 1, where 0 stands for nothing more; whether it is hopeless; and the maximal sets of
// each envelope.
// [[Rcpp::export]]
SEXP cpp_announce(const Rcpp::NumericMatrix& tables, const Rcpp::IntegerVector& dim,
                  const std::vector<std::size_t>& levels, const std::vector<double>& counts,
                  const Rcpp::IntegerVector& cells, double width, SEXP envelopes, int max_dimension,
                  int steps, double seconds, int threads, SEXP progress) {
  AnnounceProblem problem;
  problem.tables = {tables.begin(), static_cast<std::size_t>(tables.nrow()),
                    static_cast<std::size_t>(tables.ncol())};
  for (const int n : dim) problem.dim.push_back(static_cast<std::size_t>(n));
  problem.risk.counts = counts;
  for (const int c : cells) problem.risk.cells.push_back(static_cast<std::size_t>(c - 1));
  problem.risk.width = width;
  problem.envelopes =
      as_envelopes(envelopes, LevelSteps(levels), static_cast<std::size_t>(max_dimension));
  const Tick tick = make_tick(progress);
  WorkClock clock(seconds, tick);
  WorkerPool pool(static_cast<std::size_t>(threads));
  Announcement found;
  try {
    found = announce(problem, static_cast<std::size_t>(steps), pool, clock);
  } catch (const WorkTimeUp&) {
    return R_NilValue;
  }
  const auto n = static_cast<R_xlen_t>(found.block.size());
  Rcpp::IntegerVector envelope(n), block(n);
  Rcpp::LogicalVector hopeless(n);
  for (R_xlen_t t = 0; t < n; ++t) {
    const auto at = static_cast<std::size_t>(t);
    // kNothingMore + 1 is 0
    envelope[t] = static_cast<int>(found.envelope[at] + 1);
    block[t] = static_cast<int>(found.block[at] + 1);
    hopeless[t] = found.hopeless[at] != 0;
  }
  Rcpp::List sets;
  for (const Envelope& one : problem.envelopes) sets.push_back(from_sub_tables(one.sets));
  return Rcpp::List::create(Rcpp::_["envelope"] = envelope, Rcpp::_["block"] = block,
                            Rcpp::_["hopeless"] = hopeless, Rcpp::_["sets"] = sets);
}
