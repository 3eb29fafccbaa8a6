#include "core/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>

#include "core/enumerate.hpp"
#include "core/error.hpp"
#include "core/joint.hpp"
#include "core/ring.hpp"

namespace sdclattice {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr int max_reach = 127;      // draws are given as 8-bit changes
constexpr double max_work = 4e11;    // products; minutes
constexpr double max_joins = 1.5e9;  // bytes of tables of pairs of states

[[noreturn]] void impossible() {
  throw InfeasibleError(
      "No original table agrees with the publication, its mechanism and the prior.");
}

[[noreturn]] void excluded(std::size_t cell) {
  throw InfeasibleError("The prior excludes every value that cell " + std::to_string(cell + 1) +
                        " can have had.");
}

// Largest possible change of a cell outside rings.
int find_reach(const CycleSet& set, const Linkage& linkage, int covers) {
  std::vector<int> per_cell(set.n_cells, 0);
  for (std::size_t i = 0; i < set.cell.size(); ++i) per_cell[set.cell[i]] += std::abs(set.coef[i]);
  int most = 0;
  for (const Component& part : linkage.components)
    for (std::int32_t cell : part.cells) most = std::max(most, per_cell[cell]);
  return most * covers;
}

// Refuses what would take hours, before it begins.
void check_work(const StateSpace& space, const Linkage& linkage) {
  double work = 0;
  for (const Component& part : linkage.components)
    if (part.ring) work += ring_work(space, part);
  const double kinds = std::fmin(linkage.links.size(), std::pow(link_cap(space.covers()) + 1, 2));
  if (work <= max_work && 4 * kinds * std::pow(space.size(), 2) <= max_joins) return;
  throw TooLargeError("Message passing with " + std::to_string(space.size()) +
                      " states per cycle would take hours or more memory than it may: up to 10^" +
                      std::to_string(static_cast<int>(std::log10(work))) + " products.");
}

}  // namespace

PosteriorModel::PosteriorModel(CycleSet cycles, Mechanism mechanism, Inference method,
                               std::size_t max_tables, std::int32_t* law_of_cell)
    : cycles_(std::move(cycles)), mechanism_(std::move(mechanism)),
      times_(mechanism_.sequence, cycles_.size()), own_room_(law_of_cell ? 0 : cycles_.n_cells),
      linkage_(find_linkage(cycles_, method == Inference::enumeration,
                            law_of_cell ? law_of_cell : own_room_.data())),
      max_tables_(max_tables), covers_(times_.covers()) {
  for (const Component& part : linkage_.components) all_rings_ = all_rings_ && part.ring;
  reach_ = linkage_.links.empty() ? 0 : 2 * covers_;
  if (!all_rings_) reach_ = std::max(reach_, find_reach(cycles_, linkage_, covers_));
  if (reach_ > max_reach) throw TooLargeError("A cell can change by more than 127.");
  if (!all_rings_) return;
  cycles_ = CycleSet{};
  std::vector<std::int32_t>().swap(mechanism_.sequence);
}

PosteriorModel::Minima PosteriorModel::find_minima(const double* published) const {
  const int cap = link_cap(covers_);
  const auto none = static_cast<std::uint8_t>(std::min(cap, 255));
  Minima out;
  out.up.assign(linkage_.links.size(), none);
  out.down.assign(linkage_.links.size(), none);
  const auto n_links = static_cast<std::int32_t>(linkage_.links.size());
  for (std::size_t i = 0; i < linkage_.n_cells; ++i) {
    const std::int32_t law = linkage_.law_of_cell[i];
    if (law == 0 || std::abs(law) > n_links || published[i] >= none) continue;
    std::uint8_t& least = law > 0 ? out.up[law - 1] : out.down[-law - 1];
    least = std::min(least, static_cast<std::uint8_t>(published[i]));
  }
  return out;
}

double PosteriorModel::untouched(const double* published, const Prior& prior) const {
  if (prior.uniform()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < linkage_.n_cells; ++i) {
    if (linkage_.law_of_cell[i] == 0) {
      const double weight = prior.log_weight(i, published[i]);
      if (weight == never) excluded(i);
      sum += weight;
    }
  }
  return sum;
}

// Log prior weight of each link and each D, over all its cells, relative to the largest; returns
// the sum of the largest.
double PosteriorModel::link_weights(const double* published, const Prior& prior,
                                    double* logs) const {
  const auto n_links = static_cast<std::int32_t>(linkage_.links.size());
  const int most = 2 * covers_;
  for (std::size_t i = 0; i < linkage_.n_cells; ++i) {
    const std::int32_t law = linkage_.law_of_cell[i];
    if (law == 0 || std::abs(law) > n_links) continue;
    double* of_link = logs + std::size_t(std::abs(law) - 1) * width() + reach_;
    double top = never;
    for (int d = -most; d <= most; ++d) {
      const double weight = prior.log_weight(i, published[i] - (law > 0 ? d : -d));
      top = std::max(top, weight);
      of_link[d] += weight;
    }
    if (top == never) excluded(i);
  }
  double sum = 0;
  for (std::int32_t l = 0; l < n_links; ++l) {
    double* of_link = logs + std::size_t(l) * width() + reach_;
    const double top = *std::max_element(of_link - most, of_link + most + 1);
    if (top == never) impossible();
    for (int d = -most; d <= most; ++d) of_link[d] -= top;
    sum += top;
  }
  return sum;
}

// Calls on_ring(Ring) or on_other(component, its originals) for each component; both return a log
// evidence, and the sum is returned. With a prior that is not uniform `logs` is room for
// n_laws() * width() numbers; those of a component may be overwritten once its turn has come.
template <typename OnRing, typename OnOther>
double PosteriorModel::visit(const double* published, const Prior& prior, double* logs,
                             const Tick& tick, OnRing&& on_ring, OnOther&& on_other) const {
  const Minima minima = find_minima(published);
  double sum = untouched(published, prior);
  if (!prior.uniform()) sum += link_weights(published, prior, logs);
  std::size_t done = 0;
  const auto n_parts = static_cast<double>(linkage_.components.size());
  const Tick inside = [&](double share) { report(tick, (static_cast<double>(done) + share) / n_parts); };
  const RingContext context{linkage_, mechanism_, times_, minima.up, minima.down, inside};
  std::unique_ptr<StateSpace> space;
  std::unique_ptr<JoinCache> joins;
  std::map<int, TransitionCache> transitions;
  std::vector<double> weights;
  for (const Component& part : linkage_.components) {
    inside(0);
    double log_evidence = never;
    if (part.ring) {
      if (!space) {
        space = std::make_unique<StateSpace>(mechanism_.rule, covers_);
        check_work(*space, linkage_);
        joins = std::make_unique<JoinCache>(*space);
      }
      auto at = transitions.find(part.window);
      if (at == transitions.end())
        at = transitions.emplace(part.window, TransitionCache(*space, *joins, part.window)).first;
      weights.clear();
      if (!prior.uniform()) {
        for (std::int32_t l = part.first_link; l < part.first_link + part.n_links; ++l) {
          double* of_link = logs + std::size_t(l) * width() + reach_;
          for (int d = -2 * covers_; d <= 2 * covers_; ++d) {
            weights.push_back(std::exp(of_link[d]));
            of_link[d] = 0;
          }
        }
      }
      const Ring ring(*space, *joins, at->second, part, context,
                      prior.uniform() ? nullptr : weights.data());
      log_evidence = on_ring(ring);
    } else {
      const Originals all =
          enumerate_originals(cycles_, mechanism_, part, published, prior, max_tables_, tick);
      if (all.size() > 0) log_evidence = all.log_evidence;
      on_other(part, all);
    }
    if (log_evidence == never) impossible();
    sum += log_evidence;
    ++done;
  }
  report(tick, 1);
  return sum;
}

double PosteriorModel::infer(const double* published, const Prior& prior, double* laws,
                             const Tick& tick) const {
  const int extra = reach_ - 2 * covers_;  // laws of rings are narrower than those of other cells
  const auto on_ring = [&](const Ring& ring) { return ring.infer(laws + extra, width()); };
  const auto on_other = [&](const Component& part, const Originals& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < part.cells.size(); ++k)
        laws[std::size_t(part.laws[k]) * width() + reach_ + all.shift[i * part.cells.size() + k]] +=
            all.weight[i];
  };
  return visit(published, prior, laws, tick, on_ring, on_other);
}

double PosteriorModel::log_evidence(const double* published, const Prior& prior,
                                    const Tick& tick) const {
  std::vector<double> logs(prior.uniform() ? 0 : n_laws() * width());
  return visit(
      published, prior, logs.data(), tick, [](const Ring& ring) { return ring.log_evidence(); },
      [](const Component&, const Originals&) {});
}

void PosteriorModel::sample(const double* published, const Prior& prior, std::size_t n,
                            const std::function<double()>& uniform, std::int8_t* shifts,
                            const Tick& tick) const {
  std::vector<double> logs(prior.uniform() ? 0 : n_laws() * width());
  const auto on_ring = [&](const Ring& ring) {
    const double log_evidence = ring.log_evidence();
    if (log_evidence != never) ring.sample(n, n_laws(), uniform, shifts);
    return log_evidence;
  };
  const auto on_other = [&](const Component& part, const Originals& all) {
    for (std::size_t draw = 0; draw < n; ++draw) {
      double u = uniform();
      std::size_t i = 0;
      while (i + 1 < all.size() && u >= all.weight[i]) u -= all.weight[i++];
      for (std::size_t k = 0; k < part.cells.size(); ++k)
        shifts[draw * n_laws() + part.laws[k]] =
            static_cast<std::int8_t>(all.shift[i * part.cells.size() + k]);
    }
  };
  visit(published, prior, logs.data(), tick, on_ring, on_other);
}

double PosteriorModel::count_originals(const double* published, const Prior& prior,
                                       const Tick& tick) const {
  if (!linkage_.links.empty())
    throw InputError("Originals are counted by enumeration; the model was made for rings.");
  double count = 1;
  visit(
      published, prior, nullptr, tick, [](const Ring&) { return 0.0; },
      [&](const Component&, const Originals& all) { count *= static_cast<double>(all.size()); });
  return count;
}

}  // namespace sdclattice
