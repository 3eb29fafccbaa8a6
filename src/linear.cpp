#include "linear/linear.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "bridge.h"
#include "sets/groups.hpp"

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

// An object of R may have been taken apart by hand.
void check_system(const Rcpp::NumericVector& start, const Rcpp::IntegerVector& cell,
                  R_xlen_t n_coefficients, std::size_t n_rows, std::size_t n_upper,
                  const LinearSystem& limits) {
  bool whole = start.size() == static_cast<R_xlen_t>(n_rows) + 1 && n_upper == n_rows &&
               limits.upper.size() == limits.lower.size() && n_coefficients == cell.size() &&
               start[0] == 0 && std::is_sorted(start.begin(), start.end()) &&
               start[start.size() - 1] <= static_cast<double>(cell.size());
  for (const int c : cell)
    whole = whole && c >= 1 && static_cast<std::size_t>(c) <= limits.lower.size();
  if (!whole) throw InputError("The constraints are damaged: their rows do not fit their cells.");
}

// With `single`, rows of one cell are kept; they say what the limits of the cell say.
LinearSystem read_system(const Rcpp::List& constraints, bool single) {
  const Rcpp::List rows = constraints["rows"];
  const Rcpp::NumericVector start = rows["start"], coefficient = rows["coefficient"];
  const Rcpp::IntegerVector cell = rows["cell"];
  const std::vector<std::int64_t> lower = as_limits(rows["lower"]),
                                  upper = as_limits(rows["upper"]);
  LinearSystem out;
  out.lower = as_limits(constraints["lower"]);
  out.upper = as_limits(constraints["upper"]);
  check_system(start, cell, coefficient.size(), lower.size(), upper.size(), out);
  for (std::size_t r = 0; r < lower.size(); ++r) {
    const auto from = static_cast<R_xlen_t>(start[static_cast<R_xlen_t>(r)]);
    const auto to = static_cast<R_xlen_t>(start[static_cast<R_xlen_t>(r + 1)]);
    const bool says_nothing = from == to && lower[r] <= 0 && upper[r] >= 0;
    const bool of_cell = to - from == 1 && coefficient[from] == 1;
    if (!single && (says_nothing || of_cell)) continue;
    for (R_xlen_t e = from; e < to; ++e) {
      out.cell.push_back(static_cast<std::uint32_t>(cell[e] - 1));
      out.coefficient.push_back(static_cast<std::int64_t>(coefficient[e]));
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(lower[r]);
    out.row_upper.push_back(upper[r]);
  }
  return out;
}

}  // namespace

LinearSystem as_linear_system(const Rcpp::List& constraints) {
  return read_system(constraints, false);
}
LinearSystem as_whole_system(const Rcpp::List& constraints) {
  return read_system(constraints, true);
}

std::vector<std::int64_t> as_truth(const Rcpp::NumericVector& truth) {
  std::vector<std::int64_t> out;
  for (const double value : truth) {
    if (!(std::abs(value) <= 0x1p53)) return {};
    out.push_back(static_cast<std::int64_t>(value));
  }
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

// The cells of n sums. `held` has for each variable the 1-based levels of each label; `codes` for
// each variable the 1-based label of each sum, 0 for all levels.
// [[Rcpp::export]]
Rcpp::List cpp_expand_groups(const Rcpp::List& held, const Rcpp::IntegerVector& n_levels,
                             const Rcpp::List& codes, double n) {
  std::vector<LabelledVariable> variables(static_cast<std::size_t>(held.size()));
  for (R_xlen_t v = 0; v < held.size(); ++v) {
    LabelledVariable& variable = variables[static_cast<std::size_t>(v)];
    variable.n_levels = static_cast<std::uint32_t>(n_levels[v]);
    const Rcpp::List labels = held[v];
    for (R_xlen_t l = 0; l < labels.size(); ++l) {
      variable.held.push_back(Rcpp::as<std::vector<std::uint32_t>>(labels[l]));
      for (std::uint32_t& level : variable.held.back()) --level;
    }
    for (int code : Rcpp::IntegerVector(codes[v]))
      variable.label.push_back(code == 0 ? kAllLevels : static_cast<std::uint32_t>(code - 1));
  }
  const GroupSums found = expand_groups(variables, static_cast<std::size_t>(n));
  Rcpp::IntegerVector cell(found.cell.begin(), found.cell.end());
  for (int& i : cell) ++i;
  return Rcpp::List::create(
      Rcpp::_["start"] = Rcpp::NumericVector(found.start.begin(), found.start.end()),
      Rcpp::_["cell"] = cell);
}

// For each cell (1-based) the limits that single rows give, and these rows (1-based, NA for none).
// [[Rcpp::export]]
Rcpp::List cpp_find_reasons(const Rcpp::List& constraints, const Rcpp::IntegerVector& cells) {
  std::vector<std::uint32_t> at;
  for (int i : cells) at.push_back(static_cast<std::uint32_t>(i - 1));
  const std::vector<Reason> found = find_reasons(read_system(constraints, true), at);
  const R_xlen_t n = cells.size();
  Rcpp::NumericVector lower(n), upper(n), lower_row(n, NA_REAL), upper_row(n, NA_REAL);
  for (R_xlen_t k = 0; k < n; ++k) {
    const Reason& reason = found[static_cast<std::size_t>(k)];
    lower[k] = static_cast<double>(reason.lower);
    upper[k] = static_cast<double>(reason.upper);
    if (reason.lower_row != SIZE_MAX) lower_row[k] = static_cast<double>(reason.lower_row) + 1;
    if (reason.upper_row != SIZE_MAX) upper_row[k] = static_cast<double>(reason.upper_row) + 1;
  }
  return Rcpp::List::create(Rcpp::_["lower"] = lower, Rcpp::_["upper"] = upper,
                            Rcpp::_["lower_row"] = lower_row, Rcpp::_["upper_row"] = upper_row);
}
