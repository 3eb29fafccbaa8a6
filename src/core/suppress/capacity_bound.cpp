#include "suppress/capacity_bound.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "linear/best_table.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/sum_bound.hpp"
#include "suppress/cheapest_cover.hpp"
#include "suppress/chosen_certificates.hpp"
#include "suppress/pattern_bound.hpp"
#include "suppress/reader_demands.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kCutsAtOnce = 150;  // in a round
constexpr std::size_t kStalledRounds = 4;
constexpr double kGain = 1e-3;        // a smaller gain of the bound is a stall, as a share of it
constexpr double kSlack = 1.5;        // cuts that have so much more than they need are left out
constexpr double kShareOfWhole = .4;  // of the time left: branch and bound at once
constexpr double kShareOfReals = .6;  // of the time: the programme over the real numbers
constexpr std::size_t kCutsKept = 4000;

bool is_same(const CapacityCut& a, const CapacityCut& b) {
  return a.least == b.least && a.cell == b.cell && a.times == b.times;
}

class CapacitySearch {
 public:
  CapacitySearch(const SuppressionProblem& problem, const SuppressionPattern& best,
                 const CapacityLimits& limits, const Tick& tick, std::vector<CapacityCut> start)
      : problem_(problem),
        best_(best),
        clock_(limits.seconds, tick),
        random_(limits.seed),
        cuts_(problem, [this] { clock_.check(); }),
        pool_(std::move(start)) {
    if (pool_.empty()) add_row_cuts();
    list_demands();
  }

  CapacityBound run() {
    const double all = clock_.seconds_left();
    try {
      search_reals((1 - kShareOfReals) * all);
      while (!is_done() && search_whole()) {
      }
    } catch (const WorkTimeUp&) {
      out_.interrupted = true;
    } catch (const WorkInterrupted&) {
      out_.interrupted = true;
    }
    out_.cuts = std::move(pool_);
    return std::move(out_);
  }

 private:
  void add_row_cuts() {
    for (CellCut& cut : row_cuts(problem_, best_.lacking)) {
      const std::vector<std::int64_t> ones(cut.size(), 1);
      pool_.push_back({std::move(cut), ones, 1});
    }
  }

  // Those against the outsider come first, as all others rest on them. What every pattern meets
  // has no cut.
  void list_demands() {
    CertificatePool known(problem_.n_cells());
    for (const Certificate& certificate : best_.certificates) known.add(certificate);
    std::set<std::pair<std::uint32_t, std::uint32_t>> lacking;
    for (const OpenDemand& open : best_.lacking) lacking.emplace(open.demand, open.knower);
    for (ReaderDemand& reader : reader_demands(problem_)) {
      if (lacking.count({reader.demand, reader.knower}) != 0 ||
          lacking.count({reader.demand, OpenDemand::kNobody}) != 0 ||
          is_met_anyway(problem_, known, reader))
        continue;
      (reader.knower == OpenDemand::kNobody ? outsider_ : others_).push_back(std::move(reader));
    }
  }

  bool is_done() const { return out_.cost >= best_.cost; }

  // ---- the programme of all cuts ----------------------------------------------------------------

  // The candidates of the cuts are unknowns 0, 1, ... from 0 to 1.
  LinearSystem programme() {
    cell_.clear();
    for (const CapacityCut& cut : pool_)
      cell_.insert(cell_.end(), cut.cell.begin(), cut.cell.end());
    std::sort(cell_.begin(), cell_.end());
    cell_.erase(std::unique(cell_.begin(), cell_.end()), cell_.end());
    weight_.clear();
    for (const std::uint32_t i : cell_) weight_.push_back(problem_.cost[i]);
    LinearSystem out;
    out.lower.assign(cell_.size(), 0);
    out.upper.assign(cell_.size(), 1);
    for (const CapacityCut& cut : pool_) {
      for (const std::uint32_t i : cut.cell)
        out.cell.push_back(static_cast<std::uint32_t>(
            std::lower_bound(cell_.begin(), cell_.end(), i) - cell_.begin()));
      out.coefficient.insert(out.coefficient.end(), cut.times.begin(), cut.times.end());
      out.start.push_back(out.cell.size());
      out.row_lower.push_back(cut.least);
      out.row_upper.push_back(kNoLimit);
    }
    return out;
  }

  template <class Value>
  std::vector<double> point(const Value& value) const {
    std::vector<double> out(problem_.n_cells(), 0.0);
    for (std::size_t k = 0; k < cell_.size(); ++k)
      out[cell_[k]] = std::clamp(static_cast<double>(value(k)), 0.0, 1.0);
    return out;
  }

  void search_reals(double seconds_for_others) {
    std::size_t stalled = 0;
    double last = -1;
    while (!pool_.empty() || out_.n_rounds == 0) {
      ++out_.n_rounds;
      const LinearSystem system = programme();
      SparseSimplex simplex(system, 0, [this] { clock_.check(); });
      std::vector<SparseSimplex::Term> objective;
      for (std::uint32_t k = 0; k < cell_.size(); ++k)
        objective.push_back({k, -static_cast<double>(weight_[k])});
      if (simplex.climb_again(objective) != ClimbEnd::optimal) return;
      const SumBound bound =
          sum_bound(system, system.lower, system.upper, weight_, simplex.duals());
      out_.cost = std::max(out_.cost, bound.bound);
      if (is_done() || clock_.seconds_left() < seconds_for_others) return;
      double sum = 0;
      for (const SparseSimplex::Term& t : objective) sum -= t.weight * simplex.value(t.cell);
      stalled = sum > last * (1 + kGain) ? 0 : stalled + 1;
      last = std::max(sum, last);
      if (stalled > kStalledRounds) return;
      const std::vector<double> x = point([&](std::size_t k) { return simplex.value(k); });
      leave_out_slack(x);
      if (!add_cuts(x)) return;
    }
  }

  // False when nothing more can be done.
  bool search_whole() {
    const LinearSystem system = programme();
    BestTableHints hints;
    for (const std::uint32_t i : cell_) hints.table.push_back(best_.hidden[i]);
    const int lost = lost_bits(weight_);
    std::vector<std::int64_t> weight = weight_;
    for (std::int64_t& w : weight) w >>= lost;
    const BestTable found =
        best_table(system, weight, kShareOfWhole * clock_.seconds_left(), clock_.tick(), hints);
    out_.cost = std::max(out_.cost, found.bound << lost);
    if (found.interrupted || clock_.is_up()) throw WorkTimeUp();
    if (!found.proved() || is_done()) return false;
    const std::vector<double> x =
        point([&](std::size_t k) { return static_cast<double>(found.values[k]); });
    if (add_cuts(x)) return true;
    out_.cover.assign(problem_.n_cells(), 0);
    for (std::size_t k = 0; k < cell_.size(); ++k) out_.cover[cell_[k]] = found.values[k] != 0;
    return false;
  }

  // ---- cuts -------------------------------------------------------------------------------------

  void leave_out_slack(const std::vector<double>& x) {
    if (pool_.size() < kCutsKept) return;
    pool_.erase(std::remove_if(pool_.begin(), pool_.end(),
                               [&](const CapacityCut& cut) { return cut.share(x) > kSlack; }),
                pool_.end());
  }

  bool add_cuts(const std::vector<double>& x) {
    cuts_.move_to(x);
    const std::size_t before = pool_.size();
    for (std::vector<ReaderDemand>* demands : {&outsider_, &others_}) {
      random_.shuffle(demands->begin(), demands->end());
      for (const ReaderDemand& demand : *demands) {
        clock_.check();
        CapacityCut cut;
        if (cuts_.find(demand, cut) &&
            std::none_of(pool_.begin() + static_cast<std::ptrdiff_t>(before), pool_.end(),
                         [&](const CapacityCut& other) { return is_same(cut, other); }))
          pool_.push_back(std::move(cut));
        if (pool_.size() >= before + kCutsAtOnce) return true;
      }
      if (pool_.size() > before) return true;
    }
    return false;
  }

  const SuppressionProblem& problem_;
  const SuppressionPattern& best_;
  WorkClock clock_;
  PublicRandom random_;
  CapacityCuts cuts_;
  std::vector<CapacityCut> pool_;
  std::vector<ReaderDemand> outsider_, others_;
  std::vector<std::uint32_t> cell_;  // of the programme
  std::vector<std::int64_t> weight_;
  CapacityBound out_;
};

}  // namespace

CapacityBound capacity_bound(const SuppressionProblem& problem, const SuppressionPattern& best,
                             const CapacityLimits& limits, const Tick& tick,
                             std::vector<CapacityCut> start) {
  if (best.cost == 0) return {};
  return CapacitySearch(problem, best, limits, tick, std::move(start)).run();
}

}  // namespace sdclattice
