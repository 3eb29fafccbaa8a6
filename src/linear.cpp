#include "core/linear.hpp"

#include "bridge.h"

using namespace sdclattice;

namespace {

// R's limits are whole numbers up to 2^53, or infinite.
std::vector<std::int64_t> as_limits(const Rcpp::NumericVector& x) {
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(x.size()));
  for (double value : x)
    out.push_back(value == R_PosInf   ? kNoLimit
                  : value == R_NegInf ? -kNoLimit
                                      : static_cast<std::int64_t>(value));
  return out;
}

Rcpp::NumericVector from_limits(const std::vector<std::int64_t>& x) {
  Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(x.size())));
  for (std::size_t i = 0; i < x.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = x[i] >= kNoLimit ? R_PosInf : static_cast<double>(x[i]);
  return out;
}

}  // namespace

LinearSystem as_linear_system(const Rcpp::List& constraints) {
  const Rcpp::List rows = constraints["rows"];
  const Rcpp::NumericVector start = rows["start"], coefficient = rows["coefficient"];
  const Rcpp::IntegerVector cell = rows["cell"];
  LinearSystem out;
  out.lower = as_limits(constraints["lower"]);
  out.upper = as_limits(constraints["upper"]);
  out.start.assign(start.begin(), start.end());
  for (int i : cell) out.cell.push_back(static_cast<std::uint32_t>(i - 1));
  out.coefficient.assign(coefficient.begin(), coefficient.end());
  out.row_lower = as_limits(rows["lower"]);
  out.row_upper = as_limits(rows["upper"]);
  return out;
}

// The narrowed limits of an sdc_constraints object; NULL when they prove that no table exists.
// [[Rcpp::export]]
SEXP cpp_tighten_constraints(const Rcpp::List& constraints, bool once) {
  LinearSystem system = as_linear_system(constraints);
  const bool possible = once ? tighten_once(system) : tighten(system, make_tick(R_NilValue));
  if (!possible) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["lower"] = from_limits(system.lower),
                            Rcpp::_["upper"] = from_limits(system.upper));
}
