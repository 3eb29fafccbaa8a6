#include "core/posterior.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <string>
#include <utility>

#include "bridge.h"
#include "core/error.hpp"

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
  out.width = static_cast<std::size_t>(Rcpp::as<double>(factor["width"]));
  return out;
}

// The factors point into the numbers of the list, which must outlive them.
Prior as_prior(const Rcpp::List& factors) {
  Prior prior;
  for (R_xlen_t i = 0; i < factors.size(); ++i) prior.factors.push_back(as_factor(factors[i]));
  return prior;
}

// `mechanisms` and `published`: one for each publication of the same table.
PosteriorModel as_model(const Rcpp::List& mechanisms, const Rcpp::List& published, bool enumerate,
                        double max_tables, std::int32_t* law_of_cell = nullptr) {
  std::vector<Source> sources;
  for (R_xlen_t k = 0; k < mechanisms.size(); ++k) {
    const Rcpp::List mechanism = mechanisms[k];
    const Rcpp::NumericVector table = published[k];
    sources.push_back({as_cycle_set(mechanism["cycles"]), as_mechanism(mechanism), table.begin()});
    if (sources.back().cycles.n_cells != static_cast<std::size_t>(table.size()))
      throw InputError("The published table and the cycles differ in their number of cells.");
  }
  return PosteriorModel(std::move(sources),
                        enumerate ? Inference::enumeration : Inference::automatic,
                        static_cast<std::size_t>(max_tables), law_of_cell);
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
                               SEXP progress) {
  Rcpp::IntegerVector law_of_cell(Rf_xlength(published[0]));
  PosteriorModel model = 
      as_model(mechanisms, published, enumerate, max_tables, law_of_cell.begin());
  give_back_memory();
  Rcpp::NumericMatrix laws(model.width(), static_cast<int>(model.n_laws()));
  const double log_evidence =
      model.infer(as_prior(factors), laws.begin(), make_tick(progress));
  return Rcpp::List::create(Rcpp::_["law"] = law_of_cell, Rcpp::_["laws"] = laws,
                            Rcpp::_["reach"] = model.reach(),
                            Rcpp::_["log_evidence"] = log_evidence);
}

// [[Rcpp::export]]
double cpp_evidence_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                              const Rcpp::List& factors, bool enumerate, double max_tables) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  return model.log_evidence(as_prior(factors), make_tick(R_NilValue));
}

// Draws of the changes of each law, one column a draw.
// [[Rcpp::export]]
Rcpp::IntegerMatrix cpp_sample_posterior(const Rcpp::List& mechanisms, const Rcpp::List& published,
                                         const Rcpp::List& factors, bool enumerate,
                                         double max_tables, int n) {
  PosteriorModel model = as_model(mechanisms, published, enumerate, max_tables);
  std::vector<std::int8_t> shifts(model.n_laws() * static_cast<std::size_t>(n));
  model.sample(as_prior(factors), static_cast<std::size_t>(n),
               [] { return R::unif_rand(); }, shifts.data(), make_tick(R_NilValue));
  Rcpp::IntegerMatrix out(static_cast<int>(model.n_laws()), n);
  std::copy(shifts.begin(), shifts.end(), out.begin());
  return out;
}
