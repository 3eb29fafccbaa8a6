// Bridge of the cycles: an sdc_cycles object is a rule with parameters, expanded here by the core.
#include "cycle/cycle.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "cycle/bands.hpp"
#include "cycle/cycle_margin.hpp"
#include "cycle/nested.hpp"
#include "cycle/preserve.hpp"
#include "cycle_bands.h"

namespace {

std::vector<std::size_t> dim_of(const Rcpp::List& cycles) {
  const Rcpp::List dimnames = cycles["dimnames"];
  std::vector<std::size_t> dim;
  for (R_xlen_t v = 0; v < dimnames.size(); ++v) dim.push_back(Rf_xlength(dimnames[v]));
  return dim;
}

std::vector<std::int32_t> zero_based(const Rcpp::IntegerVector& x) {
  std::vector<std::int32_t> out(x.begin(), x.end());
  for (std::int32_t& i : out) --i;
  return out;
}

std::vector<std::vector<std::int32_t>> zero_based_each(const Rcpp::List& x) {
  std::vector<std::vector<std::int32_t>> out;
  for (R_xlen_t g = 0; g < x.size(); ++g) out.push_back(zero_based(x[g]));
  return out;
}

std::vector<std::vector<std::size_t>> margins_of(const Rcpp::List& cycles) {
  const Rcpp::List dimnames = cycles["dimnames"];
  const Rcpp::CharacterVector variables = dimnames.names();
  const Rcpp::List preserves = cycles["preserves"];
  std::vector<std::vector<std::size_t>> out;
  for (R_xlen_t m = 0; m < preserves.size(); ++m) {
    const Rcpp::CharacterVector kept = preserves[m];
    std::vector<std::size_t> margin;
    for (R_xlen_t v = 0; v < kept.size(); ++v) {
      const auto at = std::find(variables.begin(), variables.end(), kept[v]);
      if (at == variables.end())
        throw sdclattice::InputError("A margin names no variable of the table.");
      margin.push_back(at - variables.begin());
    }
    out.push_back(margin);
  }
  return out;
}

// int8 holds what the core allows; anything else becomes 0, which validate() refuses.
std::int8_t narrow(int coefficient) {
  return coefficient >= -127 && coefficient <= 127 ? static_cast<std::int8_t>(coefficient) : 0;
}

sdclattice::CycleSet user_cycles(const Rcpp::List& parameters,
                                 const std::vector<std::size_t>& dim) {
  const Rcpp::IntegerVector start = parameters["start"];
  const Rcpp::IntegerVector coefficient = parameters["coefficient"];
  sdclattice::CycleSet out;
  out.n_cells = 1;
  for (const std::size_t k : dim) out.n_cells *= k;
  out.start.assign(start.begin(), start.end());
  out.cell = zero_based(parameters["cell"]);
  for (const int c : coefficient) out.coef.push_back(narrow(c));
  sdclattice::validate(out);
  return out;
}

bool is_lenz(const Rcpp::List& parameters) {
  const std::string walk = Rcpp::as<std::string>(parameters["walk"]);
  if (walk != "lenz" && walk != "chain")
    throw sdclattice::InputError("The walk of the cycles is not known.");
  return walk == "lenz";
}

bool is_transposed(bool lenz, std::size_t n_rows, std::size_t n_columns) {
  return lenz ? sdclattice::lenz_is_transposed(n_rows, n_columns)
              : sdclattice::chain_is_transposed(n_rows, n_columns);
}

// A parameter of a set that may have been changed by hand.
SEXP need(const Rcpp::List& parameters, const char* name) {
  if (!parameters.containsElementNamed(name))
    throw sdclattice::InputError("A parameter of the set is missing.");
  return parameters[name];
}

sdclattice::Lines lines_of(const Rcpp::List& parameters, const std::vector<std::size_t>& dim) {
  return {dim.at(0), dim.at(1), Rcpp::as<bool>(need(parameters, "transposed"))};
}

bool are_triads(const Rcpp::List& parameters) {
  const int group = Rcpp::as<int>(need(parameters, "group"));
  if (group != 2 && group != 3)
    throw sdclattice::InputError("The groups of a banded set must be of 2 or 3.");
  return group == 3;
}

bool skips_zeros(const Rcpp::List& parameters) {
  return Rcpp::as<bool>(need(parameters, "skip_zeros"));
}

sdclattice::Groups groups_of(const Rcpp::List& parameters) {
  return {zero_based_each(need(parameters, "groups")), zero_based_each(need(parameters, "rings")),
          are_triads(parameters), Rcpp::as<bool>(need(parameters, "open")),
          skips_zeros(parameters)};
}

// As groups_of(), for counting: without the rings.
sdclattice::Groups sizes_of(const Rcpp::List& parameters) {
  return {zero_based_each(need(parameters, "groups")),
          {},
          are_triads(parameters),
          Rcpp::as<bool>(need(parameters, "open"))};
}

// Dimensions are numbered from 1 in R.
std::size_t ring_of(const Rcpp::List& parameters) {
  const int ring = Rcpp::as<int>(parameters["ring"]);
  if (ring < 1) throw sdclattice::InputError("The ring must be a dimension of the table.");
  return static_cast<std::size_t>(ring) - 1;
}

std::vector<std::vector<std::size_t>> ways_of(const Rcpp::List& parameters) {
  const Rcpp::List ways = parameters["ways"];
  std::vector<std::vector<std::size_t>> out;
  for (const std::vector<std::int32_t>& way : zero_based_each(ways))
    out.emplace_back(way.begin(), way.end());
  return out;
}

void check_two_way(const std::vector<std::size_t>& dim) {
  if (dim.size() != 2)
    throw sdclattice::InputError("This rule makes cycles of two-way tables only.");
}

// The levels of a part of a nested set: its class of each dimension.
sdclattice::Block block_of(const Rcpp::List& parameters, const Rcpp::List& part,
                           const std::vector<std::size_t>& dim) {
  const Rcpp::List classes = need(parameters, "classes");
  const Rcpp::IntegerVector at = need(part, "at");
  if (at.size() != classes.size() || classes.size() != static_cast<R_xlen_t>(dim.size()))
    throw sdclattice::InputError("A part of a nested set must have a class in each dimension.");
  sdclattice::Block out;
  for (R_xlen_t v = 0; v < at.size(); ++v) {
    const Rcpp::List of_dimension = classes[v];
    if (at[v] < 1 || at[v] > of_dimension.size())
      throw sdclattice::InputError("A part of a nested set has a class that is not there.");
    out.push_back(zero_based(of_dimension[at[v] - 1]));
  }
  return out;
}

sdclattice::CycleSet expand(const Rcpp::List& set, const std::vector<std::size_t>& dim);

sdclattice::CycleSet expand_nested(const Rcpp::List& parameters,
                                   const std::vector<std::size_t>& dim) {
  sdclattice::CycleSet out;
  out.n_cells = 1;
  for (const std::size_t k : dim) out.n_cells *= k;
  for (const Rcpp::List part : Rcpp::List(need(parameters, "parts"))) {
    const sdclattice::Block block = block_of(parameters, part, dim);
    append_block(dim, block, expand(part, sdclattice::block_dim(dim, block)), out);
  }
  return out;
}

// Of all parts together; `of` counts something of a set for a table of some shape.
template <class Count>
R_xlen_t count_nested(const Rcpp::List& parameters, const std::vector<std::size_t>& dim, Count of) {
  R_xlen_t n = 0;
  for (const Rcpp::List part : Rcpp::List(need(parameters, "parts")))
    n += of(part, sdclattice::block_dim(dim, block_of(parameters, part, dim)));
  return n;
}

// `set` has a rule and its parameters, for a table of the shape `dim`. The parameters of a merged
// set are the ways and, as `of`, the rule and parameters of a set on the table of the ways; those
// of a nested set the classes of the levels of each dimension and, as `parts`, for some
// combinations of classes the rule and parameters of a set on the table of their levels.
sdclattice::CycleSet expand(const Rcpp::List& set, const std::vector<std::size_t>& dim) {
  const std::string rule = Rcpp::as<std::string>(set["rule"]);
  const Rcpp::List parameters = set["parameters"];
  if (rule == "user" || rule == "data") return user_cycles(parameters, dim);
  if (rule == "margin") return sdclattice::cycles_margin(dim, ring_of(parameters));
  if (rule == "merged") {
    const auto ways = ways_of(parameters);
    sdclattice::CycleSet out = expand(parameters["of"], sdclattice::merged_dim(dim, ways));
    sdclattice::unmerge(dim, ways, out);
    return out;
  }
  if (rule == "nested") return expand_nested(parameters, dim);
  check_two_way(dim);
  if (rule == "banded")
    return sdclattice::cycles_banded(lines_of(parameters, dim), groups_of(parameters));
  if (rule != "bidiagonal") throw sdclattice::InputError("The rule of the cycles is not known.");
  return is_lenz(parameters) ? sdclattice::cycles_lenz(dim[0], dim[1])
                             : sdclattice::cycles_chain(dim[0], dim[1]);
}

R_xlen_t count(const Rcpp::List& set, const std::vector<std::size_t>& dim) {
  const std::string rule = Rcpp::as<std::string>(set["rule"]);
  const Rcpp::List parameters = set["parameters"];
  if (rule == "user" || rule == "data") return Rf_xlength(parameters["start"]) - 1;
  if (rule == "margin") return sdclattice::count_cycles_margin(dim, ring_of(parameters));
  if (rule == "merged")
    return count(parameters["of"], sdclattice::merged_dim(dim, ways_of(parameters)));
  if (rule == "nested") return count_nested(parameters, dim, count);
  check_two_way(dim);
  if (rule == "bidiagonal") return dim[is_transposed(is_lenz(parameters), dim[0], dim[1]) ? 0 : 1];
  return sdclattice::count_cycles(lines_of(parameters, dim), sizes_of(parameters));
}

// The steps of one cover.
R_xlen_t count_steps(const Rcpp::List& set, const std::vector<std::size_t>& dim) {
  const std::string rule = Rcpp::as<std::string>(set["rule"]);
  const Rcpp::List parameters = set["parameters"];
  if (rule == "merged")
    return count_steps(parameters["of"], sdclattice::merged_dim(dim, ways_of(parameters)));
  if (rule == "nested") return count_nested(parameters, dim, count_steps);
  if (rule != "banded") return count(set, dim);
  check_two_way(dim);
  return sdclattice::count_steps(lines_of(parameters, dim), sizes_of(parameters));
}

}  // namespace

sdclattice::CycleSet as_cycle_set(const Rcpp::List& cycles) {
  return expand(cycles, dim_of(cycles));
}

std::optional<sdclattice::Bands> as_bands(const Rcpp::List& cycles) {
  const std::string rule = Rcpp::as<std::string>(cycles["rule"]);
  if (rule != "bidiagonal" && rule != "banded") return std::nullopt;
  const std::vector<std::size_t> dim = dim_of(cycles);
  check_two_way(dim);
  const Rcpp::List parameters = cycles["parameters"];
  if (rule == "banded")
    return sdclattice::bands_of(lines_of(parameters, dim), groups_of(parameters));
  return is_lenz(parameters) ? sdclattice::bands_lenz(dim[0], dim[1])
                             : sdclattice::bands_chain(dim[0], dim[1]);
}

std::optional<sdclattice::BandGroups> as_band_groups(const Rcpp::List& cycles) {
  if (Rcpp::as<std::string>(cycles["rule"]) == "banded") {
    const std::vector<std::size_t> dim = dim_of(cycles);
    check_two_way(dim);
    const Rcpp::List parameters = cycles["parameters"];
    return sdclattice::as_groups(lines_of(parameters, dim), groups_of(parameters));
  }
  if (const auto bands = as_bands(cycles)) return sdclattice::as_groups(*bands);
  return std::nullopt;
}

// How many cycles a set has, without expanding it.
R_xlen_t cycle_count(const Rcpp::List& cycles) {
  return count(cycles, dim_of(cycles));
}

// How many steps one cover has.
R_xlen_t cover_length(const Rcpp::List& cycles) {
  return count_steps(cycles, dim_of(cycles));
}

// [[Rcpp::export]]
double cpp_count_cycles(Rcpp::List cycles) {
  return cycle_count(cycles);
}

// [[Rcpp::export]]
double cpp_count_steps(Rcpp::List cycles) {
  return cover_length(cycles);
}

// The cycles of one cover in its order, 1-based.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_cover_cycles(Rcpp::List cycles) {
  const R_xlen_t n = cycle_count(cycles);
  if (cover_length(cycles) != n) return one_based(as_cycle_set(cycles).cover);
  Rcpp::IntegerVector all(n);  // each once: 1, 2, ...
  std::iota(all.begin(), all.end(), 1);
  return all;
}

// [[Rcpp::export]]
bool cpp_is_transposed_walk(std::string walk, int n_rows, int n_columns) {
  return is_transposed(walk == "lenz", n_rows, n_columns);
}

// start is 0-based (n + 1 places), cell 1-based.
// [[Rcpp::export]]
Rcpp::List cpp_expand_cycles(Rcpp::List cycles) {
  sdclattice::CycleSet set = as_cycle_set(cycles);
  for (std::int32_t& at : set.cell) ++at;
  return Rcpp::List::create(
      Rcpp::_["start"] = Rcpp::NumericVector(set.start.begin(), set.start.end()),
      Rcpp::_["cell"] = Rcpp::IntegerVector(set.cell.begin(), set.cell.end()),
      Rcpp::_["coefficient"] = Rcpp::IntegerVector(set.coef.begin(), set.coef.end()));
}

// NULL, or the 1-based cycle and margin that break first, and cells that stand for the levels.
// [[Rcpp::export]]
SEXP cpp_check_cycles(Rcpp::List cycles) {
  const sdclattice::CycleSet set = as_cycle_set(cycles);
  const sdclattice::BrokenMargin broken = sdclattice::find_broken_margin(
      set, dim_of(cycles), margins_of(cycles), make_tick(R_NilValue));
  if (!broken.found) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["cycle"] = double(broken.cycle + 1),
                            Rcpp::_["margin"] = double(broken.margin + 1),
                            Rcpp::_["cells"] = one_based(broken.cells));
}

// [[Rcpp::export]]
Rcpp::List cpp_summarise_cycles(Rcpp::List cycles, Rcpp::Nullable<Rcpp::NumericVector> counts) {
  const sdclattice::CycleSet set = as_cycle_set(cycles);
  const sdclattice::Chances found = sdclattice::chances(set);
  Rcpp::LogicalVector free;
  if (counts.isNotNull()) {
    const Rcpp::NumericVector given(counts);
    const auto open =
        sdclattice::on_free_cycle(set, std::vector<std::int64_t>(given.begin(), given.end()));
    free = Rcpp::LogicalVector(open.begin(), open.end());
  }
  return Rcpp::List::create(
      Rcpp::_["cycles"] = Rcpp::IntegerVector(found.cycles.begin(), found.cycles.end()),
      Rcpp::_["reach"] = Rcpp::NumericVector(found.reach.begin(), found.reach.end()),
      Rcpp::_["free"] = free);
}

// The number of independent moves (NA when it takes too long), and per cell the 1-based class of
// the cells that move together, 0 on no cycle.
// [[Rcpp::export]]
Rcpp::List cpp_count_preserved(Rcpp::List cycles) {
  const sdclattice::CycleSet set = as_cycle_set(cycles);
  const sdclattice::MovingClasses classes = sdclattice::find_classes(set);
  double rank = NA_REAL;
  try {
    rank = sdclattice::reduce_cycles(set, classes, make_tick(R_NilValue)).rank();
  } catch (const sdclattice::TooLargeError&) {
  }
  return Rcpp::List::create(Rcpp::_["rank"] = rank, Rcpp::_["class"] = one_based(classes.class_of));
}

// The functions as entries: the 1-based function and cell, and the coefficient.
// [[Rcpp::export]]
Rcpp::List cpp_list_preserved(Rcpp::List cycles) {
  const sdclattice::CycleSet set = as_cycle_set(cycles);
  const auto rows = sdclattice::preserved_functions(set, dim_of(cycles), margins_of(cycles),
                                                    make_tick(R_NilValue));
  std::vector<int> function, cell;
  std::vector<double> coefficient;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    for (const auto& [at, value] : rows[f]) {
      function.push_back(static_cast<int>(f + 1));
      cell.push_back(at + 1);
      coefficient.push_back(static_cast<double>(value));
    }
  }
  return Rcpp::List::create(Rcpp::_["function"] = function, Rcpp::_["cell"] = cell,
                            Rcpp::_["coefficient"] = coefficient);
}
