#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "conditional/conditional_count.hpp"
#include "conditional/least_tolerances.hpp"
#include "conditional/sharp_rates.hpp"
#include "conditional_rates.h"

using namespace sdclattice;

namespace {

// A column of `units` for each row of the conditionals; `tolerance` is a fraction of two numbers.
RateRows as_rate_rows(const Rcpp::NumericMatrix& units, const Rcpp::NumericVector& scale,
                      const Rcpp::NumericVector& tolerance) {
  return make_rate_rows(static_cast<std::size_t>(units.nrow()), as_whole(units), as_whole(scale),
                        static_cast<std::int64_t>(tolerance[0]),
                        static_cast<std::int64_t>(tolerance[1]));
}

std::int64_t as_total(double n) {
  return static_cast<std::int64_t>(n);
}

Rcpp::NumericMatrix rate_columns(const std::vector<std::int64_t>& x, std::size_t n_rows) {
  const std::size_t n = n_rows == 0 ? 0 : x.size() / n_rows;
  return Rcpp::NumericMatrix(static_cast<int>(n_rows), static_cast<int>(n), x.begin());
}

Rcpp::List sharp_list(const SharpRates& found) {
  Rcpp::NumericVector from, to, by;
  const auto n = static_cast<R_xlen_t>(found.runs.size());
  from = Rcpp::NumericVector(n), to = Rcpp::NumericVector(n), by = Rcpp::NumericVector(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const TotalRun& run = found.runs[static_cast<std::size_t>(i)];
    from[i] = static_cast<double>(run.from);
    to[i] = static_cast<double>(run.to);
    by[i] = static_cast<double>(run.by);
  }
  return Rcpp::List::create(
      Rcpp::_["start"] = Rcpp::NumericVector(found.run_start.begin(), found.run_start.end()),
      Rcpp::_["from"] = from, Rcpp::_["to"] = to, Rcpp::_["by"] = by,
      Rcpp::_["all"] = found.all_runs);
}

}  // namespace

std::vector<RateSet> as_rate_sets(const Rcpp::List& constraints) {
  std::vector<RateSet> out;
  if (!constraints.containsElementNamed("rates")) return out;
  const double n_cells = Rcpp::NumericVector(constraints["lower"]).size();
  for (const Rcpp::List set : Rcpp::List(constraints["rates"])) {
    RateSet rates;
    rates.rows = as_rate_rows(set["units"], set["scale"], set["tolerance"]);
    const Rcpp::NumericVector start = set["start"], cell = set["cell"];
    const auto is_cell = [&](double i) { return i >= 1 && i <= n_cells; };
    if (static_cast<std::size_t>(start.size()) != rates.rows.low.size() + 1 || start[0] != 0 ||
        !std::is_sorted(start.begin(), start.end()) || start[start.size() - 1] != cell.size() ||
        !std::all_of(cell.begin(), cell.end(), is_cell))
      throw InputError("The constraints are damaged: their rates do not fit their cells.");
    rates.start.assign(start.begin(), start.end());
    for (const double i : cell) rates.cell.push_back(static_cast<std::uint32_t>(i) - 1);
    out.push_back(std::move(rates));
  }
  return out;
}

// count / total in whole units of 1 / scale, half up; a column for each total.
// [[Rcpp::export]]
Rcpp::NumericMatrix cpp_round_rates(const Rcpp::NumericMatrix& counts,
                                    const Rcpp::NumericVector& totals, double scale) {
  Rcpp::NumericMatrix out(counts.nrow(), counts.ncol());
  for (int r = 0; r < counts.ncol(); ++r)
    for (int j = 0; j < counts.nrow(); ++j)
      out(j, r) = static_cast<double>(
          round_rate(as_total(counts(j, r)), as_total(totals[r]), as_total(scale)));
  return out;
}

// The greatest number that divides all of a column.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_common_factors(const Rcpp::NumericMatrix& counts) {
  Rcpp::NumericVector out(counts.ncol());
  for (int r = 0; r < counts.ncol(); ++r) {
    std::int64_t common = 0;
    for (int j = 0; j < counts.nrow(); ++j) common = std::gcd(common, as_total(counts(j, r)));
    out[r] = static_cast<double>(common);
  }
  return out;
}

// Kinds of rows are numbered from 1; lower and upper have a column for each kind.
// [[Rcpp::export]]
Rcpp::List cpp_sharp_rates(const Rcpp::NumericMatrix& units, const Rcpp::NumericVector& scale,
                           const Rcpp::NumericVector& tolerance, double n, double max_sums,
                           SEXP progress) {
  RateLimits limits;
  limits.max_sums = static_cast<std::int64_t>(max_sums);
  const RateRows rows = as_rate_rows(units, scale, tolerance);
  const SharpRates found = sharp_rates(rows, as_total(n), limits, make_tick(progress));
  return Rcpp::List::create(
      Rcpp::_["feasible"] = found.feasible, Rcpp::_["alone"] = one_based(found.alone),
      Rcpp::_["kind"] = one_based(found.kind_of_row),
      Rcpp::_["lower"] = rate_columns(found.lower, rows.n_cells),
      Rcpp::_["upper"] = rate_columns(found.upper, rows.n_cells),
      Rcpp::_["n_totals"] = as_numeric(found.n_totals), Rcpp::_["first"] = as_numeric(found.first),
      Rcpp::_["last"] = as_numeric(found.last), Rcpp::_["runs"] = sharp_list(found));
}

// [[Rcpp::export]]
bool cpp_rates_feasible(const Rcpp::NumericMatrix& units, const Rcpp::NumericVector& scale,
                        const Rcpp::NumericVector& tolerance, double n, double max_sums) {
  RateLimits limits;
  limits.max_sums = static_cast<std::int64_t>(max_sums);
  return rates_feasible(as_rate_rows(units, scale, tolerance), as_total(n), limits,
                        make_tick(R_NilValue));
}

// In units of 1 / scale; negative where a row's own tolerance cannot help.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_least_tolerances(const Rcpp::NumericMatrix& units,
                                         const Rcpp::NumericVector& scale,
                                         const Rcpp::NumericVector& tolerance, double n,
                                         double max_sums) {
  RateLimits limits;
  limits.max_sums = static_cast<std::int64_t>(max_sums);
  return Rcpp::wrap(least_tolerances(as_rate_rows(units, scale, tolerance), as_whole(units),
                                     as_whole(scale), as_total(n), limits, make_tick(R_NilValue)));
}

// All digits; an empty string when it would take too long.
// [[Rcpp::export]]
std::string cpp_count_rate_tables(const Rcpp::NumericMatrix& units,
                                  const Rcpp::NumericVector& scale,
                                  const Rcpp::NumericVector& tolerance, double n, double splits,
                                  double max_products, SEXP progress) {
  const auto found = count_rate_tables(as_rate_rows(units, scale, tolerance), as_total(n),
                                       as_total(splits), max_products, make_tick(progress));
  return found ? found->str() : std::string();
}
