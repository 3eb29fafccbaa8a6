// R's vectors for the bridge files: Rcpp without its modules and its arithmetic of vectors, which
// would double the time that each file takes to compile.
#pragma once

#include <Rcpp/Lightest>
#include <algorithm>

// Numbers from 0 become R's, from 1.
template <class Numbers>
Rcpp::IntegerVector one_based(const Numbers& x) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(x.size()));
  std::transform(x.begin(), x.end(), out.begin(), [](auto i) { return static_cast<int>(i) + 1; });
  return out;
}
