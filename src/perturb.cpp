// Bridge of the mechanism and of perturbation.
#include "perturb/perturb.hpp"

#include <string>

#include "base/error.hpp"
#include "bridge.h"
#include "cycle_bands.h"

namespace {

sdclattice::ZeroRule as_zero_rule(const std::string& rule) {
  if (rule == "blocked") return sdclattice::ZeroRule::blocked;
  if (rule == "nonnegative") return sdclattice::ZeroRule::nonnegative;
  if (rule == "none") return sdclattice::ZeroRule::none;
  if (rule == "roehrig") return sdclattice::ZeroRule::roehrig;
  throw sdclattice::InputError("The zero rule is not known.");
}

std::vector<std::int64_t> as_counts(const Rcpp::NumericVector& counts) {
  return std::vector<std::int64_t>(counts.begin(), counts.end());
}

// Eight bytes per coin, the first the lowest, on every platform.
std::vector<std::uint64_t> as_coins(const Rcpp::RawVector& bytes) {
  std::vector<std::uint64_t> coins(bytes.size() / 8, 0);
  for (std::size_t i = 0; i < 8 * coins.size(); ++i) {
    coins[i / 8] |= static_cast<std::uint64_t>(bytes[i]) << (8 * (i % 8));
  }
  return coins;
}

}  // namespace

namespace {

void read_probabilities(const Rcpp::List& mechanism, sdclattice::Mechanism& out) {
  out.alpha = Rcpp::as<std::vector<double>>(mechanism["alpha"]);
  out.beta = Rcpp::as<std::vector<double>>(mechanism["beta"]);
  out.rule = as_zero_rule(Rcpp::as<std::string>(mechanism["zero_rule"]));
}

// The groups of bands, when each cover takes their cycles in the order of the set.
std::optional<sdclattice::BandGroups> bands_in_order(const Rcpp::List& mechanism) {
  const Rcpp::IntegerVector order = mechanism["order"];
  std::optional<sdclattice::BandGroups> bands = as_band_groups(mechanism["cycles"]);
  if (!bands) return bands;
  R_xlen_t i = 0;
  for (const sdclattice::BandGroup& group : bands->groups)
    for (const sdclattice::BandGroup::Sweep& sweep : group.sweeps)
      for (std::size_t s = 0; s < group.cycles_of_sweep(); ++s, ++i)
        if (i >= order.size() || order[i] != static_cast<int>(sweep.first_cycle + s) + 1)
          return std::nullopt;
  return i == order.size() ? bands : std::nullopt;
}

sdclattice::BandWalk as_band_walk(const Rcpp::List& mechanism,
                                  const sdclattice::BandGroups& bands) {
  sdclattice::Mechanism probabilities;
  read_probabilities(mechanism, probabilities);
  return sdclattice::BandWalk(bands, probabilities, as_size(Rcpp::as<double>(mechanism["covers"])));
}

Rcpp::List perturb_bands(const Rcpp::NumericVector& counts, const sdclattice::BandWalk& walk,
                         const Rcpp::RawVector& coins) {
  if (static_cast<std::size_t>(coins.size()) != 8 * walk.n_steps())
    throw sdclattice::InputError("There must be one coin per step.");
  Rcpp::NumericVector drawn(Rcpp::no_init(counts.size()));
  Rcpp::IntegerVector applied(static_cast<R_xlen_t>(walk.n_steps()));
  walk.perturb(counts.begin(), static_cast<std::size_t>(counts.size()), coins.begin(),
               drawn.begin(), applied.begin(), make_tick(R_NilValue));
  return Rcpp::List::create(Rcpp::_["counts"] = drawn, Rcpp::_["applied"] = applied);
}

Rcpp::List from_rehearsal(const sdclattice::Rehearsal& out) {
  return Rcpp::List::create(Rcpp::_["small"] = static_cast<double>(out.small),
                            Rcpp::_["nonzero"] = static_cast<double>(out.nonzero),
                            Rcpp::_["changed_small"] = out.changed_small,
                            Rcpp::_["changed_nonzero"] = out.changed_nonzero,
                            Rcpp::_["asked"] = out.asked, Rcpp::_["prevented"] = out.prevented);
}

}  // namespace

// An order as long as one cover is used in every cover; a longer one is the whole sequence.
sdclattice::Mechanism as_mechanism(const Rcpp::List& mechanism) {
  const Rcpp::IntegerVector order = mechanism["order"];
  const R_xlen_t covers = Rcpp::as<double>(mechanism["covers"]);
  const R_xlen_t repeats = order.size() == cover_length(mechanism["cycles"]) ? covers : 1;
  sdclattice::Mechanism out;
  out.sequence.reserve(order.size() * repeats);
  for (R_xlen_t r = 0; r < repeats; ++r) {
    for (const int c : order) out.sequence.push_back(c - 1);
  }
  read_probabilities(mechanism, out);
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_perturb_counts(Rcpp::NumericVector counts, Rcpp::List mechanism,
                              Rcpp::RawVector coins) {
  if (const auto bands = bands_in_order(mechanism))
    return perturb_bands(counts, as_band_walk(mechanism, *bands), coins);
  const sdclattice::CycleSet cycles = as_cycle_set(mechanism["cycles"]);
  const sdclattice::Perturbed out = sdclattice::perturb(
      as_counts(counts), cycles, as_mechanism(mechanism), as_coins(coins), make_tick(R_NilValue));
  return Rcpp::List::create(
      Rcpp::_["counts"] = Rcpp::NumericVector(out.counts.begin(), out.counts.end()),
      Rcpp::_["applied"] = Rcpp::IntegerVector(out.applied.begin(), out.applied.end()));
}

// [[Rcpp::export]]
Rcpp::List cpp_rehearse_mechanism(Rcpp::NumericVector counts, Rcpp::List mechanism, int replicates,
                                  double seed) {
  const auto n = static_cast<std::size_t>(counts.size());
  if (const auto bands = bands_in_order(mechanism))
    return from_rehearsal(as_band_walk(mechanism, *bands)
                              .rehearse(counts.begin(), n, static_cast<std::size_t>(replicates),
                                        static_cast<std::uint64_t>(seed), make_tick(R_NilValue)));
  const sdclattice::CycleSet cycles = as_cycle_set(mechanism["cycles"]);
  return from_rehearsal(sdclattice::rehearse(as_counts(counts), cycles, as_mechanism(mechanism),
                                             replicates, static_cast<std::uint64_t>(seed),
                                             make_tick(R_NilValue)));
}
