// Widths of releases, and the best ones: greedy, over all sets of sub-tables, over chordal graphs.
#include "base/whole_values.hpp"
#include "bridge.h"
#include "release/chordal_graphs.hpp"
#include "release/chordal_search.hpp"
#include "release/greedy_release.hpp"
#include "release/release_search.hpp"
#include "release/release_width.hpp"

using namespace sdclattice;

namespace {

Rcpp::NumericVector from_counts(const std::vector<std::int64_t>& counts) {
  return Rcpp::NumericVector(counts.begin(), counts.end());
}

template <class Items, class Get>
Rcpp::NumericVector column(const Items& items, Get get) {
  Rcpp::NumericVector out(static_cast<R_xlen_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = static_cast<double>(get(items[i]));
  return out;
}

// Values are whole numbers of a unit; sums of rounded ones may be off by a unit each.
Rcpp::List search_list(const ReleaseSearchResult& found, const WholeValues& whole) {
  const auto& steps = found.steps;
  using Step = ReleaseSearchResult::Step;
  return Rcpp::List::create(
      Rcpp::_["sets"] = from_sub_tables(found.frontier),
      Rcpp::_["upper"] = static_cast<double>(found.upper) * whole.unit +
                         (whole.exact ? 0 : whole.unit * static_cast<double>(whole.values.size())),
      Rcpp::_["optimal"] = found.optimal && whole.exact, Rcpp::_["stopped"] = found.stopped,
      Rcpp::_["nodes"] = static_cast<double>(found.n_nodes),
      Rcpp::_["conflicts"] = static_cast<double>(found.n_conflicts),
      Rcpp::_["asked"] = static_cast<double>(found.n_asked),
      Rcpp::_["searched"] = static_cast<double>(found.n_searched),
      Rcpp::_["undecided"] = static_cast<double>(found.n_undecided),
      Rcpp::_["value"] = column(steps, [&](const Step& s) { return double(s.value) * whole.unit; }),
      Rcpp::_["step"] = column(steps, [](const Step& s) { return s.node; }),
      Rcpp::_["seconds"] = column(steps, [](const Step& s) { return s.seconds; }));
}

}  // namespace

WidthLimits as_width_limits(const Rcpp::List& limits) {
  WidthLimits out;
  out.seconds = limits["seconds"];
  out.fibre.programmes = limits["programmes"];
  out.fibre.max_programme_cells = as_size(Rcpp::as<double>(limits["max_programme_cells"]));
  out.fibre.max_entries = as_size(Rcpp::as<double>(limits["max_entries"]));
  out.max_component_cells = as_size(Rcpp::as<double>(limits["max_cells"]));
  if (!out.fibre.programmes) out.max_super_cells = 0;
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_release_width(const Rcpp::List& problem, const Rcpp::List& sets,
                             const Rcpp::List& limits, SEXP progress) {
  const HeldProblem held(problem);
  const ReleaseWidth found =
      release_width(held.cells, as_sub_tables(sets), as_width_limits(limits), make_tick(progress));
  return Rcpp::List::create(
      Rcpp::_["inner"] = static_cast<double>(found.inner),
      Rcpp::_["outer"] = static_cast<double>(found.outer),
      Rcpp::_["lower"] = from_counts(found.lower), Rcpp::_["upper"] = from_counts(found.upper),
      Rcpp::_["least"] = from_counts(found.least), Rcpp::_["most"] = from_counts(found.most),
      Rcpp::_["stopped"] = found.stopped, Rcpp::_["too_large"] = found.too_large,
      Rcpp::_["components"] = static_cast<double>(found.n_components),
      Rcpp::_["open"] = static_cast<double>(found.n_open),
      Rcpp::_["programmes"] = static_cast<double>(found.n_programmes));
}

// [[Rcpp::export]]
Rcpp::List cpp_greedy_release(const Rcpp::List& problem, const std::vector<std::size_t>& levels,
                              const Rcpp::List& order, bool first_fit, bool assured,
                              const Rcpp::List& limits, SEXP progress) {
  const HeldProblem held(problem);
  GreedyLimits asked;
  asked.width = as_width_limits(limits);
  asked.seconds = asked.width.seconds;
  asked.first_fit = first_fit;
  asked.assured = assured;
  asked.levels = levels;
  const GreedyRelease found = release_greedily(held.cells, as_sub_tables(order), as_beta(problem),
                                               asked, make_tick(progress));
  const auto& checks = found.checks;
  return Rcpp::List::create(
      Rcpp::_["frontier"] = from_sub_tables(found.frontier),
      Rcpp::_["prefix"] = static_cast<double>(found.prefix), Rcpp::_["stopped"] = found.stopped,
      Rcpp::_["at"] = column(checks, [](const GreedyCheck& c) { return c.at + 1; }),
      Rcpp::_["in_fill"] = column(checks, [](const GreedyCheck& c) { return c.in_fill; }),
      Rcpp::_["safe"] = column(checks, [](const GreedyCheck& c) { return c.safe; }),
      Rcpp::_["decided"] = column(checks, [](const GreedyCheck& c) { return c.decided; }),
      Rcpp::_["inner"] = column(checks, [](const GreedyCheck& c) { return c.inner; }),
      Rcpp::_["outer"] = column(checks, [](const GreedyCheck& c) { return c.outer; }),
      Rcpp::_["seconds"] = column(checks, [](const GreedyCheck& c) { return c.seconds; }));
}

// The sum of a utility over what lies inside of sets by level.
// [[Rcpp::export]]
double cpp_sum_inside(const std::vector<std::size_t>& levels, const Rcpp::List& sets,
                      const std::vector<double>& factors) {
  return sum_inside(LevelSteps(levels), as_sub_tables(sets), AdditiveUtility(factors, {}, {}));
}

// The value of each of the 2^n sub-tables is a sum; see AdditiveUtility. By level, only closed sets
// of steps have one.
// [[Rcpp::export]]
Rcpp::List cpp_search_releases(const Rcpp::List& problem, const std::vector<std::size_t>& levels,
                               const Rcpp::List& utility, double seconds, double max_cells,
                               double max_entries, SEXP progress) {
  const HeldProblem held(problem);
  const LevelSteps steps(levels);
  const AdditiveUtility worth = as_additive_utility(utility);
  std::vector<double> values;
  for (SubTable m = 0; m <= held.cells.all_variables(); ++m)
    values.push_back(steps.is_closed(m) ? worth.of(steps.last_steps(m)) : 0);
  const WholeValues whole = whole_values(values);
  ReleaseSearchLimits limits;
  limits.levels = levels;
  limits.seconds = seconds;
  limits.max_cells = as_size(max_cells);
  limits.fibre.max_entries = as_size(max_entries);
  const ReleaseSearchResult found =
      search_releases(held.cells, as_beta(problem), whole.values, limits, make_tick(progress));
  return search_list(found, whole);
}

// [[Rcpp::export]]
Rcpp::List cpp_best_decomposable(const Rcpp::List& problem, const Rcpp::List& utility,
                                 double seconds, bool enumerate, SEXP progress) {
  const HeldProblem held(problem);
  const AdditiveUtility worth = as_additive_utility(utility);
  const Tick tick = make_tick(progress);
  WorkClock clock(seconds, tick);
  const std::int64_t beta = as_beta(problem);
  const DecomposableResult found =
      enumerate ? enumerate_decomposable(held.cells, beta, worth, clock)
                : search_decomposable(held.cells, beta, worth, DecomposableLimits(), clock);
  const auto& steps = found.steps;
  using Step = DecomposableResult::Step;
  return Rcpp::List::create(
      Rcpp::_["sets"] = from_sub_tables(found.cliques), Rcpp::_["upper"] = found.upper,
      Rcpp::_["found"] = found.value >= 0, Rcpp::_["optimal"] = found.optimal,
      Rcpp::_["stopped"] = found.stopped, Rcpp::_["n_optima"] = found.n_optima,
      Rcpp::_["graphs"] = static_cast<double>(found.n_graphs),
      Rcpp::_["value"] = column(steps, [](const Step& s) { return s.value; }),
      Rcpp::_["step"] = column(steps, [](const Step& s) { return s.graph; }),
      Rcpp::_["seconds"] = column(steps, [](const Step& s) { return s.seconds; }));
}
