#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/error.hpp"
#include "bridge.h"
#include "linear/reader_search.hpp"

using namespace sdclattice;

namespace {

std::int64_t as_need(double value) {
  if (std::isnan(value)) throw InputError("What a reader knows must not be missing.");
  const double most = static_cast<double>(kNoLimit);
  if (std::abs(value) >= most) return value > 0 ? kNoLimit : -kNoLimit;
  return static_cast<std::int64_t>(value);
}

// Numbers from 1 to n, as many as another column has rows. A missing number is below 1.
void check_places(const Rcpp::IntegerVector& places, R_xlen_t rows, std::size_t n) {
  bool good = places.size() == rows;
  for (const int place : places) good = good && place >= 1 && static_cast<std::size_t>(place) <= n;
  if (!good) throw InputError("Readers and targets must be numbers of readers and cells.");
}

void check_rows(std::initializer_list<R_xlen_t> columns) {
  for (const R_xlen_t rows : columns)
    if (rows != *columns.begin())
      throw InputError("What readers know must be columns of one length.");
}

// Limits of readers as R holds them: `reader` and `cell` from 1, `lower` and `upper`.
std::vector<std::vector<ReaderLimit>> as_readers(int n, const Rcpp::List& known,
                                                 std::size_t n_cells) {
  const Rcpp::IntegerVector reader = known["reader"], cell = known["cell"];
  const Rcpp::NumericVector lower = known["lower"], upper = known["upper"];
  if (n < 0) throw InputError("The number of readers must not be negative.");
  check_rows({reader.size(), lower.size(), upper.size()});
  check_places(reader, reader.size(), static_cast<std::size_t>(n));
  check_places(cell, reader.size(), n_cells);
  std::vector<std::vector<ReaderLimit>> out(static_cast<std::size_t>(n));
  for (R_xlen_t i = 0; i < reader.size(); ++i)
    out[static_cast<std::size_t>(reader[i] - 1)].push_back(
        {static_cast<std::uint32_t>(cell[i] - 1), as_need(lower[i]), as_need(upper[i])});
  return out;
}

std::vector<ReaderTarget> as_targets(const Rcpp::List& targets, const Rcpp::List& own, int n,
                                     std::size_t n_cells) {
  const Rcpp::IntegerVector cell = targets["cell"], at = own["target"], reader = own["reader"];
  const Rcpp::NumericVector low = targets["low"], high = targets["high"], own_low = own["low"],
                            own_high = own["high"];
  const Rcpp::LogicalVector asked = own["asked"];
  check_rows({cell.size(), low.size(), high.size()});
  check_rows({at.size(), own_low.size(), own_high.size(), asked.size()});
  check_places(cell, cell.size(), n_cells);
  check_places(at, at.size(), static_cast<std::size_t>(cell.size()));
  check_places(reader, at.size(), static_cast<std::size_t>(n));
  std::vector<ReaderTarget> out(static_cast<std::size_t>(cell.size()));
  for (R_xlen_t t = 0; t < cell.size(); ++t) {
    ReaderTarget& target = out[static_cast<std::size_t>(t)];
    target.cell = static_cast<std::uint32_t>(cell[t] - 1);
    target.need = {as_need(low[t]), as_need(high[t])};
  }
  for (R_xlen_t i = 0; i < at.size(); ++i)
    out[static_cast<std::size_t>(at[i] - 1)].own.push_back(
        {static_cast<std::uint32_t>(reader[i] - 1),
         {as_need(own_low[i]), as_need(own_high[i])},
         asked[i] != 0});
  for (ReaderTarget& target : out)
    std::sort(target.own.begin(), target.own.end(),
              [](const OwnNeed& a, const OwnNeed& b) { return a.reader < b.reader; });
  return out;
}

Rcpp::NumericVector from_ends(const std::vector<Learned>& learned, bool upper) {
  Rcpp::NumericVector out(static_cast<R_xlen_t>(learned.size()));
  for (R_xlen_t i = 0; i < out.size(); ++i) {
    const Learned& one = learned[static_cast<std::size_t>(i)];
    const std::int64_t end = upper ? one.upper : one.lower;
    out[i] = end >= kNoLimit ? R_PosInf : static_cast<double>(end);
  }
  return out;
}

}  // namespace

// What each of n readers learns of the targets; numbers of readers and targets from 1. `truth`: the
// values of the true table, or none.
// [[Rcpp::export]]
Rcpp::List cpp_search_readers(const Rcpp::List& constraints, int n, const Rcpp::List& known,
                              const Rcpp::List& targets, const Rcpp::List& own, bool relaxed,
                              double seconds, double max_entries, const Rcpp::NumericVector& truth,
                              SEXP progress, int threads = 1) {
  ReaderSearchLimits limits;
  limits.threads = static_cast<std::size_t>(threads);
  limits.seconds = seconds;
  limits.max_entries = as_size(max_entries);
  limits.relaxed = relaxed;
  const LinearSystem system = as_linear_system(constraints);
  const std::size_t n_cells = system.lower.size();
  const ReaderFindings found =
      search_readers(system, as_readers(n, known, n_cells), as_targets(targets, own, n, n_cells),
                     limits, make_keeping_tick(progress), as_truth(truth));
  Rcpp::IntegerVector reader, target, unsure(found.unsure.begin(), found.unsure.end());
  for (const Learned& one : found.learned) {
    reader.push_back(static_cast<int>(one.reader) + 1);
    target.push_back(static_cast<int>(one.target) + 1);
  }
  for (int& t : unsure) ++t;
  return Rcpp::List::create(Rcpp::_["reader"] = reader, Rcpp::_["target"] = target,
                            Rcpp::_["lower"] = from_ends(found.learned, false),
                            Rcpp::_["upper"] = from_ends(found.learned, true),
                            Rcpp::_["unsure"] = unsure, Rcpp::_["interrupted"] = found.interrupted,
                            Rcpp::_["asked"] = static_cast<double>(found.n_asked),
                            Rcpp::_["programmes"] = static_cast<double>(found.n_programmes),
                            Rcpp::_["witnesses"] = static_cast<double>(found.n_witnesses));
}
