#include <algorithm>

#include "base/error.hpp"
#include "bounds/margin_bounds.hpp"
#include "bridge.h"
#include "conditional/rate_bounds.hpp"
#include "conditional_rates.h"
#include "linear/integer_bounds.hpp"
#include "linear/part_shares.hpp"
#include "sets/chordal.hpp"
#include "table/project.hpp"

using namespace sdclattice;

namespace {

// A margin as R holds it: variables, dim, keys, counts. What it points to stays R's.
ReleasedMargin as_margin(const Rcpp::List& margin) {
  VariableSet variables = Rcpp::as<VariableSet>(margin["variables"]);
  for (std::uint32_t& v : variables) --v;
  Layout layout = as_layout(margin["dim"]);
  const Rcpp::RawVector keys = margin["keys"];
  const Rcpp::NumericVector counts = margin["counts"];
  const CellsView cells = as_view(layout, keys, counts);
  return {std::move(variables), std::move(layout), cells};
}

AskedCells as_asked(const Rcpp::List& codes, double n) {
  AskedCells out;
  out.n = static_cast<std::size_t>(n);
  for (R_xlen_t v = 0; v < codes.size(); ++v) {
    const Rcpp::IntegerVector levels = codes[v];
    if (static_cast<std::size_t>(levels.size()) != out.n)
      throw InputError("Every variable must have a level for each cell.");
    out.levels.push_back(INTEGER_RO(levels));
  }
  return out;
}

BoundsLimits as_bounds_limits(double seconds, double max_entries, const std::string& engine,
                              int threads) {
  BoundsLimits out;
  out.threads = static_cast<std::size_t>(threads);
  out.seconds = seconds;
  out.max_entries = as_size(max_entries);
  if (engine == "network") out.engine = BoundsEngine::network;
  if (engine == "simplex") out.engine = BoundsEngine::simplex;
  return out;
}

Rcpp::List effort_list(const IntegerBounds& found) {
  const bool gave_up = found.stopped && !found.late && !found.interrupted;
  return Rcpp::List::create(Rcpp::_["stopped"] = found.stopped, Rcpp::_["late"] = found.late,
                            Rcpp::_["interrupted"] = found.interrupted,
                            Rcpp::_["gave_up"] = gave_up,
                            Rcpp::_["feasible"] = found.proved_feasible,
                            Rcpp::_["networks"] = static_cast<double>(found.n_network),
                            Rcpp::_["programmes"] = static_cast<double>(found.n_simplex),
                            Rcpp::_["sparse"] = static_cast<double>(found.n_sparse),
                            Rcpp::_["searches"] = static_cast<double>(found.n_programmes),
                            Rcpp::_["branches"] = static_cast<double>(found.n_branches),
                            Rcpp::_["witnesses"] = static_cast<double>(found.n_witnesses));
}

Rcpp::NumericVector pick_limits(const std::vector<std::int64_t>& values,
                                const std::vector<std::uint32_t>& at) {
  Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(at.size())));
  for (std::size_t i = 0; i < at.size(); ++i)
    out[static_cast<R_xlen_t>(i)] =
        values[at[i]] >= kNoLimit ? R_PosInf : static_cast<double>(values[at[i]]);
  return out;
}

// What some solution attains; NA where none was found.
Rcpp::NumericVector from_attained(const std::vector<std::int64_t>& x) {
  Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(x.size())));
  for (std::size_t i = 0; i < x.size(); ++i)
    out[static_cast<R_xlen_t>(i)] =
        x[i] >= kNoLimit || x[i] <= -kNoLimit ? NA_REAL : static_cast<double>(x[i]);
  return out;
}

std::vector<std::int64_t> pick(const std::vector<std::int64_t>& x,
                               const std::vector<std::uint32_t>& at) {
  std::vector<std::int64_t> out;
  out.reserve(at.size());
  for (std::uint32_t i : at) out.push_back(x[i]);
  return out;
}

// Work that keeps what it has found ends by itself; an interrupt before that goes on to R.
template <class Work>
auto interruptible(const Work& work) {
  try {
    return work();
  } catch (const WorkInterrupted&) {
    throw Rcpp::internal::InterruptedException();
  }
}

Rcpp::NumericVector pick_numbers(const std::vector<double>& values,
                                 const std::vector<std::uint32_t>& at) {
  Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(at.size())));
  for (std::size_t i = 0; i < at.size(); ++i) out[static_cast<R_xlen_t>(i)] = values[at[i]];
  return out;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_study_release(int n_variables, const Rcpp::List& sets) {
  const ReleaseStructure found =
      study_release(static_cast<std::size_t>(n_variables), as_variable_sets(sets));
  Rcpp::IntegerVector frontier(found.frontier.begin(), found.frontier.end()),
      kinds(static_cast<R_xlen_t>(found.kinds.size()));
  for (int& i : frontier) ++i;
  std::transform(found.kinds.begin(), found.kinds.end(), kinds.begin(),
                 [](ComponentKind kind) { return static_cast<int>(kind); });
  return Rcpp::List::create(Rcpp::_["frontier"] = frontier, Rcpp::_["chordal"] = found.chordal,
                            Rcpp::_["components"] = from_variable_sets(found.components),
                            Rcpp::_["kinds"] = kinds,
                            Rcpp::_["separators"] = from_variable_sets(found.separators),
                            Rcpp::_["decomposable"] = found.decomposable());
}

// The plan of the chains, its steps as 0-based columns for cpp_run_chains().
// [[Rcpp::export]]
Rcpp::List cpp_plan_chains(const Rcpp::List& frontier, double max_steps) {
  const ChainPlan plan = plan_chains(as_variable_sets(frontier), as_size(max_steps));
  Rcpp::IntegerMatrix steps(static_cast<int>(plan.steps.size()), 4);
  for (int i = 0; i < steps.nrow(); ++i) {
    const ChainPlan::Step& step = plan.steps[static_cast<std::size_t>(i)];
    steps(i, 0) = static_cast<int>(step.from);
    steps(i, 1) = static_cast<int>(step.margin);
    steps(i, 2) = static_cast<int>(step.to);
    steps(i, 3) = static_cast<int>(step.common);
  }
  return Rcpp::List::create(
      Rcpp::_["shared"] = from_variable_sets(plan.shared), Rcpp::_["steps"] = steps,
      Rcpp::_["states"] = static_cast<double>(plan.n_states),
      Rcpp::_["last"] = static_cast<double>(plan.last), Rcpp::_["all"] = plan.all_chains);
}

// `margins` and `shared`: a numeric vector each with the values at the n cells.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_run_chains(const Rcpp::List& plan, const Rcpp::List& margins,
                                   const Rcpp::List& shared, double n) {
  ChainPlan run;
  run.n_margins = static_cast<std::size_t>(margins.size());
  run.n_states = as_size(Rcpp::as<double>(plan["states"]));
  run.last = as_size(Rcpp::as<double>(plan["last"]));
  const Rcpp::IntegerMatrix steps = plan["steps"];
  for (int i = 0; i < steps.nrow(); ++i)
    run.steps.push_back(
        {static_cast<std::uint32_t>(steps(i, 0)), static_cast<std::uint32_t>(steps(i, 1)),
         static_cast<std::uint32_t>(steps(i, 2)), static_cast<std::uint32_t>(steps(i, 3))});
  std::vector<const double*> at_margins, at_shared;
  for (R_xlen_t i = 0; i < margins.size(); ++i) at_margins.push_back(REAL_RO(margins[i]));
  for (R_xlen_t i = 0; i < shared.size(); ++i) at_shared.push_back(REAL_RO(shared[i]));
  return Rcpp::wrap(run_chains(run, at_margins, at_shared, static_cast<std::size_t>(n)));
}

// The values of one table at cells given by the levels of its variables.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_values_at(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                  const Rcpp::NumericVector& counts, const Rcpp::List& codes,
                                  double n) {
  const Layout layout = as_layout(dim);
  return Rcpp::wrap(values_at(layout, as_view(layout, keys, counts), as_asked(codes, n)));
}

// Where two margins disagree on the variables that they share: `first` and `second` are 1-based
// places of these variables. NULL when they agree.
// [[Rcpp::export]]
SEXP cpp_compare_margins(const Rcpp::List& a, const Rcpp::List& b, const Rcpp::IntegerVector& first,
                         const Rcpp::IntegerVector& second, const Rcpp::IntegerVector& dim,
                         int max_found) {
  const ReleasedMargin x = as_margin(a), y = as_margin(b);
  const Layout layout = as_layout(dim);
  std::vector<VariableSource> from_x, from_y;
  for (int v : first) from_x.push_back({static_cast<std::size_t>(v - 1), nullptr});
  for (int v : second) from_y.push_back({static_cast<std::size_t>(v - 1), nullptr});
  const std::vector<Disagreement> found =
      compare_tables(project(x.layout, x.cells, layout, from_x, {}),
                     project(y.layout, y.cells, layout, from_y, {}), as_size(max_found));
  if (found.empty()) return R_NilValue;
  Rcpp::IntegerMatrix levels(static_cast<int>(found.size()), first.size());
  Rcpp::NumericMatrix counts(static_cast<int>(found.size()), 2);
  for (int i = 0; i < levels.nrow(); ++i) {
    const Disagreement& at = found[static_cast<std::size_t>(i)];
    for (int v = 0; v < levels.ncol(); ++v)
      levels(i, v) = static_cast<int>(layout.level(at.key.data(), static_cast<std::size_t>(v))) + 1;
    counts(i, 0) = static_cast<double>(at.first);
    counts(i, 1) = static_cast<double>(at.second);
  }
  return Rcpp::List::create(Rcpp::_["levels"] = levels, Rcpp::_["counts"] = counts);
}

// `method`: 0 shuttle, 1 linear, 2 whole numbers. `truth`: empty, or the table itself, as a margin
// over all variables; `enough`: the width from which on an interval need not be known better.
// [[Rcpp::export]]
Rcpp::List cpp_bound_margins(const Rcpp::IntegerVector& levels, const Rcpp::List& margins,
                             const Rcpp::List& codes, double n, int method, double seconds,
                             double max_cells, double max_super_cells, double max_entries,
                             const std::string& engine, const Rcpp::List& truth, double enough,
                             SEXP progress, int threads = 1) {
  std::vector<ReleasedMargin> released, table;
  for (R_xlen_t i = 0; i < margins.size(); ++i) released.push_back(as_margin(margins[i]));
  if (truth.size() > 0) table.push_back(as_margin(truth));
  MarginLimits limits;
  limits.solver = as_bounds_limits(seconds, max_entries, engine, threads);
  if (enough < static_cast<double>(kNoLimit))
    limits.solver.enough = static_cast<std::int64_t>(enough);
  limits.max_cells = as_size(max_cells);
  limits.max_super_cells = as_size(max_super_cells);
  const MarginBounds found = interruptible([&] {
    return margin_bounds(std::vector<std::uint32_t>(levels.begin(), levels.end()), released,
                         as_asked(codes, n), static_cast<MarginMethod>(method), limits,
                         make_keeping_tick(progress), table.empty() ? nullptr : &table.front());
  });
  return Rcpp::List::create(
      Rcpp::_["lower"] = found.lower, Rcpp::_["upper"] = found.upper,
      Rcpp::_["sharp"] = Rcpp::LogicalVector(found.sharp.begin(), found.sharp.end()),
      Rcpp::_["least"] = from_attained(found.least), Rcpp::_["most"] = from_attained(found.most),
      Rcpp::_["real_lower"] = found.real_lower, Rcpp::_["real_upper"] = found.real_upper,
      Rcpp::_["generalized"] = found.generalized, Rcpp::_["effort"] = effort_list(found.effort));
}

// To which of n shares each asked cell (1-based) belongs, from 1; and the work of each share.
// [[Rcpp::export]]
Rcpp::List cpp_part_shares(const Rcpp::List& constraints, const Rcpp::IntegerVector& asked,
                           int n_shares, SEXP progress) {
  const LinearSystem system = as_linear_system(constraints);
  std::vector<std::uint32_t> at;
  for (int i : asked) at.push_back(static_cast<std::uint32_t>(i - 1));
  const PartShares found =
      part_shares(system, at, static_cast<std::size_t>(n_shares), make_tick(progress));
  Rcpp::IntegerVector share(found.share.begin(), found.share.end());
  for (int& s : share) ++s;
  return Rcpp::List::create(Rcpp::_["share"] = share, Rcpp::_["work"] = found.work);
}

// The asked cells (1-based) of an sdc_constraints object. Where it has `rates`, its rows do not.
// `truth`: the counts of its cells, where they are known, or empty.
// [[Rcpp::export]]
Rcpp::List cpp_bound_constraints(const Rcpp::List& constraints, const Rcpp::IntegerVector& asked,
                                 bool relaxed, double seconds, double max_entries,
                                 const std::string& engine, const Rcpp::NumericVector& truth,
                                 SEXP progress, int threads = 1) {
  const LinearSystem system = as_linear_system(constraints);
  const std::vector<RateSet> rates = as_rate_sets(constraints);
  const BoundsLimits limits = as_bounds_limits(seconds, max_entries, engine, threads);
  std::vector<std::uint32_t> at;
  for (int i : asked) at.push_back(static_cast<std::uint32_t>(i - 1));
  const RelaxedBounds found = interruptible([&] {
    RelaxedBounds out;
    if (relaxed)
      out = relaxed_bounds(system, at, limits, make_keeping_tick(progress));
    else
      out.whole =
          rates.empty()
              ? integer_bounds(system, at, limits, make_keeping_tick(progress), as_truth(truth))
              : rate_bounds(system, rates, at, limits, make_keeping_tick(progress));
    return out;
  });
  Rcpp::LogicalVector sharp(asked.size());
  for (R_xlen_t k = 0; k < asked.size(); ++k)
    sharp[k] = found.whole.sharp[at[static_cast<std::size_t>(k)]] != 0;
  Rcpp::List out =
      Rcpp::List::create(Rcpp::_["lower"] = pick_limits(found.whole.lower, at),
                         Rcpp::_["upper"] = pick_limits(found.whole.upper, at),
                         Rcpp::_["least"] = from_attained(pick(found.whole.least, at)),
                         Rcpp::_["most"] = from_attained(pick(found.whole.most, at)),
                         Rcpp::_["sharp"] = sharp, Rcpp::_["effort"] = effort_list(found.whole));
  if (!relaxed) return out;
  out["real_lower"] = pick_numbers(found.real_lower, at);
  out["real_upper"] = pick_numbers(found.real_upper, at);
  return out;
}
