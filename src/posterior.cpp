#include "posterior/posterior.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <string>
#include <utility>

#include "base/error.hpp"
#include "bridge.h"
#include "fibre/weighted.hpp"
#include "posterior/originals.hpp"
#include "posterior/reverse.hpp"
#include "posterior/sums.hpp"

using namespace sdclattice;

namespace {

PriorFactor as_factor(const Rcpp::List& factor) {
  const std::string kind = factor["kind"];
  const Rcpp::NumericVector value = factor["value"];
  PriorFactor out{};
  out.kind = kind == "poisson"    ? PriorFactor::Kind::poisson
             : kind == "at_least" ? PriorFactor::Kind::at_least
             : kind == "known"    ? PriorFactor::Kind::known
                                  : PriorFactor::Kind::weights;
  out.value = {value.begin(), static_cast<std::size_t>(value.size())};
  out.width = as_size(Rcpp::as<double>(factor["width"]));
  return out;
}

// The factors point into the numbers of the list, which must outlive them.
Prior as_prior(const Rcpp::List& factors) {
  Prior prior;
  for (R_xlen_t i = 0; i < factors.size(); ++i) prior.factors.push_back(as_factor(factors[i]));
  return prior;
}

// `mechanisms` and `published`: one for each publication of the same table.
std::vector<Publication> as_sources(const Rcpp::List& mechanisms, const Rcpp::List& published) {
  std::vector<Publication> sources;
  for (R_xlen_t k = 0; k < mechanisms.size(); ++k) {
    const Rcpp::List mechanism = mechanisms[k];
    const Rcpp::NumericVector table = published[k];
    const Rcpp::List cycles = mechanism["cycles"];
    std::optional<Bands> bands = as_bands(cycles);
    sources.push_back({bands ? CycleSet{} : as_cycle_set(cycles), as_mechanism(mechanism),
                       table.begin(), std::move(bands)});
    if (sources.back().n_cells() != static_cast<std::size_t>(table.size()))
      throw InputError("The published table and the cycles differ in their number of cells.");
  }
  return sources;
}

PosteriorModel as_model(const Rcpp::List& mechanisms, const Rcpp::List& published, bool enumerate,
                        double max_tables, std::int32_t* law_of_cell = nullptr) {
  return PosteriorModel(as_sources(mechanisms, published),
                        enumerate ? Inference::enumeration : Inference::automatic,
                        as_size(max_tables), law_of_cell);
}

// One column a draw.
Rcpp::IntegerMatrix shift_columns(const std::vector<std::int8_t>& shifts, int n) {
  Rcpp::IntegerMatrix out(static_cast<int>(shifts.size() / static_cast<std::size_t>(n)), n);
  std::copy(shifts.begin(), shifts.end(), out.begin());
  return out;
}

// Making a model takes memory that is free again before the laws need theirs; the C library would
// keep it.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_infer_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                               const Rcpp::List& factors, bool enumerate, double max_tables,
                               SEXP progress, double threads) {
  Rcpp::IntegerVector law_of_cell(Rcpp::no_init(Rf_xlength(published[0])));
  PosteriorModel model =
      as_model(mechanisms, published, enumerate, max_tables, law_of_cell.begin());
  give_back_memory();
  Rcpp::NumericMatrix laws(model.width(), static_cast<int>(model.n_laws()));
  const double log_evidence = model.infer(as_prior(factors), laws.begin(), make_tick(progress),
                                          static_cast<std::size_t>(threads));
  return Rcpp::List::create(
      Rcpp::_["law"] = law_of_cell, Rcpp::_["laws"] = laws, Rcpp::_["reach"] = model.reach(),
      Rcpp::_["log_evidence"] = log_evidence, Rcpp::_["n_originals"] = model.n_enumerated());
}

// [[Rcpp::export]]
double cpp_evidence_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                              const Rcpp::List& factors, bool enumerate, double max_tables,
                              double threads) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  return model.log_evidence(as_prior(factors), make_tick(R_NilValue),
                            static_cast<std::size_t>(threads));
}

// Draws of the changes of each law, one column a draw.
// [[Rcpp::export]]
Rcpp::IntegerMatrix cpp_sample_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                                         const Rcpp::List& factors, bool enumerate,
                                         double max_tables, int n) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  std::vector<std::int8_t> shifts(model.n_laws() * static_cast<std::size_t>(n));
  model.sample(
      as_prior(factors), static_cast<std::size_t>(n), [] { return R::unif_rand(); }, shifts.data(),
      make_tick(R_NilValue));
  return shift_columns(shifts, n);
}

namespace {

std::vector<Publication> with_entries(std::vector<Publication> sources) {
  for (Publication& source : sources) source.expand();
  return sources;
}

// What reverse passes need, in the order in which it must live.
struct Reverse {
  std::vector<Publication> sources;
  std::vector<std::int32_t> law_of_cell;
  Problem problem;
  Prior prior;
  ReversePasses passes;

  Reverse(const Rcpp::List& mechanism, const Rcpp::NumericVector& published,
          const Rcpp::List& factors)
      : sources(
            with_entries(as_sources(Rcpp::List::create(mechanism), Rcpp::List::create(published)))),
        law_of_cell(published.size()),
        problem(sources, law_of_cell.data()),
        prior(as_prior(factors)),
        passes(sources[0], problem, prior) {
    if (sources[0].cycles.skips_zeros())
      throw TooLargeError("Reverse passes need fixed cycles; this set skips zeros.");
  }
};

Rcpp::List law_list(const SimulatedLaws& found, const Rcpp::IntegerVector& law_of_cell, int reach) {
  const int width = 2 * reach + 1, n_laws = static_cast<int>(found.laws.size()) / width;
  return Rcpp::List::create(
      Rcpp::_["law"] = law_of_cell,
      Rcpp::_["laws"] = Rcpp::NumericMatrix(width, n_laws, found.laws.begin()),
      Rcpp::_["reach"] = reach, Rcpp::_["log_evidence"] = found.log_evidence,
      Rcpp::_["errors"] = Rcpp::NumericMatrix(width, n_laws, found.law_error.begin()),
      Rcpp::_["evidence_error"] = found.evidence_error,
      Rcpp::_["redraws"] = static_cast<double>(found.redraws),
      Rcpp::_["independent"] = found.independent);
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_reverse_posterior(const Rcpp::List& mechanism, const Rcpp::NumericVector& published,
                                 const Rcpp::List& factors, int batches, int particles,
                                 SEXP progress) {
  Reverse of(mechanism, published, factors);
  const SimulatedLaws found = of.passes.infer(
      batches, particles, [] { return R::unif_rand(); }, make_tick(progress));
  return law_list(found, Rcpp::wrap(of.law_of_cell), of.problem.reach());
}

// [[Rcpp::export]]
Rcpp::IntegerMatrix cpp_reverse_draws(const Rcpp::List& mechanism,
                                      const Rcpp::NumericVector& published,
                                      const Rcpp::List& factors, int n, int particles) {
  Reverse of(mechanism, published, factors);
  const std::size_t n_laws = of.problem.linkage().n_laws();
  std::vector<std::int8_t> shifts(n_laws * static_cast<std::size_t>(n));
  of.passes.sample(
      n, particles, [] { return R::unif_rand(); }, shifts.data(), make_tick(R_NilValue));
  return shift_columns(shifts, n);
}

// Several publications whose sets have no exact messages together.
// [[Rcpp::export]]
Rcpp::List cpp_weighted_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                                  const Rcpp::List& factors, double max_tables, int batches,
                                  int draws, SEXP progress) {
  WeightedDraws of(as_sources(mechanisms, published), as_prior(factors), as_size(max_tables),
                   make_tick(progress));
  const SimulatedLaws found = of.infer(
      batches, draws, [] { return R::unif_rand(); }, make_tick(progress));
  const std::int32_t* law = of.linkage().law_of_cell;
  return law_list(found, Rcpp::IntegerVector(law, law + of.linkage().n_cells), of.reach());
}

// [[Rcpp::export]]
Rcpp::IntegerMatrix cpp_weighted_draws(const Rcpp::List& mechanisms, const Rcpp::List& published,
                                       const Rcpp::List& factors, double max_tables, int n,
                                       int draws) {
  WeightedDraws of(as_sources(mechanisms, published), as_prior(factors), as_size(max_tables),
                   make_tick(R_NilValue));
  std::vector<std::int8_t> shifts(of.linkage().n_laws() * static_cast<std::size_t>(n));
  of.sample(
      n, draws, [] { return R::unif_rand(); }, shifts.data(), make_tick(R_NilValue));
  return shift_columns(shifts, n);
}

// Throws where an exact posterior would take too much.
// [[Rcpp::export]]
void cpp_plan_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                        double max_tables) {
  as_model(mechanisms, published, false, max_tables).plan(make_tick(R_NilValue));
}

// [[Rcpp::export]]
Rcpp::List cpp_count_originals(const Rcpp::List& mechanisms, const Rcpp::List& published,
                               const Rcpp::List& factors, bool enumerate, double max_tables,
                               double max_sets, SEXP progress) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  const OriginalCount found =
      count_originals(model, as_prior(factors), as_size(max_sets), make_tick(progress));
  return Rcpp::List::create(Rcpp::_["count"] = found.count.str(), Rcpp::_["exact"] = found.exact);
}

// The change of each law, log weight and log bound.
// [[Rcpp::export]]
Rcpp::List cpp_best_original(const Rcpp::List& mechanisms, const Rcpp::List& published,
                             const Rcpp::List& factors, bool enumerate, double max_tables,
                             double max_words, SEXP progress) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  const BestOriginal found =
      best_original(model, as_prior(factors), as_size(max_words), make_tick(progress));
  return Rcpp::List::create(
      Rcpp::_["change"] = Rcpp::IntegerVector(found.change.begin(), found.change.end()),
      Rcpp::_["log_weight"] = found.log_weight, Rcpp::_["log_bound"] = found.log_bound,
      Rcpp::_["exact"] = found.exact);
}

// The law of the sum of coefficient x change over the laws, from `low` on.
// [[Rcpp::export]]
Rcpp::List cpp_sum_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                             const Rcpp::List& factors, bool enumerate, double max_tables,
                             const Rcpp::IntegerVector& coefficient, double max_products,
                             SEXP progress) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  const SumLaw found = sum_changes(
      model, as_prior(factors), std::vector<std::int32_t>(coefficient.begin(), coefficient.end()),
      max_products, make_tick(progress));
  return Rcpp::List::create(Rcpp::_["low"] = static_cast<double>(found.low),
                            Rcpp::_["probability"] = found.probability);
}
