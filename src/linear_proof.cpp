#include <algorithm>

#include "bridge.h"
#include "linear/end_certificates.hpp"
#include "linear_tables.h"

using namespace sdclattice;

Rcpp::List from_tables(const std::vector<TableChange>& tables) {
  std::vector<double> start{0}, value;
  std::vector<int> cell;
  for (const TableChange& change : tables) {
    for (std::uint32_t i : change.cell) cell.push_back(static_cast<int>(i) + 1);
    value.insert(value.end(), change.value.begin(), change.value.end());
    start.push_back(static_cast<double>(cell.size()));
  }
  return Rcpp::List::create(Rcpp::_["start"] = start, Rcpp::_["cell"] = cell,
                            Rcpp::_["value"] = value);
}

namespace {

std::vector<AskedEnd> as_asked_ends(const Rcpp::IntegerVector& cell,
                                    const Rcpp::LogicalVector& upper,
                                    const Rcpp::NumericVector& value) {
  std::vector<AskedEnd> out;
  for (R_xlen_t k = 0; k < cell.size(); ++k)
    out.push_back({static_cast<std::uint32_t>(cell[k] - 1), upper[k] ? 1 : -1,
                   value[k] == R_PosInf ? kNoLimit : static_cast<std::int64_t>(value[k])});
  return out;
}

Rcpp::NumericVector places(const std::vector<std::size_t>& x) {
  Rcpp::NumericVector out(static_cast<R_xlen_t>(x.size()), NA_REAL);
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k] != SIZE_MAX) out[static_cast<R_xlen_t>(k)] = static_cast<double>(x[k]) + 1;
  return out;
}

// Nodes of all proofs; a leaf has no cell (0), and the next of the combinations.
Rcpp::List from_proofs(const std::vector<EndProof>& proofs) {
  std::vector<double> start{0}, at, row_start{0}, row, times;
  std::vector<int> cell;
  for (const EndProof& proof : proofs) {
    for (const EndProof::Node& node : proof.nodes) {
      cell.push_back(node.cell == UINT32_MAX ? 0 : static_cast<int>(node.cell) + 1);
      at.push_back(static_cast<double>(node.at));
    }
    start.push_back(static_cast<double>(cell.size()));
    for (const Combination& leaf : proof.leaves) {
      for (std::uint32_t r : leaf.row) row.push_back(static_cast<double>(r) + 1);
      times.insert(times.end(), leaf.times.begin(), leaf.times.end());
      row_start.push_back(static_cast<double>(row.size()));
    }
  }
  return Rcpp::List::create(Rcpp::_["start"] = start, Rcpp::_["cell"] = cell, Rcpp::_["at"] = at,
                            Rcpp::_["row_start"] = row_start, Rcpp::_["row"] = row,
                            Rcpp::_["times"] = times);
}

}  // namespace

// Certificates of ends of cells (1-based): `upper` says which end, `value` where it is.
// [[Rcpp::export]]
Rcpp::List cpp_certify_ends(const Rcpp::List& constraints, const Rcpp::IntegerVector& cell,
                            const Rcpp::LogicalVector& upper, const Rcpp::NumericVector& value,
                            double seconds, double max_entries, SEXP progress) {
  CertificateLimits limits;
  limits.seconds = seconds;
  limits.max_entries = as_size(max_entries);
  const EndCertificates found = certify_ends(
      as_whole_system(constraints), as_asked_ends(cell, upper, value), limits, make_tick(progress));
  return Rcpp::List::create(
      Rcpp::_["base"] = Rcpp::NumericVector(found.base.begin(), found.base.end()),
      Rcpp::_["tables"] = from_tables(found.tables), Rcpp::_["proofs"] = from_proofs(found.proofs),
      Rcpp::_["table"] = places(found.table), Rcpp::_["proof"] = places(found.proof),
      Rcpp::_["directions"] = from_tables(found.directions),
      Rcpp::_["direction"] = places(found.direction), Rcpp::_["late"] = found.late);
}
