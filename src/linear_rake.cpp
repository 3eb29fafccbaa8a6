#include "bridge.h"
#include "linear/rake.hpp"

using namespace sdclattice;

// The fitted inside of an sdc_constraints object.
// [[Rcpp::export]]
Rcpp::List cpp_rake_constraints(const Rcpp::List& constraints, const std::vector<double>& start,
                                double tolerance, double max_rounds, SEXP progress) {
  const RakedTable found = rake(as_linear_system(constraints), start, tolerance,
                                as_size(max_rounds), make_tick(progress));
  return Rcpp::List::create(Rcpp::_["value"] = found.value,
                            Rcpp::_["rounds"] = static_cast<double>(found.rounds),
                            Rcpp::_["gap"] = found.gap);
}
