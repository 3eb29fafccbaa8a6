// R's vectors for the bridge files: Rcpp without its modules and its arithmetic of vectors, which
// would double the time that each file takes to compile.
#pragma once

#include <Rcpp/Lightest>
#include <algorithm>
#include <cstdint>
#include <vector>

// Numbers from 0 become R's, from 1.
template <class Numbers>
Rcpp::IntegerVector one_based(const Numbers& x) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(x.size()));
  std::transform(x.begin(), x.end(), out.begin(), [](auto i) { return static_cast<int>(i) + 1; });
  return out;
}

// Whole numbers, which R keeps as doubles up to 2^53.
inline std::vector<std::int64_t> as_whole(const Rcpp::NumericVector& x) {
  return std::vector<std::int64_t>(x.begin(), x.end());
}
inline Rcpp::NumericVector as_numeric(const std::vector<std::int64_t>& x) {
  return Rcpp::NumericVector(x.begin(), x.end());
}
