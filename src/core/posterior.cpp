#include "core/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace sdclattice {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr int max_reach = 127;       // draws are given as 8-bit changes
constexpr double max_work = 4e11;    // products of a pass over all components; minutes
constexpr double max_bytes = 2.5e9;  // messages of one component
constexpr double most_steps = 24;    // that enumeration is tried for without being asked
constexpr double few_steps = 14;     // 3^14 is below 5 million
constexpr double dear = 1e7;         // products, where enumeration of few steps is cheaper

[[noreturn]] void impossible() {
  throw InfeasibleError(
      "No original table agrees with the publication, its mechanism and the prior.");
}

[[noreturn]] void excluded(std::size_t cell) {
  throw InfeasibleError("The prior excludes every value that cell " + std::to_string(cell + 1) +
                        " can have had.");
}

std::string power_of_ten(double x) {
  if (!std::isfinite(x)) return "10^308 or more";
  return "10^" + std::to_string(static_cast<int>(std::ceil(std::log10(std::max(x, 1.0)))));
}

[[noreturn]] void too_large(const Elimination::Cost& cost, double products, const char* also) {
  throw TooLargeError("Exact elimination needs a front of " + std::to_string(cost.width) +
                      " interacting cycles, with up to " + power_of_ten(cost.states) + " states, " +
                      power_of_ten(products) + " products and " + power_of_ten(cost.bytes) +
                      " bytes: more than the limit." + also);
}

std::size_t count_steps(const Problem& problem, const Component& part) {
  std::size_t sum = 0;
  for (std::int32_t c : part.cycles) sum += static_cast<std::size_t>(problem.applications(c));
  return sum;
}

}  // namespace

PosteriorModel::PosteriorModel(std::vector<Publication> sources, Inference method,
                               std::size_t max_tables, std::int32_t* law_of_cell)
    : sources_(std::move(sources)),
      own_room_(law_of_cell ? 0 : sources_[0].cycles.n_cells),
      problem_(sources_, law_of_cell ? law_of_cell : own_room_.data()),
      method_(method),
      max_tables_(max_tables),
      reach_(problem_.reach()) {
  if (reach_ > max_reach) throw TooLargeError("A cell can change by more than 127.");
  if (method == Inference::enumeration && sources_.size() > 1)
    throw InputError("Several publications cannot be analysed by enumeration.");
  for (const Publication& source : sources_) {
    if (!source.cycles.skips_zeros()) continue;
    skips_ = true;
    if (method == Inference::enumeration)
      throw InputError("A set that skips zeros has no fixed moves to enumerate.");
    if (sources_.size() > 1)
      throw TooLargeError(
          "Several publications with a set that skips zeros have no exact messages yet.");
  }
  // Whether components are enumerated is known from their sizes: then the moves are needed.
  std::size_t most = 0;
  for (const Component& part : linkage().components)
    if (part.cycles.size() < 1000) most = std::max(most, part.cycles.size());
  if (method != Inference::enumeration && most == 0 && !skips_)
    for (Publication& source : sources_) source.cycles = CycleSet{};
}

double PosteriorModel::untouched(const Prior& prior) const {
  if (prior.uniform()) return 0;
  const Linkage& linkage = problem_.linkage();
  double sum = 0;
  for (std::size_t i = 0; i < linkage.n_cells; ++i) {
    if (linkage.law_of_cell[i] != 0) continue;
    const double weight = prior.log_weight(i, sources_[0].published[i]);
    if (weight == never) excluded(i);
    sum += weight;
  }
  return sum;
}

// Log prior weight of each D of each law of the component, over all its cells, relative to the
// largest; returns the sum of the largest.
double PosteriorModel::law_weights(const Component& part, const Prior& prior,
                                   std::vector<double>& logs) {
  sort_cells();
  logs.assign(static_cast<std::size_t>(part.n_laws) * width(), 0.0);
  double sum = 0;
  for (std::int32_t law = part.first_law; law < part.first_law + part.n_laws; ++law) {
    const int most = problem_.reach(law);
    double* of_law =
        logs.data() + static_cast<std::size_t>(law - part.first_law) * width() + reach_;
    for (std::int32_t k = first_cell_[law]; k < first_cell_[law + 1]; ++k) {
      const std::int32_t cell = cells_[k], sign = linkage().law_of_cell[cell] > 0 ? 1 : -1;
      double top = never;
      for (int d = -most; d <= most; ++d) {
        const double weight = prior.log_relative(cell, sources_[0].published[cell], sign * d);
        top = std::max(top, weight);
        of_law[d] += weight;
      }
      if (top == never) excluded(cell);
      sum += prior.log_base(cell, sources_[0].published[cell]);
    }
    const double top = *std::max_element(of_law - most, of_law + most + 1);
    if (top == never) impossible();
    for (int d = -reach_; d <= reach_; ++d)
      of_law[d] = std::abs(d) <= most ? of_law[d] - top : never;
    sum += top;
  }
  return sum;
}

// The cells of law l stand at first_cell_[l] .. first_cell_[l + 1] - 1.
void PosteriorModel::sort_cells() {
  if (!first_cell_.empty()) return;
  const Linkage& linkage = problem_.linkage();
  first_cell_.assign(linkage.n_laws() + 1, 0);
  for (std::size_t i = 0; i < linkage.n_cells; ++i)
    if (linkage.law_of_cell[i] != 0) ++first_cell_[std::abs(linkage.law_of_cell[i])];
  std::partial_sum(first_cell_.begin(), first_cell_.end(), first_cell_.begin());
  cells_.resize(static_cast<std::size_t>(first_cell_.back()));
  std::vector<std::int32_t> at(first_cell_.begin(), first_cell_.end() - 1);
  for (std::size_t i = 0; i < linkage.n_cells; ++i)
    if (const std::int32_t law = linkage.law_of_cell[i])
      cells_[at[std::abs(law) - 1]++] = static_cast<std::int32_t>(i);
}

// Every component of the size of this one is expected to cost as much.
bool PosteriorModel::enumerates(const Component& part, const Elimination::Cost& cost,
                                double products) const {
  if (method_ == Inference::enumeration) return true;
  const bool too_much = products > max_work || cost.bytes > max_bytes;
  if (sources_.size() > 1 || sources_[0].cycles.size() == 0) {
    if (too_much) too_large(cost, products, "");
    return false;
  }
  const double steps = static_cast<double>(count_steps(problem_, part));
  if (too_much && steps > most_steps) too_large(cost, products, "");
  return too_much || (cost.products > dear && steps <= few_steps);
}

Originals PosteriorModel::enumerate(const Component& part, const Prior& prior,
                                    std::vector<std::int32_t>& laws, const Tick& tick) {
  sort_cells();
  std::vector<std::int32_t> cells(cells_.begin() + first_cell_[part.first_law],
                                  cells_.begin() + first_cell_[part.first_law + part.n_laws]);
  std::sort(cells.begin(), cells.end());
  laws.clear();
  for (std::int32_t cell : cells) laws.push_back(linkage().law_of_cell[cell]);
  return enumerate_originals(sources_[0].cycles, sources_[0].mechanism, part, cells,
                             sources_[0].published, prior, max_tables_, tick);
}

double PosteriorModel::visit(const Prior& prior, const Tick& tick, const OnChain& on_chain,
                             const OnOriginals& on_originals) {
  double sum = untouched(prior);
  n_enumerated_ = 1;
  std::size_t done = 0;
  const auto n_parts = static_cast<double>(linkage().components.size());
  const Tick inside = [&](double share) {
    report(tick, (static_cast<double>(done) + share) / n_parts);
  };
  Elimination elimination(problem_);
  Sweeps sweeps(sources_[0], linkage());
  std::vector<double> weights;
  std::vector<std::int32_t> laws;
  for (const Component& part : linkage().components) {
    if (done % 64 == 0) inside(0);
    Elimination::Cost cost;
    if (method_ != Inference::enumeration && !skips_) cost = elimination.plan(part);
    const double alike =
        static_cast<double>(linkage().n_cycles) / static_cast<double>(part.cycles.size());
    double log_evidence = never;
    if (!skips_ && enumerates(part, cost, cost.products * alike)) {
      try {
        const Originals all = enumerate(part, prior, laws, tick);
        n_enumerated_ *= static_cast<double>(all.size());
        if (all.size() > 0) log_evidence = on_originals(laws, all);
      } catch (const TooLargeError& error) {
        if (method_ == Inference::enumeration) throw;
        too_large(cost, cost.products * alike, (std::string(" ") + error.what()).c_str());
      }
    } else {
      LawWeights of_part{nullptr, part.first_law, reach_};
      if (!prior.uniform()) {
        sum += law_weights(part, prior, weights);
        of_part.data = weights.data();
      }
      log_evidence = on_chain(skips_ ? sweeps.build(part) : elimination.build(), of_part, inside);
    }
    if (log_evidence == never) impossible();
    sum += log_evidence;
    ++done;
  }
  report(tick, 1);
  return sum;
}

double PosteriorModel::infer(const Prior& prior, double* laws, const Tick& tick) {
  const auto on_chain = [&](const Chain& chain, const LawWeights& weights, const Tick& inside) {
    return chain_infer(chain, weights, reach_, laws, inside);
  };
  const auto on_originals = [&](const std::vector<std::int32_t>& law_of, const Originals& all) {
    const std::size_t n_cells = law_of.size();
    std::vector<char> seen;
    for (std::size_t k = 0; k < n_cells; ++k) {
      const auto law = static_cast<std::size_t>(std::abs(law_of[k]) - 1);
      seen.resize(std::max(seen.size(), law + 1), 0);
      if (seen[law]) continue;
      seen[law] = 1;
      double* of_law = laws + law * width() + reach_;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const int shift = all.shift[i * n_cells + k];
        of_law[law_of[k] > 0 ? shift : -shift] += all.weight[i];
      }
    }
    return all.log_evidence;
  };
  return visit(prior, tick, on_chain, on_originals);
}

double PosteriorModel::log_evidence(const Prior& prior, const Tick& tick) {
  return visit(
      prior, tick, chain_evidence,
      [](const std::vector<std::int32_t>&, const Originals& all) { return all.log_evidence; });
}

void PosteriorModel::sample(const Prior& prior, std::size_t n,
                            const std::function<double()>& uniform, std::int8_t* shifts,
                            const Tick& tick) {
  const auto on_chain = [&](const Chain& chain, const LawWeights& weights, const Tick& inside) {
    return chain_sample(chain, weights, n, n_laws(), uniform, shifts, inside);
  };
  const auto on_originals = [&](const std::vector<std::int32_t>& law_of, const Originals& all) {
    for (std::size_t draw = 0; draw < n; ++draw) {
      double u = uniform();
      std::size_t i = 0;
      while (i + 1 < all.size() && u >= all.weight[i]) u -= all.weight[i++];
      for (std::size_t k = 0; k < law_of.size(); ++k) {
        const int shift = all.shift[i * law_of.size() + k];
        shifts[draw * n_laws() + static_cast<std::size_t>(std::abs(law_of[k]) - 1)] =
            static_cast<std::int8_t>(law_of[k] > 0 ? shift : -shift);
      }
    }
    return all.log_evidence;
  };
  visit(prior, tick, on_chain, on_originals);
}

}  // namespace sdclattice
