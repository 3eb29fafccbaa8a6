// Bridge of sums of suppressed cells that follow from published totals.
#include <algorithm>

#include "base/error.hpp"
#include "bridge.h"
#include "linear/clearing.hpp"
#include "magnitude/few_sums.hpp"
#include "magnitude/share_sums.hpp"

using namespace sdclattice;

namespace {

// `row`, `cell` (from 1) and `coefficient` of each entry, by rows.
LinearSystem as_rows(const Rcpp::List& group, std::size_t n_cells) {
  const Rcpp::IntegerVector row = group["row"], cell = group["cell"];
  const Rcpp::NumericVector coefficient = group["coefficient"];
  LinearSystem out;
  out.lower.assign(n_cells, 0);
  out.upper.assign(n_cells, kNoLimit);
  for (R_xlen_t e = 0; e < row.size(); ++e) {
    if (cell[e] < 1 || static_cast<std::size_t>(cell[e]) > n_cells ||
        (e > 0 && row[e] < row[e - 1]))
      throw InputError("The equations of suppressed cells are damaged.");
    if (e > 0 && row[e] > row[e - 1]) out.start.push_back(out.cell.size());
    out.cell.push_back(static_cast<std::uint32_t>(cell[e] - 1));
    out.coefficient.push_back(static_cast<std::int64_t>(coefficient[e]));
  }
  if (row.size() > 0) out.start.push_back(out.cell.size());
  out.row_lower.assign(out.start.size() - 1, 0);
  out.row_upper = out.row_lower;
  return out;
}

CellShares as_shares(const Rcpp::List& held, const Rcpp::NumericVector& total) {
  const Rcpp::IntegerVector row = held["row"], holder = held["holder"];
  const Rcpp::NumericVector value = held["value"];
  CellShares out;
  out.total.assign(total.begin(), total.end());
  R_xlen_t h = 0;
  for (R_xlen_t i = 1; i <= total.size(); ++i) {
    for (; h < row.size() && row[h] == i; ++h) {
      out.holder.push_back(static_cast<std::uint32_t>(holder[h]));
      out.value.push_back(static_cast<std::int64_t>(value[h]));
    }
    out.start.push_back(out.holder.size());
  }
  if (h < row.size()) throw InputError("The contributors to suppressed cells are damaged.");
  return out;
}

Rcpp::IntegerVector from_zero(const std::vector<std::uint32_t>& x) {
  Rcpp::IntegerVector out(x.begin(), x.end());
  for (int& i : out) ++i;
  return out;
}

Rcpp::NumericVector from_left(const std::vector<std::int64_t>& left) {
  Rcpp::NumericVector out(left.begin(), left.end());
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] == Clearing::kFree) out[static_cast<R_xlen_t>(i)] = NA_REAL;
  return out;
}

Rcpp::List from_sums(const ShareSums& found) {
  const auto list = [](const std::vector<FailedSum>& sums) {
    Rcpp::List out;
    for (const FailedSum& one : sums)
      out.push_back(Rcpp::List::create(
          Rcpp::_["cells"] = from_zero(one.sum.cell), Rcpp::_["rows"] = from_zero(one.sum.row),
          Rcpp::_["near"] = from_zero(one.cell), Rcpp::_["left"] = from_left(one.left)));
    return out;
  };
  return Rcpp::List::create(
      Rcpp::_["failed"] = list(found.failed), Rcpp::_["doubtful"] = list(found.doubtful),
      Rcpp::_["stopped"] = found.stopped, Rcpp::_["asked"] = static_cast<double>(found.n_asked));
}

}  // namespace

// Does some change of the cells of a group, whose entries are sorted by row, leave nothing negative
// where it must not be? TRUE and FALSE are proved. `left`: what each cell has, NA where anything
// may be left.
// [[Rcpp::export]]
Rcpp::LogicalVector cpp_clears_cells(const Rcpp::List& group, const Rcpp::NumericVector& left,
                                     double seconds) {
  const LinearSystem rows = as_rows(group, static_cast<std::size_t>(left.size()));
  const Tick tick = make_tick(R_NilValue);
  WorkClock watch(seconds, tick);
  Clearing clearing(rows, [&watch] { watch.check(); });
  for (R_xlen_t i = 0; i < left.size(); ++i)
    clearing.set(static_cast<std::size_t>(i), Rcpp::NumericVector::is_na(left[i])
                                                  ? Clearing::kFree
                                                  : static_cast<std::int64_t>(left[i]));
  try {
    const Cleared found = clearing.ask();
    return Rcpp::LogicalVector::create(
        found == Cleared::open ? NA_LOGICAL : static_cast<int>(found == Cleared::yes));
  } catch (const WorkTimeUp&) {
    return Rcpp::LogicalVector::create(NA_LOGICAL);
  }
}

// The sums of cells of a group that fail a rule about shares: `rule` as share_rule() has it,
// `held`: the contributors to the cells, largest first in each.
// [[Rcpp::export]]
Rcpp::List cpp_share_sums(const Rcpp::List& group, const Rcpp::List& held,
                          const Rcpp::NumericVector& total, const Rcpp::List& rule,
                          double seconds) {
  const LinearSystem rows = as_rows(group, static_cast<std::size_t>(total.size()));
  const auto part = [&](const char* name) {
    return static_cast<std::int64_t>(Rcpp::as<double>(rule[name]));
  };
  const ShareRule own{part("total"), part("lead"), part("other"),
                      static_cast<std::size_t>(part("others"))};
  const Tick tick = make_tick(R_NilValue);
  WorkClock watch(seconds, tick);
  return from_sums(share_sums(rows, as_shares(held, total), own, watch));
}

// The same of a rule about fewer than n contributors.
// [[Rcpp::export]]
Rcpp::List cpp_few_sums(const Rcpp::List& group, const Rcpp::List& held,
                        const Rcpp::NumericVector& total, double n, double seconds) {
  const LinearSystem rows = as_rows(group, static_cast<std::size_t>(total.size()));
  const Tick tick = make_tick(R_NilValue);
  WorkClock watch(seconds, tick);
  return from_sums(few_sums(rows, as_shares(held, total), static_cast<std::size_t>(n), watch));
}
