// Bridge of certified releases by components, and of the check of their certificates.
#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/work_clock.hpp"
#include "bridge.h"
#include "certify/reducible.hpp"
#include "release/admissible.hpp"
#include "release/anneal.hpp"
#include "release/conflict_limit.hpp"
#include "release/decomposable_limit.hpp"
#include "release/verify_release.hpp"
#include "release_held.h"
#include "table/level_steps.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;

namespace {

template <class To, class From>
To as_numbers(const std::vector<From>& x) {
  To out(static_cast<R_xlen_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = static_cast<typename To::stored_type>(x[i]);
  return out;
}

// `target`: the number of the key of each cell at risk.
Rcpp::List from_certificates(const PairCertificates& x) {
  return Rcpp::List::create(Rcpp::_["keys"] = from_keys(x.keys),
                            Rcpp::_["target"] = as_numbers<Rcpp::IntegerVector>(x.target),
                            Rcpp::_["start"] = as_numbers<Rcpp::NumericVector>(x.start),
                            Rcpp::_["cell"] = as_numbers<Rcpp::IntegerVector>(x.cell),
                            Rcpp::_["by"] = as_numbers<Rcpp::IntegerVector>(x.by));
}

Rcpp::List from_log(const std::vector<ReducibleStep>& log) {
  std::vector<double> seconds, looks, tree, size, cells, value;
  std::vector<std::string> what;
  for (const ReducibleStep& s : log) {
    seconds.push_back(s.seconds);
    looks.push_back(static_cast<double>(s.n_looks));
    tree.push_back(static_cast<double>(s.tree));
    size.push_back(static_cast<double>(s.size));
    what.push_back(s.what);
    cells.push_back(static_cast<double>(s.n_cells));
    value.push_back(static_cast<double>(s.value));
  }
  return Rcpp::List::create(Rcpp::_["time_s"] = seconds, Rcpp::_["looks"] = looks,
                            Rcpp::_["tree"] = tree, Rcpp::_["size"] = size, Rcpp::_["step"] = what,
                            Rcpp::_["blocked"] = cells, Rcpp::_["value"] = value);
}

// A clock that moves by a step whenever it is looked at, for tests: the work is the same each time.
std::function<double()> counting_watch(double step) {
  return [now = 0.0, step]() mutable { return now += step; };
}

std::function<double()> stop_watch() {
  const double start = work_seconds();
  return [start] { return work_seconds() - start; };
}

ReducibleOptions as_options(const Rcpp::List& options, std::int64_t beta) {
  ReducibleOptions o;
  const double step = Rcpp::as<double>(options["clock_step"]);
  o.seconds = step > 0 ? counting_watch(step) : stop_watch();
  o.beta = beta;
  o.sizes = Rcpp::as<std::vector<std::size_t>>(options["sizes"]);
  o.roots = as_sub_tables(options["roots"]);
  o.forced = as_sub_tables(options["forced"]);
  o.n_trees = Rcpp::as<std::size_t>(options["n_trees"]);
  o.max_cells = static_cast<std::size_t>(Rcpp::as<double>(options["max_cells"]));
  o.effort = Rcpp::as<double>(options["effort"]);
  o.seed = static_cast<std::uint64_t>(static_cast<std::int64_t>(Rcpp::as<double>(options["seed"])));
  o.time_limit_s = Rcpp::as<double>(options["time_limit_s"]);
  const double looks = Rcpp::as<double>(options["max_looks"]);
  if (looks < 0x1p53) o.max_looks = static_cast<std::size_t>(looks);
  o.n_threads = Rcpp::as<std::size_t>(options["threads"]);
  o.give_up_s = Rcpp::as<double>(options["give_up_s"]);
  return o;
}

// `outer`: what no cell at risk can be wider than, by the margins alone.
Rcpp::List reducible_list(const ReducibleRelease& found, const RiskCells& risk) {
  std::int64_t outer = risk.total();
  for (SubTable set : found.frontier) {
    const std::vector<std::int64_t> margin = risk.margin(set);
    outer = std::min(outer, *std::min_element(margin.begin(), margin.end()));
  }
  return Rcpp::List::create(Rcpp::_["sets"] = from_sub_tables(found.frontier),
                            Rcpp::_["outer"] = static_cast<double>(outer),
                            Rcpp::_["components"] = from_sub_tables(found.tree.components),
                            Rcpp::_["separators"] = from_sub_tables(found.tree.separators),
                            Rcpp::_["hard"] = as_numbers<Rcpp::NumericVector>(found.n_hard),
                            Rcpp::_["blocked"] = as_numbers<Rcpp::NumericVector>(found.n_blocked),
                            Rcpp::_["released"] = as_numbers<Rcpp::NumericVector>(found.n_released),
                            Rcpp::_["certificates"] = from_certificates(found.certificates),
                            Rcpp::_["log"] = from_log(found.log),
                            Rcpp::_["stopped"] = found.stopped);
}

// The cliques of the release that annealing finds; none where the variables alone, or what is
// forced, make up no safe decomposable release. The work is the same each time.
std::vector<SubTable> decomposable_start(const RiskCells& risk,
                                         const std::vector<SubTable>& admissible,
                                         const ReducibleOptions& options, const Tick& tick) {
  const std::size_t n = risk.n_variables();
  const DecomposableGraph graph = DecomposableGraph(n, options.forced).triangulated();
  const auto is_safe = [&](const DecomposableGraph& g) {
    return decomposable_bounds(risk, g.clique_tree()).width() >= options.beta;
  };
  if (!is_safe(graph)) return {};
  const std::unique_ptr<ReleaseJudge> judge = make_release_judge(risk, {options.beta, {}});
  judge->know(admissible);
  const AdditiveUtility utility(std::vector<double>(n, 1), {}, {});
  AnnealPlan plan;
  plan.seed = chain_seed(options.seed, 1);
  plan.proposals = 20000;
  plan.enough = decomposable_limit(n, admissible, utility, options.forced);
  plan.hot = std::max(1.0, .075 * plan.enough);
  plan.cold = std::max(.03, .0026 * plan.enough);
  plan.seconds = std::numeric_limits<double>::infinity();
  AnnealFound found;
  anneal(*judge, utility, graph, options.forced, plan, found, tick);
  return found.best.cliques;
}

// Of admissible sets those whose closures are admissible: only closed sets are released.
std::vector<SubTable> with_closures(const LevelSteps& steps, const std::vector<SubTable>& sets) {
  FlatSet known;
  for (SubTable set : sets) known.insert(set);
  std::vector<SubTable> out;
  for (SubTable set : sets)
    if (known.contains(steps.closure(set))) out.push_back(set);
  return out;
}

// What may be said of a release by level: its closed sets, and no more of them than are admissible.
void close_release(const LevelSteps& steps, ReducibleRelease& found) {
  for (SubTable& set : found.frontier) set = steps.interior(set);
  found.frontier = maximal_masks(std::move(found.frontier));
}

double closed_limit(const LevelSteps& steps, const std::vector<SubTable>& admissible) {
  return static_cast<double>(
      std::count_if(admissible.begin(), admissible.end(),
                    [&steps](SubTable set) { return steps.is_closed(set); }));
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_find_reducible(const Rcpp::List& problem, const Rcpp::List& options, SEXP progress) {
  const HeldProblem held(problem);
  ReducibleOptions o = as_options(options, as_beta(problem));
  const Tick tick = make_tick(progress);
  const Tick listing = [&](double done) {
    report(tick, done);
    if (o.seconds() > o.give_up_s)
      throw InfeasibleError("The admissible sub-tables could not be listed in the time.");
  };
  std::vector<SubTable> admissible =
      admissible_sets(held.cells, o.beta, 1000000, listing, as_sub_tables(options["left_out"]));
  o.steps = LevelSteps(Rcpp::as<std::vector<std::size_t>>(options["levels"]));
  const bool by_level = !o.steps.are_variables();
  if (by_level) admissible = with_closures(o.steps, admissible);
  if (o.roots.empty()) o.start = decomposable_start(held.cells, admissible, o, tick);
  ReducibleRelease found = find_reducible(held.cells, admissible, o, tick);
  if (by_level) close_release(o.steps, found);
  Rcpp::List out = reducible_list(found, held.cells);
  out["limit"] = by_level
                     ? closed_limit(o.steps, admissible)
                     : static_cast<double>(conflict_limit(held.cells, admissible, o.beta,
                                                          ConflictWork(), make_tick(R_NilValue))
                                               .n_sets);
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_check_certificates(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                  const Rcpp::NumericVector& counts,
                                  const Rcpp::IntegerVector& at_risk, const Rcpp::List& sets,
                                  double beta, const Rcpp::List& certificates, double threads,
                                  SEXP progress) {
  const Layout layout = as_layout(dim);
  const HeldCertificates held(certificates, layout.n_words());
  const ReleaseCheck found =
      check_certificates(layout, as_view(layout, keys, counts), as_positions(at_risk),
                         as_variable_sets(sets), static_cast<std::int64_t>(beta), held.list,
                         make_tick(progress), static_cast<std::size_t>(threads));
  return Rcpp::List::create(Rcpp::_["fault"] = static_cast<int>(found.fault),
                            Rcpp::_["at"] = static_cast<double>(found.at + 1),
                            Rcpp::_["margin"] = static_cast<double>(found.margin),
                            Rcpp::_["n_failed"] = static_cast<double>(found.n_failed),
                            Rcpp::_["least_width"] = static_cast<double>(found.least_width));
}

// [[Rcpp::export]]
double cpp_narrowest_margin(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                            const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& at_risk,
                            const Rcpp::List& sets, double threads) {
  const Layout layout = as_layout(dim);
  return static_cast<double>(narrowest_margin(
      layout, as_view(layout, keys, counts), as_positions(at_risk), as_variable_sets(sets),
      make_tick(R_NilValue), static_cast<std::size_t>(threads)));
}
