// Bridge of small-count rounding, and of the published cells above leaf cells.
#include "bridge.h"
#include "round/cell_sums.hpp"
#include "round/small_rounding.hpp"
#include "table_published.h"

namespace {

// `plan`: dim, keys, counts, n_nodes and crossings of a table and its published cells, which it
// keeps.
struct Published {
  Rcpp::RawVector keys;
  Rcpp::NumericVector counts;
  sdclattice::Layout from, to;
  sdclattice::CellsView cells;
  std::vector<sdclattice::Crossing> crossings;
  std::size_t max_cells;

  explicit Published(const Rcpp::List& plan)
      : keys(plan["keys"]),
        counts(plan["counts"]),
        from(as_layout(plan["dim"])),
        to(as_layout(plan["n_nodes"])),
        cells(as_view(from, keys, counts)),
        crossings(as_crossings(plan["crossings"], plan["dim"], plan["n_nodes"])),
        max_cells(as_size(Rcpp::as<double>(plan["max_cells"]))) {}

  sdclattice::CellSums sums(const sdclattice::Tick& tick) const {
    return sdclattice::CellSums(from, cells, to, crossings, max_cells, tick);
  }
};

std::uint64_t as_seed(const Rcpp::RawVector& bytes) {
  std::uint64_t out = 0;
  for (R_xlen_t i = 0; i < bytes.size() && i < 8; ++i)
    out |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return out;
}

}  // namespace

// The cells that changed, 1-based among the stored ones, and the base or 0 for each.
// [[Rcpp::export]]
Rcpp::List cpp_round_small(const Rcpp::List& plan, double base, const Rcpp::RawVector& seed,
                           double trials, double seconds, SEXP progress) {
  const Published x(plan);
  const sdclattice::Tick tick = make_tick(progress);
  sdclattice::CellSums sums = x.sums(tick);
  const auto found =
      sdclattice::round_small(x.cells, sums, static_cast<std::int64_t>(base), as_seed(seed),
                              {static_cast<std::uint64_t>(trials), seconds}, tick);
  Rcpp::NumericVector to(found.up.begin(), found.up.end());
  for (double& multiple : to) multiple *= base;
  return Rcpp::List::create(Rcpp::_["cell"] = one_based(found.cells), Rcpp::_["to"] = to,
                            Rcpp::_["stopped"] = found.stopped);
}

// How far the published cells of a rounded table are from those of the original.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_published_distance(const Rcpp::List& original, const Rcpp::List& rounded,
                                           double base) {
  const Published a(original), b(rounded);
  const sdclattice::Tick tick = make_tick(R_NilValue);
  const auto cells = [&](const Published& x) {
    return sdclattice::published_cells(x.from, x.cells, x.to, x.crossings, x.max_cells, tick);
  };
  const auto found =
      sdclattice::published_distance(cells(a), cells(b), static_cast<std::int64_t>(base));
  return Rcpp::NumericVector::create(
      Rcpp::_["greatest"] = static_cast<double>(found.greatest),
      Rcpp::_["absolute"] = found.absolute, Rcpp::_["squares"] = found.squares,
      Rcpp::_["roots"] = found.roots, Rcpp::_["original"] = found.original,
      Rcpp::_["changed"] = static_cast<double>(found.changed),
      Rcpp::_["small_left"] = static_cast<double>(found.small_left),
      Rcpp::_["far"] = static_cast<double>(found.far));
}

// The published cells that are not zero: keys and counts; and for each stored cell, from start[i]
// on, the 1-based published cells above it.
// [[Rcpp::export]]
Rcpp::List cpp_cell_sums(const Rcpp::List& plan, double max_pairs) {
  const Published x(plan);
  sdclattice::CellSums sums = x.sums(make_tick(R_NilValue));
  std::vector<double> start(1, 0);
  std::vector<int> above;
  for (std::size_t c = 0; c < x.cells.n; ++c) {
    for (std::uint32_t s : sums.above(c)) above.push_back(static_cast<int>(s) + 1);
    if (static_cast<double>(above.size()) > max_pairs)
      throw sdclattice::TooLargeError("The cells are part of too many published cells.");
    start.push_back(static_cast<double>(above.size()));
  }
  const std::size_t n = sums.n_sums(), width = x.to.n_words();
  Rcpp::RawVector keys(static_cast<R_xlen_t>(8 * width * n));
  Rcpp::NumericVector counts(static_cast<R_xlen_t>(n));
  for (std::size_t s = 0; s < n; ++s) {
    std::copy_n(sums.key(s), width, reinterpret_cast<std::uint64_t*>(RAW(keys)) + s * width);
    counts[static_cast<R_xlen_t>(s)] = static_cast<double>(sums.value(s));
  }
  return Rcpp::List::create(Rcpp::_["keys"] = keys, Rcpp::_["counts"] = counts,
                            Rcpp::_["start"] = start, Rcpp::_["above"] = above);
}

// The place of each stored cell of x among those of y, 1-based, or NA. Both are tables of these
// levels, sorted by key.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_match_cells(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                    const Rcpp::NumericVector& counts,
                                    const Rcpp::RawVector& other_keys,
                                    const Rcpp::NumericVector& other_counts) {
  const sdclattice::Layout layout = as_layout(dim);
  const std::vector<std::size_t> found = sdclattice::match_cells(
      layout, as_view(layout, keys, counts), as_view(layout, other_keys, other_counts));
  Rcpp::IntegerVector out(counts.size(), NA_INTEGER);
  for (R_xlen_t i = 0; i < out.size(); ++i)
    if (found[static_cast<std::size_t>(i)] != sdclattice::kNoCell)
      out[i] = static_cast<int>(found[static_cast<std::size_t>(i)]) + 1;
  return out;
}
