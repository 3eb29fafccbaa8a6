// Bridge of what is judged before the draw: forward laws, simulated publications, known cells.
#include <cmath>

#include "bridge.h"
#include "perturb/certain.hpp"
#include "perturb/change_laws.hpp"
#include "perturb/revealing.hpp"
#include "perturb/simulate.hpp"

using namespace sdclattice;

namespace {

std::vector<std::int64_t> whole(const Rcpp::NumericVector& counts) {
  return std::vector<std::int64_t>(counts.begin(), counts.end());
}

template <typename To>
std::vector<To> plain_vector(const Rcpp::IntegerVector& x) {
  return std::vector<To>(x.begin(), x.end());
}

Rcpp::NumericVector from_figures(const std::vector<double>& x) {
  return Rcpp::NumericVector(x.begin(), x.end());
}

ForwardLimits forward_limits(double max_tables, double max_work) {
  return {as_size(max_tables), max_work};
}

// Steps that skip zeros are welcome here.
CycleSet set_of(const Rcpp::List& mechanism) {
  return as_cycle_set(mechanism["cycles"]);
}

int kind_number(const ChangeLaw& law) {
  return law.kind == ChangeLaw::Kind::convolution ? 1 : 2;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::IntegerVector cpp_cell_components(const Rcpp::List& cycles) {
  const std::vector<std::int32_t> out = cell_components(as_cycle_set(cycles));
  return Rcpp::IntegerVector(out.begin(), out.end());
}

// Moments of the change of each cell that has an exact law: kind 1 convolution, 2 enumeration; kind
// 0 has none.
// [[Rcpp::export]]
Rcpp::List cpp_forward_figures(const Rcpp::NumericVector& counts, const Rcpp::List& mechanism,
                               double max_tables, double max_work) {
  const R_xlen_t n = counts.size();
  Rcpp::IntegerVector kind(n);
  Rcpp::NumericVector same(n), change(n), size(n), square(n);
  const OnLaw on_law = [&](std::size_t cell, const ChangeLaw& law) {
    kind[cell] = kind_number(law);
    for (std::size_t i = 0; i < law.probability.size(); ++i) {
      const double p = law.probability[i], d = law.lowest + static_cast<double>(i);
      if (d == 0) same[cell] += p;
      change[cell] += p * d;
      size[cell] += p * std::fabs(d);
      square[cell] += p * d * d;
    }
  };
  forward_laws(whole(counts), set_of(mechanism), as_mechanism(mechanism),
               forward_limits(max_tables, max_work), on_law, make_tick(R_NilValue));
  return Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["same"] = same,
                            Rcpp::_["change"] = change, Rcpp::_["size"] = size,
                            Rcpp::_["square"] = square);
}

// The laws themselves, long: 1-based cell, change, probability, kind.
// [[Rcpp::export]]
Rcpp::List cpp_forward_laws(const Rcpp::NumericVector& counts, const Rcpp::List& mechanism,
                            double max_tables, double max_work) {
  std::vector<double> cell, change, probability, kind;
  const OnLaw on_law = [&](std::size_t at, const ChangeLaw& law) {
    for (std::size_t i = 0; i < law.probability.size(); ++i) {
      if (law.probability[i] == 0) continue;
      cell.push_back(static_cast<double>(at) + 1);
      change.push_back(law.lowest + static_cast<double>(i));
      probability.push_back(law.probability[i]);
      kind.push_back(kind_number(law));
    }
  };
  forward_laws(whole(counts), set_of(mechanism), as_mechanism(mechanism),
               forward_limits(max_tables, max_work), on_law, make_tick(R_NilValue));
  return Rcpp::List::create(
      Rcpp::_["cell"] = from_figures(cell), Rcpp::_["change"] = from_figures(change),
      Rcpp::_["probability"] = from_figures(probability), Rcpp::_["kind"] = from_figures(kind));
}

// NULL beyond the limits. `change`: cells x tables; `weight`: components x tables.
// [[Rcpp::export]]
SEXP cpp_component_tables(const Rcpp::NumericVector& counts, const Rcpp::List& mechanism,
                          double max_tables, double max_work) {
  const ComponentTables out =
      component_tables(whole(counts), set_of(mechanism), as_mechanism(mechanism),
                       forward_limits(max_tables, max_work), make_tick(R_NilValue));
  if (out.n_tables == 0) return R_NilValue;
  const auto n = static_cast<int>(out.n_tables);
  return Rcpp::List::create(Rcpp::_["change"] = Rcpp::IntegerMatrix(static_cast<int>(counts.size()),
                                                                    n, out.change.begin()),
                            Rcpp::_["weight"] = Rcpp::NumericMatrix(
                                static_cast<int>(out.n_components), n, out.weight.begin()));
}

// Replicates first, ..., first + n - 1; `figures` has a row for each figure.
// [[Rcpp::export]]
Rcpp::List cpp_simulate_publications(const Rcpp::NumericVector& counts,
                                     const Rcpp::IntegerVector& dim,
                                     const Rcpp::LogicalVector& small, const Rcpp::List& mechanism,
                                     double first, double n, double seed, SEXP progress,
                                     double threads = 1) {
  const std::vector<std::uint8_t> is_small(small.begin(), small.end());
  const Simulation out = simulate_publications(
      whole(counts), plain_vector<std::size_t>(dim), is_small, set_of(mechanism),
      as_mechanism(mechanism), static_cast<std::size_t>(first), static_cast<std::size_t>(n),
      static_cast<std::uint64_t>(seed), make_tick(progress), static_cast<std::size_t>(threads));
  return Rcpp::List::create(
      Rcpp::_["same"] = from_figures(out.same), Rcpp::_["change"] = from_figures(out.change),
      Rcpp::_["size"] = from_figures(out.size), Rcpp::_["square"] = from_figures(out.square),
      Rcpp::_["figures"] = Rcpp::NumericMatrix(static_cast<int>(kFigures), static_cast<int>(n),
                                               out.figures.begin()));
}

// [[Rcpp::export]]
Rcpp::NumericVector cpp_simulate_publication(const Rcpp::NumericVector& counts,
                                             const Rcpp::List& mechanism, double seed,
                                             double replicate) {
  const Perturbed out =
      simulate_publication(whole(counts), set_of(mechanism), as_mechanism(mechanism),
                           static_cast<std::uint64_t>(seed), static_cast<std::size_t>(replicate));
  return Rcpp::NumericVector(out.counts.begin(), out.counts.end());
}

// [[Rcpp::export]]
Rcpp::NumericVector cpp_certain_cells(const Rcpp::NumericVector& counts,
                                      const Rcpp::LogicalVector& small, const Rcpp::List& mechanism,
                                      double seed, double publications, double runs, double work) {
  const std::vector<std::uint8_t> is_small(small.begin(), small.end());
  const CertainCells out =
      certain_cells(whole(counts), is_small, set_of(mechanism), as_mechanism(mechanism),
                    static_cast<std::uint64_t>(seed), {as_size(publications), as_size(runs), work},
                    make_tick(R_NilValue));
  return Rcpp::NumericVector::create(Rcpp::_["seen"] = out.seen, Rcpp::_["certain"] = out.certain,
                                     Rcpp::_["all"] = out.all ? 1.0 : 0.0);
}

// `shifts`: laws x draws, as cpp_sample_posterior() gives them.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_most_revealing(const Rcpp::IntegerMatrix& shifts,
                                       const Rcpp::IntegerVector& truth,
                                       const Rcpp::IntegerVector& component,
                                       const Rcpp::LogicalVector& target, int least) {
  const std::vector<std::uint8_t> is_target(target.begin(), target.end());
  return from_figures(most_revealing(
      plain_vector<std::int8_t>(shifts), plain_vector<std::int32_t>(truth),
      plain_vector<std::int32_t>(component), is_target, static_cast<std::size_t>(least)));
}
