// Bridge of certified releases by components, and of the check of their certificates.
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "bridge.h"
#include "certify/reducible.hpp"
#include "release/admissible.hpp"
#include "release/verify_release.hpp"

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
  Rcpp::RawVector keys(static_cast<R_xlen_t>(8 * x.keys.size()));
  if (!x.keys.empty()) std::memcpy(RAW(keys), x.keys.data(), 8 * x.keys.size());
  return Rcpp::List::create(Rcpp::Named("keys") = keys,
                            Rcpp::Named("target") = as_numbers<Rcpp::IntegerVector>(x.target),
                            Rcpp::Named("start") = as_numbers<Rcpp::NumericVector>(x.start),
                            Rcpp::Named("cell") = as_numbers<Rcpp::IntegerVector>(x.cell),
                            Rcpp::Named("by") = as_numbers<Rcpp::IntegerVector>(x.by));
}

Rcpp::List from_log(const std::vector<ReducibleStep>& log) {
  std::vector<double> seconds, tree, size, cells, value;
  std::vector<std::string> what;
  for (const ReducibleStep& s : log) {
    seconds.push_back(s.seconds);
    tree.push_back(static_cast<double>(s.tree));
    size.push_back(static_cast<double>(s.size));
    what.push_back(s.what);
    cells.push_back(static_cast<double>(s.n_cells));
    value.push_back(static_cast<double>(s.value));
  }
  return Rcpp::List::create(Rcpp::Named("time_s") = seconds, Rcpp::Named("tree") = tree,
                            Rcpp::Named("size") = size, Rcpp::Named("step") = what,
                            Rcpp::Named("blocked") = cells, Rcpp::Named("value") = value);
}

// A clock that moves by a step whenever it is looked at, for tests: the work is the same each time.
std::function<double()> counting_watch(double step) {
  return [now = 0.0, step]() mutable { return now += step; };
}

std::function<double()> stop_watch() {
  const double start = work_seconds();
  return [start] { return work_seconds() - start; };
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List cpp_find_reducible(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                              const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& at_risk,
                              const Rcpp::List& options, SEXP progress) {
  ReducibleOptions o;
  const double step = Rcpp::as<double>(options["clock_step"]);
  o.seconds = step > 0 ? counting_watch(step) : stop_watch();
  o.beta = static_cast<std::int64_t>(Rcpp::as<double>(options["beta"]));
  o.sizes = Rcpp::as<std::vector<std::size_t>>(options["sizes"]);
  o.roots = as_sub_tables(options["roots"]);
  o.forced = as_sub_tables(options["forced"]);
  o.n_trees = Rcpp::as<std::size_t>(options["n_trees"]);
  o.max_cells = static_cast<std::size_t>(Rcpp::as<double>(options["max_cells"]));
  o.effort = Rcpp::as<double>(options["effort"]);
  o.seed = static_cast<std::uint64_t>(static_cast<std::int64_t>(Rcpp::as<double>(options["seed"])));
  o.time_limit_s = Rcpp::as<double>(options["time_limit_s"]);
  o.give_up_s = Rcpp::as<double>(options["give_up_s"]);
  const RiskCells risk = as_risk_cells(dim, keys, counts, at_risk);
  const Tick tick = make_tick(progress);
  const Tick listing = [&](double done) {
    report(tick, done);
    if (o.seconds() > o.give_up_s)
      throw InfeasibleError("The admissible sub-tables could not be listed in the time.");
  };
  const std::vector<SubTable> admissible =
      admissible_sets(risk, o.beta, 1000000, listing, as_sub_tables(options["left_out"]));
  const ReducibleRelease found = find_reducible(risk, admissible, o, tick);
  std::int64_t outer = risk.total();
  for (SubTable set : found.frontier) {
    const std::vector<std::int64_t> margin = risk.margin(set);
    outer = std::min(outer, *std::min_element(margin.begin(), margin.end()));
  }
  return Rcpp::List::create(
      Rcpp::Named("sets") = from_sub_tables(found.frontier),
      Rcpp::Named("outer") = static_cast<double>(outer),
      Rcpp::Named("n_admissible") = static_cast<double>(admissible.size()),
      Rcpp::Named("components") = from_sub_tables(found.tree.components),
      Rcpp::Named("separators") = from_sub_tables(found.tree.separators),
      Rcpp::Named("hard") = as_numbers<Rcpp::NumericVector>(found.n_hard),
      Rcpp::Named("blocked") = as_numbers<Rcpp::NumericVector>(found.n_blocked),
      Rcpp::Named("released") = as_numbers<Rcpp::NumericVector>(found.n_released),
      Rcpp::Named("certificates") = from_certificates(found.certificates),
      Rcpp::Named("log") = from_log(found.log), Rcpp::Named("stopped") = found.stopped);
}

// `certificates`: what from_certificates() wrote.
// [[Rcpp::export]]
Rcpp::List cpp_check_certificates(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                  const Rcpp::NumericVector& counts,
                                  const Rcpp::IntegerVector& at_risk, const Rcpp::List& sets,
                                  double beta, const Rcpp::List& certificates, SEXP progress) {
  const Layout layout = as_layout(dim);
  const Rcpp::RawVector held = certificates["keys"];
  const Rcpp::NumericVector start = certificates["start"];
  const Rcpp::IntegerVector target = certificates["target"], cell = certificates["cell"],
                            by = certificates["by"];
  const std::size_t key_size = 8 * layout.n_words();
  if (held.size() % static_cast<R_xlen_t>(key_size) != 0 || cell.size() != by.size() ||
      start.size() == 0)
    throw InputError("The certificates are damaged: their parts do not fit each other.");
  CertificateList list;
  list.keys = reinterpret_cast<const std::uint64_t*>(RAW(held));
  list.n_keys = static_cast<std::size_t>(held.size()) / key_size;
  list.target = target.begin();
  list.n = static_cast<std::size_t>(target.size());
  list.start = start.begin();
  list.n_start = static_cast<std::size_t>(start.size());
  list.cell = cell.begin();
  list.by = by.begin();
  list.n_entries = static_cast<std::size_t>(cell.size());
  std::vector<std::uint32_t> at;
  for (int position : at_risk) at.push_back(static_cast<std::uint32_t>(position - 1));
  const ReleaseCheck found =
      check_certificates(layout, as_view(layout, keys, counts), at, as_variable_sets(sets),
                         static_cast<std::int64_t>(beta), list, make_tick(progress));
  return Rcpp::List::create(Rcpp::Named("fault") = static_cast<int>(found.fault),
                            Rcpp::Named("at") = static_cast<double>(found.at + 1),
                            Rcpp::Named("margin") = static_cast<double>(found.margin),
                            Rcpp::Named("n_failed") = static_cast<double>(found.n_failed),
                            Rcpp::Named("least_width") = static_cast<double>(found.least_width));
}
