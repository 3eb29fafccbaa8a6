// Bridge of magnitude tables: contributors, rules and redistribution.
#include <algorithm>

#include "base/error.hpp"
#include "bridge.h"
#include "magnitude/contributor_groups.hpp"
#include "magnitude/magnitude_redistribute.hpp"
#include "magnitude/sensitivity.hpp"
#include "magnitude/whole_units.hpp"

namespace {

sdclattice::Contributors as_contributors(const Rcpp::List& x) {
  sdclattice::Contributors out;
  out.cell = as_whole(x["cell"]);
  const Rcpp::NumericVector start = x["start"];
  out.value = as_whole(x["value"]);
  out.holder = Rcpp::as<std::vector<std::int32_t>>(x["holder"]);
  const bool whole = start.size() == static_cast<R_xlen_t>(out.cell.size()) + 1 && start[0] == 0 &&
                     std::is_sorted(start.begin(), start.end()) &&
                     start[start.size() - 1] == static_cast<double>(out.value.size()) &&
                     out.holder.size() == out.value.size();
  if (!whole)
    throw sdclattice::InputError("The table is damaged: its contributors do not fit its cells.");
  out.start.assign(start.begin(), start.end());
  return out;
}

Rcpp::List from_contributors(const sdclattice::Contributors& x) {
  return Rcpp::List::create(
      Rcpp::_["cell"] = as_numeric(x.cell),
      Rcpp::_["start"] = Rcpp::NumericVector(x.start.begin(), x.start.end()),
      Rcpp::_["value"] = as_numeric(x.value),
      Rcpp::_["holder"] = Rcpp::IntegerVector(x.holder.begin(), x.holder.end()));
}

// R jumps when it has no memory for a vector: not past objects that own memory, or threads.
SEXP vector_of(unsigned type, R_xlen_t n) {
  return Rcpp::unwindProtect([&] { return Rf_allocVector(type, n); });
}

// `weight`, one for each contribution, and `per_weight`.
sdclattice::SamplingWeights as_sampling_weights(const Rcpp::List& x,
                                                const sdclattice::Contributors& of) {
  sdclattice::SamplingWeights out;
  out.weight = as_whole(x["weight"]);
  out.whole = static_cast<std::int64_t>(Rcpp::as<double>(x["per_weight"]));
  bool fits = out.whole >= 1 && out.weight.size() == of.value.size();
  for (std::size_t i = 0; fits && i < of.value.size(); ++i)
    fits = of.value[i] == 0 || (out.weight[i] > 0 && of.value[i] % out.weight[i] == 0);
  if (!fits)
    throw sdclattice::InputError("The table is damaged: its weights do not fit its values.");
  return out;
}

// `rules`: a column each for kind, n and millionths of a percent.
std::vector<sdclattice::SensitivityRule> as_rules(const Rcpp::List& rules) {
  const Rcpp::CharacterVector kind = rules["kind"];
  const Rcpp::NumericVector n = rules["n"], percent = rules["percent"];
  std::vector<sdclattice::SensitivityRule> out;
  for (R_xlen_t r = 0; r < kind.size(); ++r) {
    using sdclattice::RuleKind;
    const RuleKind of = kind[r] == "threshold" ? RuleKind::threshold
                        : kind[r] == "nk"      ? RuleKind::nk
                                               : RuleKind::p_percent;
    out.push_back({of, static_cast<std::int64_t>(n[r]), static_cast<std::int64_t>(percent[r])});
  }
  return out;
}

// `map`: metric; at (a column of coordinates for each cell) and open; or from and to, from 1.
sdclattice::CellMap as_cell_map(const Rcpp::List& map) {
  using sdclattice::CellMetric;
  sdclattice::CellMap out;
  const std::string metric = map["metric"];
  if (metric == "graph") {
    out.metric = CellMetric::graph;
    for (const int cell : Rcpp::as<std::vector<int>>(map["from"]))
      out.from.push_back(static_cast<std::uint32_t>(cell - 1));
    for (const int cell : Rcpp::as<std::vector<int>>(map["to"]))
      out.to.push_back(static_cast<std::uint32_t>(cell - 1));
    return out;
  }
  out.metric = metric == "hexagon" ? CellMetric::hexagon : CellMetric::steps;
  const Rcpp::IntegerMatrix at = map["at"];
  out.n_axes = static_cast<std::size_t>(at.nrow());
  out.at.assign(at.begin(), at.end());
  for (const int open : Rcpp::as<std::vector<int>>(map["open"])) out.open.push_back(open != 0);
  return out;
}

Rcpp::List from_moves(const std::vector<sdclattice::MagnitudeMove>& moves) {
  const auto n = static_cast<R_xlen_t>(moves.size());
  Rcpp::LogicalVector contributor(n);
  Rcpp::IntegerVector from(n), to(n);
  Rcpp::NumericVector value(n), distance(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    const sdclattice::MagnitudeMove& m = moves[static_cast<std::size_t>(i)];
    contributor[i] = m.contributor;
    from[i] = static_cast<int>(m.from) + 1;
    to[i] = static_cast<int>(m.to) + 1;
    value[i] = static_cast<double>(m.value);
    distance[i] = static_cast<double>(m.distance);
  }
  return Rcpp::List::create(Rcpp::_["contributor"] = contributor, Rcpp::_["from"] = from,
                            Rcpp::_["to"] = to, Rcpp::_["value"] = value,
                            Rcpp::_["distance"] = distance);
}

double end_or_na(bool there, std::int64_t end) {
  return there ? static_cast<double>(end) : NA_REAL;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_group_contributors(const Rcpp::NumericVector& cell,
                                  const Rcpp::IntegerVector& holder,
                                  const Rcpp::NumericVector& value, int threads = 1) {
  if (holder.size() != cell.size() || value.size() != cell.size())
    throw sdclattice::InputError("Each record must have a cell, a contributor and a value.");
  Rcpp::NumericVector cells, start, values;
  Rcpp::IntegerVector holders;
  sdclattice::group_contributors(
      cell.begin(), holder.begin(), value.begin(), static_cast<std::size_t>(cell.size()),
      static_cast<std::size_t>(threads), [&](std::size_t n_cells, std::size_t n) {
        const auto rows = static_cast<R_xlen_t>(n_cells), all = static_cast<R_xlen_t>(n);
        cells = vector_of(REALSXP, rows);
        start = vector_of(REALSXP, rows + 1);
        values = vector_of(REALSXP, all);
        holders = vector_of(INTSXP, all);
        return sdclattice::ContributorRoom{cells.begin(), start.begin(), values.begin(),
                                           holders.begin()};
      });
  return Rcpp::List::create(Rcpp::_["cell"] = cells, Rcpp::_["start"] = start,
                            Rcpp::_["value"] = values, Rcpp::_["holder"] = holders);
}

// The values as whole units of which `per_unit` make one; NULL when some are none.
// [[Rcpp::export]]
SEXP cpp_find_units(const Rcpp::NumericVector& values, double per_unit, int threads) {
  Rcpp::NumericVector units(Rcpp::no_init(values.size()));
  if (!sdclattice::find_units(values.begin(), static_cast<std::size_t>(values.size()), per_unit,
                              static_cast<std::size_t>(threads), units.begin()))
    return R_NilValue;
  return units;
}

// A column each of what is known about the cells; `fired` has a column for each rule.
// [[Rcpp::export]]
Rcpp::List cpp_judge_cells(const Rcpp::List& contributors, const Rcpp::List& rules,
                           double threshold_percent, int threads = 1) {
  const std::vector<sdclattice::SensitivityRule> of = as_rules(rules);
  const sdclattice::Contributors x = as_contributors(contributors);
  const auto percent = static_cast<std::int64_t>(threshold_percent);
  const sdclattice::Tick tick = make_tick(R_NilValue);
  const auto workers = static_cast<std::size_t>(threads);
  const auto found = contributors.containsElementNamed("weight")
                         ? sdclattice::judge_sampled_cells(x, as_sampling_weights(contributors, x),
                                                           of, percent, tick, workers)
                         : sdclattice::judge_cells(x, of, percent, tick, workers);
  const auto n = static_cast<R_xlen_t>(found.size());
  Rcpp::NumericVector count(n), total(n), largest(n), second(n), needed(n), up(n), down(n), low(n);
  Rcpp::LogicalMatrix fired(static_cast<int>(n), static_cast<int>(of.size()));
  for (R_xlen_t c = 0; c < n; ++c) {
    const sdclattice::CellJudgement& j = found[static_cast<std::size_t>(c)];
    count[c] = static_cast<double>(j.count);
    total[c] = static_cast<double>(j.total);
    largest[c] = static_cast<double>(j.largest);
    second[c] = static_cast<double>(j.second);
    needed[c] = static_cast<double>(j.needed);
    up[c] = end_or_na(j.ends.has_up, j.ends.up);
    down[c] = end_or_na(j.ends.has_down, j.ends.down);
    low[c] = static_cast<double>(j.ends.low);
    for (std::size_t r = 0; r < of.size(); ++r)
      fired(static_cast<int>(c), static_cast<int>(r)) = (j.fired >> r & 1) != 0;
  }
  return Rcpp::List::create(Rcpp::_["count"] = count, Rcpp::_["total"] = total,
                            Rcpp::_["largest"] = largest, Rcpp::_["second"] = second,
                            Rcpp::_["needed"] = needed, Rcpp::_["up"] = up, Rcpp::_["down"] = down,
                            Rcpp::_["low"] = low, Rcpp::_["fired"] = fired);
}

// Cells are positions among those with contributors, from 1.
// [[Rcpp::export]]
Rcpp::List cpp_redistribute_magnitude(const Rcpp::List& contributors, const Rcpp::List& rules,
                                      const Rcpp::List& map, bool cap, double max_distance,
                                      double max_steps, SEXP progress) {
  const sdclattice::RedistributedMagnitude found = sdclattice::redistribute_magnitude(
      as_contributors(contributors), as_rules(rules), as_cell_map(map), cap,
      static_cast<std::int64_t>(max_distance), static_cast<std::int64_t>(max_steps),
      make_tick(progress));
  return Rcpp::List::create(Rcpp::_["contributors"] = from_contributors(found.contributors),
                            Rcpp::_["moves"] = from_moves(found.moves),
                            Rcpp::_["settled"] = found.settled);
}
