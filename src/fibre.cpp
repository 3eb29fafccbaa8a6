#include "fibre/fibre.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "bridge.h"

using namespace sdclattice;

namespace {

FibreMethod as_method(const std::string& name) {
  return name == "twoway"       ? FibreMethod::two_way
         : name == "polynomial" ? FibreMethod::polynomial
         : name == "diagram"    ? FibreMethod::diagram
                                : FibreMethod::automatic;
}

const char* method_name(FibreMethod method) {
  return method == FibreMethod::two_way      ? "twoway"
         : method == FibreMethod::polynomial ? "polynomial"
         : method == FibreMethod::diagram    ? "diagram"
                                             : "none";
}

Fibre as_fibre(const Rcpp::List& constraints, const Rcpp::List& options, const Tick& tick) {
  FibreOptions out;
  out.method = as_method(Rcpp::as<std::string>(options["method"]));
  out.limits.states = Rcpp::as<double>(options["max_states"]);
  out.limits.steps = Rcpp::as<double>(options["max_steps"]);
  return Fibre(as_linear_system(constraints), out, tick);
}

// a / b as a double, to its last digit or so however large both are.
double ratio(const BigCount& a, const BigCount& b) {
  if (a == 0) return 0;
  const int shift = 64 + static_cast<int>(msb(b)) - static_cast<int>(msb(a));
  const BigCount quotient = shift >= 0 ? BigCount((a << shift) / b) : BigCount(a / b);
  return std::ldexp(quotient.convert_to<double>(), shift >= 0 ? -shift : 0);
}

// Tables behind one another, a column each.
Rcpp::NumericMatrix as_tables(const std::vector<std::int64_t>& tables, std::size_t n_cells) {
  const std::size_t n = n_cells == 0 ? 0 : tables.size() / n_cells;
  Rcpp::NumericMatrix out(static_cast<int>(n_cells), static_cast<int>(n));
  std::copy(tables.begin(), tables.end(), out.begin());
  return out;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_count_tables(const Rcpp::List& constraints, const Rcpp::List& options, int threads,
                            SEXP progress) {
  const Tick tick = make_tick(progress);
  Fibre fibre = as_fibre(constraints, options, tick);
  const BigCount count = fibre.count(tick, static_cast<std::size_t>(threads));
  Rcpp::CharacterVector methods;
  for (std::size_t p = 0; p < fibre.n_parts(); ++p)
    methods.push_back(method_name(fibre.method_of(p)));
  return Rcpp::List::create(Rcpp::_["count"] = count.str(), Rcpp::_["methods"] = methods);
}

// How many steps a count takes at most, as far as this is known before the work starts.
// [[Rcpp::export]]
double cpp_forecast_tables(const Rcpp::List& constraints, const Rcpp::List& options) {
  return as_fibre(constraints, options, Tick()).most_steps();
}

// [[Rcpp::export]]
Rcpp::List cpp_estimate_tables(const Rcpp::List& constraints, const Rcpp::List& options, double n,
                               double seed, SEXP progress) {
  const Tick tick = make_tick(progress);
  const Fibre fibre = as_fibre(constraints, options, tick);
  PublicRandom random(static_cast<std::uint64_t>(static_cast<std::int64_t>(seed)));
  const FibreEstimate found = fibre.estimate(static_cast<std::size_t>(n), random, tick);
  return Rcpp::List::create(Rcpp::_["log_count"] = found.log_count,
                            Rcpp::_["relative_error"] = found.relative_error,
                            Rcpp::_["effective"] = found.effective, Rcpp::_["dead"] = found.dead);
}

// [[Rcpp::export]]
Rcpp::NumericMatrix cpp_sample_tables(const Rcpp::List& constraints, const Rcpp::List& options,
                                      double n, double seed, SEXP progress) {
  const Tick tick = make_tick(progress);
  Fibre fibre = as_fibre(constraints, options, tick);
  PublicRandom random(static_cast<std::uint64_t>(static_cast<std::int64_t>(seed)));
  return as_tables(fibre.draws(static_cast<std::size_t>(n), random, tick), fibre.n_cells());
}

// [[Rcpp::export]]
Rcpp::NumericMatrix cpp_enumerate_tables(const Rcpp::List& constraints, const Rcpp::List& options,
                                         double limit, SEXP progress) {
  const Tick tick = make_tick(progress);
  Fibre fibre = as_fibre(constraints, options, tick);
  return as_tables(fibre.enumerate(as_size(limit), tick), fibre.n_cells());
}

// The laws of cells (1-based): for each value with tables its place among the cells, the number of
// tables and its share.
// [[Rcpp::export]]
Rcpp::List cpp_cell_laws(const Rcpp::List& constraints, const Rcpp::List& options,
                         const Rcpp::IntegerVector& cells, SEXP progress) {
  const Tick tick = make_tick(progress);
  Fibre fibre = as_fibre(constraints, options, tick);
  std::vector<std::uint32_t> at;
  for (int i : cells) at.push_back(static_cast<std::uint32_t>(i - 1));
  const std::vector<CellLaw> laws = fibre.laws(at, tick);
  const BigCount count = fibre.count(tick);
  std::vector<double> place, value, probability;
  std::vector<std::string> tables;
  for (std::size_t q = 0; q < laws.size(); ++q)
    for (std::size_t k = 0; k < laws[q].ways.size(); ++k) {
      const BigCount& ways = laws[q].ways[k];
      if (ways == 0) continue;
      place.push_back(static_cast<double>(q + 1));
      value.push_back(static_cast<double>(laws[q].low) + static_cast<double>(k));
      probability.push_back(ratio(ways, count));
      tables.push_back(ways.str());
    }
  return Rcpp::List::create(Rcpp::_["count"] = count.str(), Rcpp::_["at"] = place,
                            Rcpp::_["value"] = value, Rcpp::_["tables"] = tables,
                            Rcpp::_["probability"] = probability);
}
