#include "posterior/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr int kMaxReach = 127;       // draws are given as 8-bit changes
constexpr double kMaxWork = 4e11;    // products of a pass over all components; minutes
constexpr double kMaxBytes = 2.5e9;  // messages of one component
constexpr double kMostSteps = 24;    // that enumeration is tried for without being asked
constexpr double kFewSteps = 14;     // 3^14 is below 5 million
constexpr double kDear = 1e7;        // products, where enumeration of few steps is cheaper
constexpr double kVeryDear = 1e9;    // products, where enumeration is tried first
constexpr double kTriedSteps = 60;   // up to which it is tried
constexpr std::size_t kTriedTables = 200000;
constexpr std::size_t kFewCycles = 1000;  // a component of more is never enumerated unless asked

[[noreturn]] void excluded(std::size_t cell) {
  throw InfeasibleError("The prior excludes every value that cell " + std::to_string(cell + 1) +
                        " can have had.");
}

std::string power_of_ten(double x) {
  return "10^" + std::to_string(static_cast<int>(std::ceil(std::log10(std::max(x, 1.0)))));
}

[[noreturn]] void too_large(const ChainCost& cost, double products, const char* also) {
  if (!std::isfinite(products))
    throw TooLargeError("Exact elimination needs a front of " + std::to_string(cost.width) +
                        " interacting cycles or more: more than the limit." + also);
  throw TooLargeError("Exact elimination needs a front of " + std::to_string(cost.width) +
                      " interacting cycles, with up to " + power_of_ten(cost.states) + " states, " +
                      power_of_ten(products) + " products and " + power_of_ten(cost.bytes) +
                      " bytes: more than the limit." + also);
}

}  // namespace

void PosteriorModel::no_original() {
  throw InfeasibleError(
      "No original table agrees with the publication, its mechanism and the prior.");
}

PosteriorModel::PosteriorModel(std::vector<Publication> sources, Inference method,
                               std::size_t max_tables, std::int32_t* law_of_cell)
    : sources_(std::move(sources)),
      own_room_(law_of_cell ? 0 : sources_[0].n_cells()),
      maker_(sources_, law_of_cell ? law_of_cell : own_room_.data()),
      method_(method),
      max_tables_(max_tables),
      reach_(maker_.problem().reach()) {
  if (reach_ > kMaxReach) throw TooLargeError("A cell can change by more than 127.");
  if (method == Inference::enumeration && maker_.skips_zeros())
    throw InputError("A set that skips zeros has no fixed moves to enumerate.");
  // Whether components may be enumerated is known from their sizes: then the moves are needed.
  const std::vector<Component>& parts = linkage().components;
  may_enumerate_ = method == Inference::enumeration ||
                   std::any_of(parts.begin(), parts.end(), [](const Component& part) {
                     return part.cycles.size() < kFewCycles;
                   });
  if (!may_enumerate_ && !maker_.skips_zeros())
    for (Publication& source : sources_) source.cycles = CycleSet{};
}

double PosteriorModel::untouched(const Prior& prior) const {
  if (prior.uniform()) return 0;
  const Linkage& linkage = maker_.linkage();
  double sum = 0;
  for (std::size_t i = 0; i < linkage.n_cells; ++i) {
    if (linkage.law_of_cell[i] != 0) continue;
    const double weight = prior.log_weight(i, sources_[0].published[i]);
    if (weight == kNever) excluded(i);
    sum += weight;
  }
  return sum;
}

// Log prior weight of each D of each law of the component, over all its cells, relative to the
// largest; returns the sum of the largest.
double PosteriorModel::law_weights(const Component& part, const Prior& prior,
                                   std::vector<double>& logs) const {
  logs.assign(static_cast<std::size_t>(part.n_laws) * width(), 0.0);
  double sum = 0;
  for (std::int32_t law = part.first_law; law < part.first_law + part.n_laws; ++law) {
    const int most = maker_.problem().reach(law);
    double* of_law =
        logs.data() + static_cast<std::size_t>(law - part.first_law) * width() + reach_;
    for (std::int32_t k = first_cell_[law]; k < first_cell_[law + 1]; ++k) {
      const std::int32_t cell = cells_[k], sign = linkage().law_of_cell[cell] > 0 ? 1 : -1;
      double top = kNever;
      for (int d = -most; d <= most; ++d) {
        const double weight = prior.log_relative(cell, sources_[0].published[cell], sign * d);
        top = std::max(top, weight);
        of_law[d] += weight;
      }
      if (top == kNever) excluded(cell);
      sum += prior.log_base(cell, sources_[0].published[cell]);
    }
    const double top = *std::max_element(of_law - most, of_law + most + 1);
    if (top == kNever) no_original();
    for (int d = -reach_; d <= reach_; ++d)
      of_law[d] = std::abs(d) <= most ? of_law[d] - top : kNever;
    sum += top;
  }
  return sum;
}

// The cells of law l stand at first_cell_[l] .. first_cell_[l + 1] - 1.
void PosteriorModel::sort_cells() {
  if (!first_cell_.empty()) return;
  const Linkage& linkage = maker_.linkage();
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

// The steps on the component of the publication that has most.
double PosteriorModel::count_steps(const Component& part) const {
  double most = 0;
  for (int k = 0; k < static_cast<int>(sources_.size()); ++k)
    most = std::max(most, maker_.steps_of(part, k));
  return most;
}

// `products`: of all components, as if they were like this one.
PosteriorModel::Way PosteriorModel::choose_way(const Component& part, const ChainCost& cost,
                                               double products) const {
  if (maker_.skips_zeros()) return Way::chain;
  const bool too_much = products > kMaxWork || cost.bytes > kMaxBytes;
  const double steps = count_steps(part);
  if (too_much && (!may_enumerate_ || steps > kMostSteps)) too_large(cost, products, "");
  if (too_much || (may_enumerate_ && cost.products > kDear && steps <= kFewSteps))
    return Way::enumerate;
  return may_enumerate_ && cost.products > kVeryDear && steps <= kTriedSteps ? Way::try_few
                                                                             : Way::chain;
}

// Refuses what takes too much before any component is worked on.
void PosteriorModel::choose_ways(WorkerPool& pool, const Tick& tick) {
  const std::vector<Component>& parts = linkage().components;
  if (method_ == Inference::enumeration) {
    ways_.assign(parts.size(), Way::enumerate);
    return;
  }
  maker_.compare(pool, tick);
  std::vector<Way> out;
  for (const Component& part : parts) {
    if (out.size() % 64 == 0) report(tick, 0);
    const ChainCost cost = maker_.plan(out.size()).cost;
    const double alike =
        static_cast<double>(linkage().n_cycles) / static_cast<double>(part.cycles.size());
    out.push_back(choose_way(part, cost, cost.products * alike));
    most_bytes_ = std::max(most_bytes_, cost.bytes);
  }
  ways_ = std::move(out);
}

bool PosteriorModel::enumerates() const {
  return std::any_of(ways_.begin(), ways_.end(), [](Way way) { return way != Way::chain; });
}

Originals PosteriorModel::enumerate(const Component& part, const Prior& prior,
                                    std::size_t max_tables, std::vector<std::int32_t>& laws,
                                    const Tick& tick) {
  std::vector<std::int32_t> cells(cells_.begin() + first_cell_[part.first_law],
                                  cells_.begin() + first_cell_[part.first_law + part.n_laws]);
  std::sort(cells.begin(), cells.end());
  laws.clear();
  for (std::int32_t cell : cells) laws.push_back(linkage().law_of_cell[cell]);
  Originals out;
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Publication& source = sources_[k];
    const Component own = maker_.cycles_of(part, static_cast<int>(k));
    Originals here =
        enumerate_originals(source.cycles, source.mechanism, own, cells, source.published,
                            k == 0 ? prior : Prior(), max_tables, tick);
    if (k == 0) {
      out = std::move(here);
    } else {
      keep_common(out, sources_[0].published, here, source.published, cells);
    }
  }
  return out;
}

// False where the component must be a chain.
bool PosteriorModel::try_enumeration(std::size_t number, const Prior& prior,
                                     std::vector<std::int32_t>& laws, Originals& out,
                                     const Tick& tick) {
  const Component& part = linkage().components[number];
  const bool few = ways_[number] == Way::try_few;
  if (ways_[number] == Way::chain) return false;
  try {
    const std::size_t most = few ? std::min(max_tables_, kTriedTables) : max_tables_;
    out = enumerate(part, prior, most, laws, tick);
    return true;
  } catch (const TooLargeError& error) {
    if (method_ == Inference::enumeration) throw;
    if (few) {
      ways_[number] = Way::chain;
      return false;
    }
    const ChainCost cost = maker_.plan(part).cost;
    too_large(cost, cost.products, (std::string(" ") + error.what()).c_str());
  }
}

void PosteriorModel::plan(const Tick& tick) {
  WorkerPool alone(1);
  choose_ways(alone, tick);
}

double PosteriorModel::infer(const Prior& prior, double* laws, const Tick& tick,
                             std::size_t n_threads) {
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
  return visit(prior, tick, on_chain, on_originals, n_threads);
}

double PosteriorModel::log_evidence(const Prior& prior, const Tick& tick, std::size_t n_threads) {
  return visit(
      prior, tick, chain_evidence,
      [](const std::vector<std::int32_t>&, const Originals& all) { return all.log_evidence; },
      n_threads);
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
