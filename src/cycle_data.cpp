// Bridge of the data cycles.
#include "cycle/cycle_data.hpp"

#include "bridge.h"

// `nonzero` has a flag for each cell of a two-way table. Cells are 1-based, start is 0-based.
// [[Rcpp::export]]
Rcpp::List cpp_draw_data_cycles(Rcpp::LogicalVector nonzero, double n_rows, double n_columns,
                                int chances, double seed, SEXP progress) {
  const std::vector<std::uint8_t> flags(nonzero.begin(), nonzero.end());
  const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(seed));
  sdclattice::DataCycles out = sdclattice::cycles_data(flags, static_cast<std::size_t>(n_rows),
                                                       static_cast<std::size_t>(n_columns), chances,
                                                       key, make_tick(progress));
  for (std::int32_t& at : out.cycles.cell) ++at;
  for (std::int32_t& at : out.still) ++at;
  return Rcpp::List::create(
      Rcpp::_["start"] = Rcpp::IntegerVector(out.cycles.start.begin(), out.cycles.start.end()),
      Rcpp::_["cell"] = Rcpp::IntegerVector(out.cycles.cell.begin(), out.cycles.cell.end()),
      Rcpp::_["coefficient"] = Rcpp::IntegerVector(out.cycles.coef.begin(), out.cycles.coef.end()),
      Rcpp::_["still"] = Rcpp::IntegerVector(out.still.begin(), out.still.end()));
}
