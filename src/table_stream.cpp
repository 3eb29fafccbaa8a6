#include "base/error.hpp"
#include "bridge.h"
#include "table/cell_stream.hpp"
#include "table_runs.h"

using namespace sdclattice;

namespace {

// A table whose cells come in blocks, within a limit of memory.
struct HeldStream {
  MemoryPlan memory;
  CellStream cells;

  HeldStream(std::size_t n_variables, bool repeats, SEXP plan)
      : memory(plan), cells(n_variables, repeats, memory.spill) {}
};

}  // namespace

// See class CellStream.
// [[Rcpp::export]]
SEXP cpp_open_cells(double n_variables, bool repeats, SEXP plan) {
  return Rcpp::XPtr<HeldStream>(
      new HeldStream(static_cast<std::size_t>(n_variables), repeats, plan));
}

// The end of a stream, and of its file.
// [[Rcpp::export]]
void cpp_close_cells(SEXP cells) {
  Rcpp::XPtr<HeldStream>(cells).release();
}

// `codes` is a list of integer vectors, one for each variable, as long as the checked counts.
// [[Rcpp::export]]
void cpp_add_cells(SEXP cells, const Rcpp::List& codes, const Rcpp::NumericVector& counts) {
  Rcpp::XPtr<HeldStream> stream(cells);
  std::vector<const std::int32_t*> columns;
  for (SEXP column : codes) {
    if (Rf_xlength(column) != counts.size())
      throw InputError("The columns of a block of cells are of different lengths.");
    columns.push_back(INTEGER_RO(column));
  }
  stream->cells.add(columns, counts.begin(), static_cast<std::size_t>(counts.size()));
}

// `maps` has for each code of each variable its 1-based level.
// [[Rcpp::export]]
Rcpp::List cpp_take_cells(SEXP cells, const Rcpp::IntegerVector& dim, const Rcpp::List& maps) {
  Rcpp::XPtr<HeldStream> stream(cells);
  std::vector<std::vector<std::uint32_t>> level_of;
  for (SEXP map : maps) {
    level_of.push_back(Rcpp::as<std::vector<std::uint32_t>>(map));
    for (std::uint32_t& level : level_of.back()) --level;
  }
  const Layout to = as_layout(dim);
  const Tick tick = make_tick(R_NilValue);
  if (!stream->cells.has_spilled()) {
    const Cells found = stream->cells.take(to, level_of, tick);
    return as_list(*rows_of(found), to.n_words(), stream->memory);
  }
  CellRuns runs(to.n_words(), stream->memory.spill, tick);
  stream->cells.take_in_runs(to, level_of, runs);
  return as_list(*runs.source(), to.n_words(), stream->memory);
}
