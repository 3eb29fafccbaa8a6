// Bridge of counts on a map of hexagons.
#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "hex/hex_attack.hpp"
#include "hex/hex_emptying.hpp"
#include "hex/hex_flow.hpp"
#include "hex/hex_grid.hpp"
#include "hex/hex_moves.hpp"
#include "hex/hex_outliers.hpp"
#include "hex/hex_redistribute.hpp"

namespace {

using sdclattice::HexMap;
using sdclattice::HexMove;

// `map` is a list with q, r and count, by position, counts positive.
HexMap as_hex_map(const Rcpp::List& map) {
  HexMap out{as_whole(map["q"]), as_whole(map["r"]), as_whole(map["count"])};
  sdclattice::check_hex_map(out);
  return out;
}

Rcpp::NumericVector hex_counts(const HexMap& map) {
  return Rcpp::NumericVector(map.count.begin(), map.count.end());
}

// 1-based; 0 for none.
Rcpp::NumericVector as_cells(const std::vector<std::uint32_t>& cells) {
  Rcpp::NumericVector out(static_cast<R_xlen_t>(cells.size()));
  std::transform(cells.begin(), cells.end(), out.begin(),
                 [](std::uint32_t i) { return i == sdclattice::HexIndex::kNone ? 0.0 : i + 1.0; });
  return out;
}

// Cells are 1-based.
Rcpp::List as_moves(const HexMap& map, const std::vector<HexMove>& moves) {
  const auto n = static_cast<R_xlen_t>(moves.size());
  Rcpp::NumericVector from(n), to(n), count(n), distance(n);
  for (R_xlen_t k = 0; k < n; ++k) {
    const HexMove& m = moves[static_cast<std::size_t>(k)];
    from[k] = m.from + 1.0;
    to[k] = m.to + 1.0;
    count[k] = static_cast<double>(m.amount);
    distance[k] = static_cast<double>(map.distance(m.from, m.to));
  }
  return Rcpp::List::create(Rcpp::_["from"] = from, Rcpp::_["to"] = to, Rcpp::_["count"] = count,
                            Rcpp::_["distance"] = distance);
}

Rcpp::List as_result(const HexMap& map, const std::vector<HexMove>& moves) {
  return Rcpp::List::create(
      Rcpp::_["count"] = hex_counts(map), Rcpp::_["moves"] = as_moves(map, moves),
      Rcpp::_["mu"] = static_cast<double>(sdclattice::total_distance(map, moves)));
}

sdclattice::HexOrder as_order(const std::string& order) {
  return order == "smallest"  ? sdclattice::HexOrder::smallest
         : order == "largest" ? sdclattice::HexOrder::largest
                              : sdclattice::HexOrder::position;
}

std::vector<HexMove> fill(HexMap& map, std::int64_t t, const std::string& method,
                          const std::string& order, double most_nodes,
                          const sdclattice::Tick& tick) {
  if (method == "local") return sdclattice::fill_locally(map, t, as_order(order), tick);
  if (method == "global") return sdclattice::fill_globally(map, t, most_nodes, tick);
  return sdclattice::fill_optimally(map, t, most_nodes, tick);
}

}  // namespace

// For each cell the number of its outlier, from 1, or 0.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_find_outliers(const Rcpp::List& map, double t) {
  const HexMap x = as_hex_map(map);
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(x.size()));
  int number = 0;
  for (const auto& outlier : sdclattice::find_outliers(x, static_cast<std::int64_t>(t))) {
    ++number;
    for (std::size_t k = 0; k < outlier.size; ++k) out[outlier.cell[k]] = number;
  }
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_redistribute_outliers(const Rcpp::List& map, double t) {
  HexMap x = as_hex_map(map);
  const auto moves = sdclattice::redistribute_outliers(x, static_cast<std::int64_t>(t));
  return as_result(x, moves);
}

// `most_nodes` is negative for the default size of the grid.
// [[Rcpp::export]]
Rcpp::List cpp_fill_hexagons(const Rcpp::List& map, double t, const std::string& method,
                             const std::string& order, double most_nodes, SEXP progress) {
  HexMap x = as_hex_map(map);
  const auto moves =
      fill(x, static_cast<std::int64_t>(t), method, order,
           most_nodes < 0 ? sdclattice::default_grid(x) : most_nodes, make_tick(progress));
  return as_result(x, moves);
}

// [[Rcpp::export]]
Rcpp::List cpp_empty_hexagons(const Rcpp::List& map, double t, const Rcpp::LogicalVector& emptied) {
  HexMap x = as_hex_map(map);
  const auto moves = sdclattice::empty_and_fill(x, static_cast<std::int64_t>(t),
                                                std::vector<bool>(emptied.begin(), emptied.end()),
                                                make_tick(R_NilValue));
  return as_result(x, moves);
}

// The best choice of emptied cells; NULL where there is none.
// [[Rcpp::export]]
SEXP cpp_best_emptying(const Rcpp::List& map, double t, double cost) {
  std::vector<bool> emptied;
  if (!sdclattice::best_emptying(as_hex_map(map), static_cast<std::int64_t>(t), cost, emptied,
                                 make_tick(R_NilValue)))
    return R_NilValue;
  return Rcpp::LogicalVector(emptied.begin(), emptied.end());
}

// Cells are 1-based; 0 where there is no haven. NULL where there are too many arcs.
// [[Rcpp::export]]
SEXP cpp_emptying_arcs(const Rcpp::List& map, double t, double cost, double most) {
  const HexMap x = as_hex_map(map);
  sdclattice::EmptyingArcs out;
  try {
    out = sdclattice::emptying_arcs(x, static_cast<std::int64_t>(t), cost, as_size(most),
                                    make_tick(R_NilValue));
  } catch (const sdclattice::TooLargeError&) {
    return R_NilValue;
  }
  return Rcpp::List::create(
      Rcpp::_["haven"] = as_cells(out.haven),
      Rcpp::_["way"] = Rcpp::NumericVector(out.way.begin(), out.way.end()),
      Rcpp::_["from"] = as_cells(out.from), Rcpp::_["to"] = as_cells(out.to),
      Rcpp::_["distance"] = Rcpp::NumericVector(out.distance.begin(), out.distance.end()));
}

// A column for each original.
// [[Rcpp::export]]
Rcpp::NumericMatrix cpp_hex_originals(const Rcpp::List& map, double t, const std::string& method,
                                      const std::string& order, bool no_outliers, double most) {
  const HexMap x = as_hex_map(map);
  const auto threshold = static_cast<std::int64_t>(t);
  const sdclattice::Tick tick = make_tick(R_NilValue);
  const double most_nodes = sdclattice::default_grid(x);
  const std::vector<std::int64_t> out = sdclattice::find_hex_originals(
      x, threshold, no_outliers,
      [&](HexMap& filled) { fill(filled, threshold, method, order, most_nodes, tick); },
      as_size(most), tick);
  const auto n = static_cast<int>(x.size());
  return Rcpp::NumericMatrix(n, n == 0 ? 0 : static_cast<int>(out.size()) / n, out.begin());
}
