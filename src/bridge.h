// What the bridge files share: the tick that checks for interrupts and moves a progress bar.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/tick.hpp"
#include "base/work_clock.hpp"
#include "base_vectors.h"
#include "sets/chordal.hpp"
#include "table/risk_cells.hpp"
#include "table/table.hpp"

// What a file does with these it gets from their own headers; most files need few of them.
namespace sdclattice {
class AdditiveUtility;
struct Bands;
struct CycleSet;
struct LinearSystem;
struct Mechanism;
struct NodeFamilies;
struct WidthLimits;
}  // namespace sdclattice

// The expanded cycles of an sdc_cycles object (cycle.cpp), numbered along their ring inside a band,
// band after band; and an sdc_mechanism's whole sequence of steps, 0-based (perturb.cpp).
sdclattice::CycleSet as_cycle_set(const Rcpp::List& cycles);
// The same as a rule, where the set is bands that share no line.
std::optional<sdclattice::Bands> as_bands(const Rcpp::List& cycles);
R_xlen_t cycle_count(const Rcpp::List& cycles);
R_xlen_t cover_length(const Rcpp::List& cycles);
sdclattice::Mechanism as_mechanism(const Rcpp::List& mechanism);

// The shape and the cells of an sdc_table (table.cpp); its keys are checked against the shape.
sdclattice::Layout as_layout(const Rcpp::IntegerVector& dim);
sdclattice::CellsView as_view(const sdclattice::Layout& layout, const Rcpp::RawVector& keys,
                              const Rcpp::NumericVector& counts);

// The system of an sdc_constraints object (linear.cpp).
sdclattice::LinearSystem as_linear_system(const Rcpp::List& constraints);
// The same with the rows of one cell, so that rows have the numbers that they have in R.
sdclattice::LinearSystem as_whole_system(const Rcpp::List& constraints);
// The families of a variable's nodes, as cpp_merge_labels() gives them (linear_cells.cpp).
sdclattice::NodeFamilies as_families(const Rcpp::List& families);
// A table that a search may start from; one with a missing number is none.
std::vector<std::int64_t> as_truth(const Rcpp::NumericVector& truth);

// Sets of variables, 1-based in R; and a table with its cells at risk, which must outlive the
// result (release.cpp).
std::vector<sdclattice::VariableSet> as_variable_sets(const Rcpp::List& sets);
Rcpp::List from_variable_sets(const std::vector<sdclattice::VariableSet>& sets);
std::vector<sdclattice::SubTable> as_sub_tables(const Rcpp::List& sets);
Rcpp::List from_sub_tables(const std::vector<sdclattice::SubTable>& masks);
sdclattice::RiskCells as_risk_cells(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                    const Rcpp::NumericVector& counts,
                                    const Rcpp::IntegerVector& at_risk);
// A release_problem() of R: the table, reduced where it says so, with its cells at risk, and the
// required width (release.cpp). R's vectors are held, for the cells are views of them.
struct HeldProblem {
  Rcpp::RawVector keys;
  Rcpp::NumericVector counts;
  sdclattice::RiskCells cells;

  explicit HeldProblem(const Rcpp::List& problem);
};
std::int64_t as_beta(const Rcpp::List& problem);
// What width_limits() gives in R (release_exact.cpp).
sdclattice::WidthLimits as_width_limits(const Rcpp::List& limits);
// What additive_utility() gives in R (release.cpp).
sdclattice::AdditiveUtility as_additive_utility(const Rcpp::List& parts);

// A limit that R holds as a double; with addresses of 32 bits, what they can reach is limit enough.
inline std::size_t as_size(double x) {
  return static_cast<std::size_t>(std::min(x, static_cast<double>(SIZE_MAX / 2)));
}

// `progress` is NULL or an R function of the share done. The tick throws on a user interrupt.
inline sdclattice::Tick make_tick(SEXP progress) {
  if (Rf_isNull(progress)) return [](double) { Rcpp::checkUserInterrupt(); };
  Rcpp::Function show(progress);
  return [show](double done) {
    Rcpp::checkUserInterrupt();
    show(done);
  };
}

// As make_tick(), for work that keeps what it has found when it is interrupted. A function of R
// that caught an interrupt itself returns TRUE.
inline sdclattice::Tick make_keeping_tick(SEXP progress) {
  const bool shown = !Rf_isNull(progress);
  return [progress = Rcpp::RObject(progress), shown](double done) {
    try {
      Rcpp::checkUserInterrupt();
    } catch (const Rcpp::internal::InterruptedException&) {
      throw sdclattice::WorkInterrupted();
    }
    if (!shown) return;
    const Rcpp::RObject ends = Rcpp::Function(progress)(done);
    if (Rcpp::is<bool>(ends) && Rcpp::as<bool>(ends)) throw sdclattice::WorkInterrupted();
  };
}
