// Bridge of the published totals that cycles change.
#include "bridge.h"
#include "cycle/nested.hpp"

namespace {

sdclattice::NodeCrossing node_crossing(const Rcpp::List& crossing) {
  sdclattice::NodeCrossing out;
  for (const Rcpp::List lists : crossing) {
    const Rcpp::IntegerVector start = lists["start"];
    const Rcpp::IntegerVector node = lists["node"];
    out.push_back({{start.begin(), start.end()}, {node.begin(), node.end()}});
  }
  return out;
}

Rcpp::List total_columns(const std::vector<sdclattice::ChangedTotal>& found, std::size_t n_dims) {
  const R_xlen_t n = static_cast<R_xlen_t>(found.size());
  Rcpp::NumericVector cycle(n), change(n);
  Rcpp::List node(n_dims);
  for (std::size_t v = 0; v < n_dims; ++v) {
    Rcpp::IntegerVector of_dimension(n);
    for (R_xlen_t i = 0; i < n; ++i) of_dimension[i] = found[i].node[v] + 1;
    node[v] = of_dimension;
  }
  for (R_xlen_t i = 0; i < n; ++i) {
    cycle[i] = static_cast<double>(found[i].cycle + 1);
    change[i] = static_cast<double>(found[i].change);
  }
  return Rcpp::List::create(Rcpp::_["cycle"] = cycle, Rcpp::_["node"] = node,
                            Rcpp::_["change"] = change);
}

}  // namespace

// The published totals that the cycles change: cycle, node of each dimension (1-based) and change.
// `crossings` has for each crossing and dimension the lists of NodeLists, from 0.
// [[Rcpp::export]]
Rcpp::List cpp_changed_totals(Rcpp::List cycles, Rcpp::IntegerVector n_nodes, Rcpp::List crossings,
                              bool first_cycle, double limit) {
  const Rcpp::List dimnames = cycles["dimnames"];
  std::vector<std::size_t> dim;
  for (R_xlen_t v = 0; v < dimnames.size(); ++v) dim.push_back(Rf_xlength(dimnames[v]));
  std::vector<sdclattice::NodeCrossing> each;
  for (const Rcpp::List crossing : crossings) each.push_back(node_crossing(crossing));
  const auto found =
      sdclattice::changed_totals(as_cycle_set(cycles), dim, {n_nodes.begin(), n_nodes.end()}, each,
                                 first_cycle, as_size(limit), make_tick(R_NilValue));
  return total_columns(found, dim.size());
}
