// Bridge of the cycles on tables with any number of variables.
#include "cycle/cycle_margin.hpp"

#include "base_vectors.h"

namespace {

std::vector<std::size_t> as_dim(const Rcpp::IntegerVector& dim) {
  return std::vector<std::size_t>(dim.begin(), dim.end());
}

}  // namespace

// [[Rcpp::export]]
int cpp_choose_ring(Rcpp::IntegerVector dim) {
  return static_cast<int>(sdclattice::best_ring(as_dim(dim))) + 1;
}

// The cells of a table in the order of its merged table.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_merged_cells(Rcpp::IntegerVector dim, Rcpp::List ways) {
  std::vector<std::vector<std::size_t>> each;
  for (R_xlen_t w = 0; w < ways.size(); ++w) {
    const Rcpp::IntegerVector way = ways[w];
    each.emplace_back();
    for (const int v : way) each.back().push_back(static_cast<std::size_t>(v) - 1);
  }
  return one_based(sdclattice::merged_cells(as_dim(dim), each));
}
