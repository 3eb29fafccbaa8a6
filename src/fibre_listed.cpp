#include "bridge.h"
#include "fibre/listed_tables.hpp"

using namespace sdclattice;

namespace {

ListedTables as_listed(const Rcpp::NumericMatrix& tables) {
  return {tables.begin(), static_cast<std::size_t>(tables.nrow()),
          static_cast<std::size_t>(tables.ncol())};
}

std::vector<std::size_t> from_ones(const Rcpp::IntegerVector& at) {
  std::vector<std::size_t> out;
  for (const int i : at) out.push_back(static_cast<std::size_t>(i - 1));
  return out;
}

}  // namespace

// `tables`: one in each column; `among`: which of them, `sum_of`: all from 1; at risk are cells
// with the `counts`, or else the `cells`.
// [[Rcpp::export]]
Rcpp::List cpp_judge_tables(const Rcpp::NumericMatrix& tables, const Rcpp::IntegerVector& among,
                            const Rcpp::IntegerVector& sum_of, const std::vector<double>& counts,
                            const Rcpp::IntegerVector& cells, double width) {
  std::vector<std::uint32_t> sums;
  for (const int s : sum_of) sums.push_back(static_cast<std::uint32_t>(s - 1));
  const JudgedTables found = judge_tables(as_listed(tables), from_ones(among), sums,
                                          {counts, from_ones(cells), width}, make_tick(R_NilValue));
  return Rcpp::List::create(
      Rcpp::_["group"] = Rcpp::IntegerVector(found.group.begin(), found.group.end()),
      Rcpp::_["safe"] = Rcpp::LogicalVector(found.safe.begin(), found.safe.end()));
}

// [[Rcpp::export]]
Rcpp::List cpp_range_of_tables(const Rcpp::NumericMatrix& tables,
                               const Rcpp::IntegerVector& among) {
  const ListedRange found = range_of_tables(as_listed(tables), from_ones(among));
  return Rcpp::List::create(Rcpp::_["lower"] = found.lower, Rcpp::_["upper"] = found.upper);
}
