// Sets of sub-tables, and the table that they are taken from.
#include <algorithm>

#include "bridge.h"
#include "release/additive_utility.hpp"
#include "release/release_fit.hpp"
#include "sets/sub_tables.hpp"
#include "table/risk_cells.hpp"

using namespace sdclattice;

std::vector<VariableSet> as_variable_sets(const Rcpp::List& sets) {
  std::vector<VariableSet> out;
  for (R_xlen_t i = 0; i < sets.size(); ++i) {
    const Rcpp::IntegerVector set = sets[i];
    VariableSet variables;
    for (int v : set) variables.push_back(static_cast<std::uint32_t>(v - 1));
    std::sort(variables.begin(), variables.end());
    out.push_back(std::move(variables));
  }
  return out;
}

Rcpp::List from_variable_sets(const std::vector<VariableSet>& sets) {
  Rcpp::List out(static_cast<R_xlen_t>(sets.size()));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Rcpp::IntegerVector set(static_cast<R_xlen_t>(sets[i].size()));
    for (std::size_t k = 0; k < sets[i].size(); ++k)
      set[static_cast<R_xlen_t>(k)] = static_cast<int>(sets[i][k]) + 1;
    out[static_cast<R_xlen_t>(i)] = set;
  }
  return out;
}

std::vector<SubTable> as_sub_tables(const Rcpp::List& sets) {
  std::vector<SubTable> out;
  for (const VariableSet& set : as_variable_sets(sets)) {
    SubTable mask = 0;
    for (std::uint32_t v : set) mask |= SubTable{1} << v;
    out.push_back(mask);
  }
  return out;
}

Rcpp::List from_sub_tables(const std::vector<SubTable>& masks) {
  std::vector<VariableSet> sets;
  for (SubTable mask : masks) {
    VariableSet set;
    for (std::uint32_t v = 0; v < kMaxSubTableVariables; ++v)
      if ((mask >> v & 1) != 0) set.push_back(v);
    sets.push_back(std::move(set));
  }
  return from_variable_sets(sets);
}

RiskCells as_risk_cells(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                        const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& at_risk) {
  const Layout layout = as_layout(dim);
  std::vector<std::uint32_t> at;
  for (int position : at_risk) at.push_back(static_cast<std::uint32_t>(position - 1));
  return RiskCells(layout, as_view(layout, keys, counts), std::move(at));
}

HeldProblem::HeldProblem(const Rcpp::List& problem)
    : keys(Rcpp::as<Rcpp::List>(problem["x"])["keys"]),
      counts(Rcpp::as<Rcpp::List>(problem["x"])["counts"]),
      cells(as_risk_cells(problem["dim"], keys, counts, problem["at_risk"])) {
  if (problem.containsElementNamed("reduced") && Rcpp::as<bool>(problem["reduced"]))
    cells.let_be_empty();
}

std::int64_t as_beta(const Rcpp::List& problem) {
  const Rcpp::List risk = problem["risk"];
  return static_cast<std::int64_t>(Rcpp::as<double>(risk["beta"]));
}

AdditiveUtility as_additive_utility(const Rcpp::List& parts) {
  return AdditiveUtility(Rcpp::as<std::vector<double>>(parts["factors"]),
                         as_sub_tables(parts["sets"]),
                         Rcpp::as<std::vector<double>>(parts["values"]),
                         LevelSteps(Rcpp::as<std::vector<std::size_t>>(parts["levels"])));
}

// The positions of the maximal sets.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_frontier_of(const Rcpp::List& sets) {
  Rcpp::IntegerVector out;
  for (std::size_t at : frontier_of(as_variable_sets(sets)))
    out.push_back(static_cast<int>(at) + 1);
  return out;
}

// [[Rcpp::export]]
Rcpp::NumericVector cpp_count_below(int n, const Rcpp::List& sets) {
  return Rcpp::wrap(
      count_below(static_cast<std::size_t>(n), as_variable_sets(sets), make_tick(R_NilValue)));
}

// [[Rcpp::export]]
double cpp_sum_below(int n, const Rcpp::List& sets, const Rcpp::NumericVector& factors) {
  return sum_below(static_cast<std::size_t>(n), as_variable_sets(sets),
                   Rcpp::as<std::vector<double>>(factors), make_tick(R_NilValue));
}

// [[Rcpp::export]]
Rcpp::List cpp_minimal_outside(int n, const Rcpp::List& sets, double limit) {
  return from_variable_sets(minimal_outside(static_cast<std::size_t>(n), as_variable_sets(sets),
                                            as_size(limit), make_tick(R_NilValue)));
}

// For each of the 2^n sub-tables: 1 below one of `below`, 2 above one of `above`, else 0.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_lay_out(int n, const Rcpp::List& below, const Rcpp::List& above) {
  const std::vector<char> low = lay_out_below(static_cast<std::size_t>(n), as_variable_sets(below));
  const std::vector<char> high =
      lay_out_above(static_cast<std::size_t>(n), as_variable_sets(above));
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(low.size()));
  for (std::size_t m = 0; m < low.size(); ++m)
    out[static_cast<R_xlen_t>(m)] = low[m] != 0 ? 1 : high[m] != 0 ? 2 : 0;
  return out;
}

// `at_risk`: all stored cells.
// [[Rcpp::export]]
double cpp_fit_error(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                     const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& at_risk,
                     const Rcpp::List& cliques) {
  return decomposable_fit_error(as_risk_cells(dim, keys, counts, at_risk), as_sub_tables(cliques),
                                make_tick(R_NilValue));
}
