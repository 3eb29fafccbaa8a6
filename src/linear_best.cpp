#include <cmath>
#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "linear/best_table.hpp"

using namespace sdclattice;

namespace {

std::int64_t as_whole_number(double value) {
  if (!(std::abs(value) <= 0x1p53) || value != std::floor(value))
    throw InputError("An integer programme must be of whole numbers up to 2^53.");
  return static_cast<std::int64_t>(value);
}

// The columns of a programme as R holds them: rows are sorted, and numbered from 1 like columns.
LinearSystem as_programme(const Rcpp::List& programme) {
  const Rcpp::NumericMatrix entries = programme["entries"];
  const Rcpp::CharacterVector direction = programme["direction"];
  const Rcpp::NumericVector rhs = programme["rhs"], upper = programme["upper"];
  LinearSystem out;
  for (const double limit : upper) out.upper.push_back(as_whole_number(limit));
  out.lower.assign(out.upper.size(), 0);
  int e = 0;
  for (R_xlen_t r = 0; r < rhs.size(); ++r) {
    for (; e < entries.nrow() && entries(e, 0) == static_cast<double>(r + 1); ++e) {
      if (!(entries(e, 1) >= 1 && entries(e, 1) <= static_cast<double>(out.upper.size())))
        throw InputError("An entry of an integer programme must be in one of its columns.");
      out.cell.push_back(static_cast<std::uint32_t>(entries(e, 1) - 1));
      out.coefficient.push_back(as_whole_number(entries(e, 2)));
    }
    out.start.push_back(out.cell.size());
    const std::string way = Rcpp::as<std::string>(direction[r]);
    const std::int64_t value = as_whole_number(rhs[r]);
    out.row_lower.push_back(way == "<=" ? -kNoLimit : value);
    out.row_upper.push_back(way == ">=" ? kNoLimit : value);
  }
  if (e != entries.nrow()) throw InputError("The rows of an integer programme must be sorted.");
  return out;
}

}  // namespace

// The solution of an integer programme with the least objective, with proof: no floating point
// decides. `binary`: columns that decide much. `start`: a solution to start from, or nothing.
// `values` is empty when none was found in time.
// [[Rcpp::export]]
Rcpp::List cpp_best_table(const Rcpp::List& programme, const Rcpp::IntegerVector& binary,
                          const Rcpp::NumericVector& start, double seconds, SEXP progress) {
  std::vector<std::int64_t> weight;
  for (const double value : Rcpp::NumericVector(programme["objective"]))
    weight.push_back(as_whole_number(value));
  const LinearSystem system = as_programme(programme);
  if (weight.size() != system.n_cells())
    throw InputError("An integer programme must have an objective for each column.");
  BestTableHints hints;
  hints.first.assign(weight.size(), 0);
  for (const int column : binary) hints.first.at(static_cast<std::size_t>(column - 1)) = 1;
  if (static_cast<std::size_t>(start.size()) == weight.size())
    for (const double value : start) hints.table.push_back(as_whole_number(value));
  const BestTable found = best_table(system, weight, seconds, make_keeping_tick(progress), hints);
  return Rcpp::List::create(
      Rcpp::_["values"] = Rcpp::NumericVector(found.values.begin(), found.values.end()),
      Rcpp::_["sum"] = static_cast<double>(found.sum),
      Rcpp::_["bound"] = static_cast<double>(found.bound),
      Rcpp::_["interrupted"] = found.interrupted);
}
