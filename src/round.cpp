// Bridge of controlled rounding.
#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "linear/circulation.hpp"
#include "round/rounding.hpp"
#include "round/rounding_nearest.hpp"
#include "round/rounding_posterior.hpp"
#include "round/rounding_search.hpp"

namespace {

std::vector<sdclattice::Partition> as_partitions(const Rcpp::List& parts) {
  std::vector<sdclattice::Partition> out;
  for (R_xlen_t k = 0; k < parts.size(); ++k)
    out.push_back(Rcpp::as<sdclattice::Partition>(parts[k]));
  return out;
}

// `network`: the list(down, up) of partitions.
sdclattice::Circulation as_circulation(const std::vector<std::int64_t>& counts,
                                       const Rcpp::List& network) {
  return sdclattice::make_circulation(counts, as_partitions(network["down"]),
                                      as_partitions(network["up"]));
}

// Eight bytes a word, the first the lowest, on every platform.
sdclattice::RandomWord word_source(const Rcpp::RawVector& bytes) {
  return [bytes, at = R_xlen_t(0)]() mutable {
    if (at + 8 > bytes.size())
      throw sdclattice::TooLargeError("The supply of random numbers is exhausted.");
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(bytes[at + i]) << (8 * i);
    at += 8;
    return word;
  };
}

Rcpp::NumericVector rounded_cells(const std::vector<std::int64_t>& edges, std::size_t n) {
  return Rcpp::NumericVector(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(n));
}

// `weights` has a vector for each cell: the prior weights of its counts from the lower limit on.
sdclattice::CellWeights as_cell_weights(const Rcpp::List& weights) {
  sdclattice::CellWeights out;
  out.start.push_back(0);
  for (R_xlen_t i = 0; i < weights.size(); ++i) {
    const Rcpp::NumericVector of_cell = weights[i];
    out.weight.insert(out.weight.end(), of_cell.begin(), of_cell.end());
    out.start.push_back(out.weight.size());
  }
  return out;
}

// `rows`: start, cell (1-based), target, room, cost.
sdclattice::RoundingRows as_rounding_rows(const Rcpp::List& rows, const Rcpp::NumericVector& cost) {
  sdclattice::RoundingRows out;
  for (double at : Rcpp::NumericVector(rows["start"]))
    out.start.push_back(static_cast<std::size_t>(at));
  for (int cell : Rcpp::IntegerVector(rows["cell"]))
    out.cells.push_back(static_cast<std::uint32_t>(cell - 1));
  out.target = as_whole(rows["target"]);
  out.row_cost = as_whole(rows["cost"]);
  out.room = Rcpp::as<std::vector<std::uint8_t>>(rows["room"]);
  out.cost = as_whole(cost);
  return out;
}

sdclattice::RoundingAim as_aim(const std::string& distance) {
  return distance == "cells" ? sdclattice::RoundingAim::cells : sdclattice::RoundingAim::all;
}

// `network` is NULL for a reader who knows the intervals only; `nearest` is empty for the unbiased
// procedure.
sdclattice::TableLikelihood as_likelihood(const Rcpp::Nullable<Rcpp::List>& network,
                                          const std::string& nearest, double base,
                                          const Rcpp::NumericVector& rounded, double max_nodes) {
  if (network.isNull()) return [](const std::vector<std::int64_t>&) { return 1.0; };
  const std::vector<std::int64_t> cells = as_whole(rounded);
  const sdclattice::Circulation shape = as_circulation(cells, Rcpp::List(network));
  const auto whole_base = static_cast<std::int64_t>(base);
  if (!nearest.empty())
    return sdclattice::nearest_likelihood(shape, whole_base, cells, as_aim(nearest));
  return sdclattice::procedure_likelihood(shape, whole_base, cells, as_size(max_nodes));
}

}  // namespace

// [[Rcpp::export]]
Rcpp::NumericVector cpp_round_randomly(const Rcpp::NumericVector& counts, const Rcpp::List& network,
                                       double base, const Rcpp::RawVector& words) {
  const sdclattice::Circulation x = as_circulation(as_whole(counts), network);
  return rounded_cells(sdclattice::round_randomly(x, static_cast<std::int64_t>(base),
                                                  word_source(words), make_tick(R_NilValue)),
                       x.n_cells);
}

// [[Rcpp::export]]
Rcpp::NumericVector cpp_round_nearest(const Rcpp::NumericVector& counts, const Rcpp::List& network,
                                      double base, const std::string& distance) {
  const sdclattice::Circulation x = as_circulation(as_whole(counts), network);
  return rounded_cells(sdclattice::round_nearest(x, static_cast<std::int64_t>(base),
                                                 as_aim(distance), make_tick(R_NilValue)),
                       x.n_cells);
}

// [[Rcpp::export]]
Rcpp::List cpp_search_rounding(const Rcpp::List& rows, const Rcpp::NumericVector& cost,
                               double moves, double seconds, SEXP progress) {
  const sdclattice::RoundingChoice found =
      sdclattice::search_rounding(as_rounding_rows(rows, cost), static_cast<std::uint64_t>(moves),
                                  seconds, make_tick(progress));
  return Rcpp::List::create(Rcpp::_["up"] = Rcpp::NumericVector(found.up.begin(), found.up.end()),
                            Rcpp::_["violation"] = static_cast<double>(found.violation),
                            Rcpp::_["stopped"] = found.stopped);
}

// [[Rcpp::export]]
Rcpp::List cpp_sum_rounding(const Rcpp::List& constraints, const Rcpp::List& weights,
                            const Rcpp::Nullable<Rcpp::List>& network, const std::string& nearest,
                            double base, const Rcpp::NumericVector& rounded, double max_tables,
                            double max_nodes, SEXP progress) {
  const sdclattice::RoundingLaw law =
      sdclattice::sum_over_tables(as_linear_system(constraints), as_cell_weights(weights),
                                  as_likelihood(network, nearest, base, rounded, max_nodes),
                                  as_size(max_tables), make_tick(progress));
  return Rcpp::List::create(Rcpp::_["sums"] = law.sums, Rcpp::_["total"] = law.total,
                            Rcpp::_["n_tables"] = law.n_tables,
                            Rcpp::_["n_compatible"] = law.n_compatible);
}

// A column of `sums` for each batch.
// [[Rcpp::export]]
Rcpp::List cpp_sample_rounding(const Rcpp::List& constraints, const Rcpp::List& weights,
                               const Rcpp::List& proposal,
                               const Rcpp::Nullable<Rcpp::List>& network,
                               const std::string& nearest, double base,
                               const Rcpp::NumericVector& rounded, double max_nodes, int batches,
                               int each, double seed, SEXP progress) {
  const sdclattice::SampledLaws found = sdclattice::sample_rounding_laws(
      as_linear_system(constraints), as_cell_weights(weights), as_cell_weights(proposal),
      as_likelihood(network, nearest, base, rounded, max_nodes), static_cast<std::size_t>(batches),
      static_cast<std::size_t>(each), static_cast<std::uint64_t>(seed), make_tick(progress));
  const int n = found.batch.empty() ? 0 : static_cast<int>(found.batch[0].sums.size());
  Rcpp::NumericMatrix sums(n, batches);
  Rcpp::NumericVector total(batches);
  for (int b = 0; b < batches; ++b) {
    const sdclattice::RoundingLaw& law = found.batch[static_cast<std::size_t>(b)];
    std::copy(law.sums.begin(), law.sums.end(), sums.column(b).begin());
    total[b] = law.total;
  }
  return Rcpp::List::create(Rcpp::_["sums"] = sums, Rcpp::_["total"] = total,
                            Rcpp::_["squares"] = found.squares);
}
